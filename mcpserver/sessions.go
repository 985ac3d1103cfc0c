package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// sessions is the table of the HTTP sessions, and the handler for protocol
// versions that have them.
type sessions struct {
	server *Server
	ending sync.WaitGroup // sessions that were deleted and close

	mu     sync.Mutex // guards the rest
	byID   map[string]*session
	closed bool
}

// find returns a session and marks it as in use until release is called.
func (t *sessions) find(id string) (ss *session, release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ss = t.byID[id]; ss == nil {
		return nil, nil
	}
	return ss, ss.use()
}

// open makes a session, in use until release is called.
func (t *sessions) open() (ss *session, release func(), bad *catalog.Error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, nil, tooManySessions(0)
	}
	if limit := t.server.opts.Sessions; len(t.byID) >= limit {
		return nil, nil, tooManySessions(limit)
	}
	id := rand.Text()
	ss, err := t.server.openSession(id, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.byID, id)
	})
	if err != nil {
		return nil, nil, catalog.Internal(err)
	}
	t.byID[id] = ss
	return ss, ss.use(), nil
}

// closeAll ends all sessions once their calls are answered.
func (t *sessions) closeAll() {
	t.mu.Lock()
	t.closed = true
	all := make([]*session, 0, len(t.byID))
	for _, ss := range t.byID {
		all = append(all, ss)
	}
	t.mu.Unlock()
	var group sync.WaitGroup
	for _, ss := range all {
		group.Go(ss.end)
	}
	group.Wait()
	t.ending.Wait()
}

// version is the protocol version that a session agreed on; empty for none.
func (t *sessions) version(id string) string {
	t.mu.Lock()
	ss := t.byID[id]
	t.mu.Unlock()
	if ss == nil {
		return ""
	}
	return negotiated(ss.sdk.InitializeParams())
}

// post serves the messages of one POST request.
func (t *sessions) post(w http.ResponseWriter, r *http.Request, c *call, msgs []*message, batch bool) *catalog.Error {
	if bad := checkHeader(r, "application/json", "text/event-stream"); bad != nil {
		return bad
	}
	ss, release := t.find(r.Header.Get(headerSession))
	if r.Header.Get(headerSession) == "" {
		var bad *catalog.Error
		if ss, release, bad = t.open(); bad != nil {
			return bad
		}
		w.Header().Set(headerSession, ss.id)
		defer func() {
			if ss.sdk.InitializeParams() == nil { // initialize failed
				ss.end()
			}
		}()
	}
	if ss == nil {
		return sessionGone()
	}
	defer release()
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(ss.calls, func() { cancel(context.Cause(ss.calls)) })()
	c.ctx = ctx
	ex := newExchange(w, c, batch)
	defer ex.stop()
	c.exchange = ex
	if bad := ss.submit(msgs, ex); bad != nil {
		return bad
	}
	select {
	case <-ex.complete:
	case <-r.Context().Done():
		ss.abandon(msgs, ex)
		c.fail(&catalog.Error{Type: catalog.Cancelled, Code: "CANCELLED", Message: "the client left before its answer"})
		return nil
	case <-ss.done:
		select {
		case <-ex.complete: // both: the answer came first
		default:
			// Calls are answered before a session closes, so this one came too late.
			return sessionGone()
		}
	}
	ex.finish()
	return nil
}

// get serves the stream of what belongs to no request.
func (t *sessions) get(w http.ResponseWriter, r *http.Request) *catalog.Error {
	if bad := checkHeader(r, "text/event-stream"); bad != nil {
		return bad
	}
	ss, release := t.find(r.Header.Get(headerSession))
	if ss == nil {
		return noSession(r)
	}
	defer release()
	ss.listen(w, r)
	return nil
}

// errDeleted is why the calls of a deleted session end.
var errDeleted = errors.New("the client deleted the session")

// remove ends a session at its client's wish: its calls are cancelled, and it
// closes when they have ended.
func (t *sessions) remove(w http.ResponseWriter, r *http.Request) *catalog.Error {
	ss, release := t.find(r.Header.Get(headerSession))
	if ss == nil {
		return noSession(r)
	}
	defer release()
	ss.forget()
	ss.stopCalls(errDeleted)
	t.ending.Go(ss.end)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// checkHeader refuses clients that would not understand the answer.
func checkHeader(r *http.Request, accepted ...string) *catalog.Error {
	if v := r.Header.Get(headerVersion); v != "" && !slices.Contains(mcp.SupportedProtocolVersions(), v) {
		e := invalidRequest(fmt.Sprintf("protocol version %q is not supported", catalog.Clip(v, 40)),
			fieldDetails(headerVersion, "must be one of "+strings.Join(mcp.SupportedProtocolVersions(), ", ")))
		return e
	}
	for _, want := range accepted {
		if !accepts(r.Header.Values("Accept"), want) {
			e := invalidRequest("Accept must contain "+strings.Join(accepted, " and "),
				fieldDetails("Accept", "must contain "+want))
			e.Hint = "Send the header Accept: " + strings.Join(accepted, ", ") + "."
			return e
		}
	}
	return nil
}

// accepts reports whether the values of an Accept header (RFC 9110, section
// 12.5.1) admit a media type.
func accepts(values []string, want string) bool {
	kind, _, _ := strings.Cut(want, "/")
	for _, value := range values {
		for item := range strings.SplitSeq(value, ",") {
			item, _, _ = strings.Cut(item, ";")
			switch strings.ToLower(strings.TrimSpace(item)) {
			case want, kind + "/*", "*/*":
				return true
			}
		}
	}
	return false
}

// sessionGone is what a client hears whose session has ended.
func sessionGone() *catalog.Error {
	e := invalidRequest("session not found", fieldDetails(headerSession, "names no session of this server"))
	e.Code = "SESSION_NOT_FOUND"
	e.Hint = "The session ended or never was; send initialize without Mcp-Session-Id to get a new one."
	return e
}

// tooManySessions is what a client hears that opens one session too many.
func tooManySessions(limit int) *catalog.Error {
	return &catalog.Error{
		Type: catalog.ConnectionRefused, Code: "CONNECTION_REFUSED",
		Message:    fmt.Sprintf("there are %d sessions, which is the limit", limit),
		Hint:       "Delete sessions that are not needed, try again later, or use protocol version 2026-07-28, which has no sessions.",
		Details:    map[string]any{"limit": limit},
		RetryAfter: 10 * time.Second,
	}
}

func noSession(r *http.Request) *catalog.Error {
	if r.Header.Get(headerSession) != "" {
		return sessionGone()
	}
	return invalidRequest(r.Method+" requires an Mcp-Session-Id header", fieldDetails(headerSession, "is required"))
}
