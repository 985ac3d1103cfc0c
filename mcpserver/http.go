package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpbody"
	"github.com/webodar/webodar/internal/wirejson"
)

// Headers of the streamable HTTP transport.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
)

// endpoint is the guard in front of the SDK's HTTP handlers. One endpoint
// serves every protocol version: the SDK has a handler with sessions, for the
// versions up to 2025-11-25, and one without, for the later ones and for
// clients that never open a session.
type endpoint struct {
	server   *Server
	sessions http.Handler
	// The two without sessions differ in how they answer: at once with one
	// JSON text, or as a stream that can carry progress and log messages.
	plain, stream http.Handler

	inFlight sync.Map // flightKey → nil
}

// flightKey names a request of a session that is not answered yet.
type flightKey struct {
	session string
	id      jsonrpc.ID
}

// Handler returns the streamable HTTP endpoint. The listener in front of it
// checks Host, Origin and token.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *mcp.Server { return s.sdk }
	sdk := func(opts mcp.StreamableHTTPOptions) http.Handler {
		opts.MaxRequestBodyBytes = -1            // limited in post
		opts.DisableLocalhostProtection = true   // done by the listener
		opts.PropagateRequestCancellation = true // of meaning without sessions only
		return mcp.NewStreamableHTTPHandler(get, &opts)
	}
	return &endpoint{
		server:   s,
		sessions: sdk(mcp.StreamableHTTPOptions{SessionTimeout: s.opts.SessionTimeout}),
		plain:    sdk(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}),
		stream:   sdk(mcp.StreamableHTTPOptions{Stateless: true}),
	}
}

// ServeHTTP implements [http.Handler].
func (h *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := &contractWriter{ResponseWriter: w}
	switch r.Method {
	case http.MethodPost:
		h.post(answer, r)
	case http.MethodGet, http.MethodDelete:
		c := h.server.beginHTTP(r, nil)
		c.event.Method = r.Method
		h.sessions.ServeHTTP(answer, r)
		h.server.endHTTP(r, c, answer)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		Refuse(w, r, http.StatusMethodNotAllowed, invalidRequest(
			fmt.Sprintf("the MCP endpoint takes GET, POST and DELETE, not %s", r.Method), fieldDetails("method", "must be GET, POST or DELETE")))
	}
}

func (h *endpoint) post(w *contractWriter, r *http.Request) {
	msgs, isBatch, bad := h.read(w, r)
	var first *message
	if len(msgs) > 0 && !isBatch {
		first = msgs[0]
	}
	c := h.server.beginHTTP(r, first)
	defer func() { h.server.endHTTP(r, c, w) }()
	if isBatch {
		c.event.Method = "batch"
	}
	modern := h.isModern(r, msgs)
	session := r.Header.Get(headerSession)
	if modern {
		session = ""
	}
	if bad == nil && isBatch {
		bad = h.checkBatch(r, session, modern, msgs)
	}
	if first != nil {
		w.id = first.id
		if bad == nil {
			bad = first.bad
		}
	}
	if bad == nil && session != "" {
		var release func()
		release, bad = h.claim(session, msgs)
		defer release()
		if !isBatch {
			c.release = release // ahead of the answer
		}
	}
	if bad != nil {
		c.err = bad
		httpbody.Drain(w, r, bad)
		writeRPCError(w, refusalStatus(bad, modern), w.id, bad)
		return
	}
	if first != nil && first.method == "" {
		h.server.strayResponse(catalog.HTTP, first)
	}
	if dropped(msgs) {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	r.Header.Set(callHeader, c.key)
	c.ctx = r.Context()
	h.route(msgs, session, modern).ServeHTTP(w, r)
}

// read takes the messages out of the request, whose body can then be read
// again.
func (h *endpoint) read(w http.ResponseWriter, r *http.Request) ([]*message, bool, *catalog.Error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		e := invalidRequest("Content-Type must be application/json", fieldDetails("Content-Type", "must be application/json"))
		e.Code = "UNSUPPORTED_MEDIA_TYPE"
		return nil, false, e
	}
	body, bad := httpbody.Read(w, r, &httpbody.Limits{Bytes: h.server.opts.MessageBytes, Time: h.server.opts.RequestTimeout})
	if bad != nil {
		return nil, false, bad
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return parse(body)
}

// isModern reports whether the request follows protocol 2026-07-28 or later,
// as its header or the first message says.
func (h *endpoint) isModern(r *http.Request, msgs []*message) bool {
	if r.Header.Get(headerVersion) >= version20260728 {
		return true
	}
	return len(msgs) > 0 && metaVersion(msgs[0]) >= version20260728
}

// metaVersion is the protocol version that a message carries itself.
func metaVersion(m *message) string {
	for key, meta := range wirejson.Members(m.params) {
		if key != "_meta" {
			continue
		}
		for key, value := range wirejson.Members(meta) {
			if key == mcp.MetaKeyProtocolVersion {
				version, _, _ := unquote(value)
				return version
			}
		}
	}
	return ""
}

// hasMeta reports whether a message asks for messages ahead of its answer.
func hasMeta(m *message, keys ...string) bool {
	for key, meta := range wirejson.Members(m.params) {
		if key != "_meta" {
			continue
		}
		for key := range wirejson.Members(meta) {
			for _, want := range keys {
				if key == want {
					return true
				}
			}
		}
	}
	return false
}

func (h *endpoint) route(msgs []*message, session string, modern bool) http.Handler {
	switch m := msgs[0]; {
	case !modern && (session != "" || m.method == "initialize"):
		return h.sessions
	//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
	case m.method == "subscriptions/listen" || hasMeta(m, "progressToken", mcp.MetaKeyLogLevel):
		return h.stream
	}
	return h.plain
}

// checkBatch refuses batches of versions that have none, and those that hold a
// message which is no good.
func (h *endpoint) checkBatch(r *http.Request, session string, modern bool, msgs []*message) *catalog.Error {
	version := r.Header.Get(headerVersion)
	if session != "" {
		for ss := range h.server.sdk.Sessions() {
			if ss.ID() == session {
				version = max(version, negotiated(ss.InitializeParams()))
			}
		}
	}
	if modern {
		version = max(version, version20260728)
	}
	if version >= version20250618 {
		return batchRefused(version)
	}
	for i, m := range msgs {
		if m.bad != nil {
			e := *m.bad
			e.Message = fmt.Sprintf("message %d of the batch: %s", i, e.Message)
			return &e
		}
	}
	return nil
}

// claim marks the session's requests as in flight, or says which one is so
// already. release undoes it.
func (h *endpoint) claim(session string, msgs []*message) (release func(), bad *catalog.Error) {
	var claimed []flightKey
	release = func() {
		for _, key := range claimed {
			h.inFlight.Delete(key)
		}
	}
	for _, m := range msgs {
		if !m.isCall() {
			continue
		}
		key := flightKey{session, m.id}
		if _, taken := h.inFlight.LoadOrStore(key, nil); taken {
			return release, duplicateID(m.id)
		}
		claimed = append(claimed, key)
	}
	return release, nil
}

// dropped reports whether nothing is left to do: all messages are
// notifications that nobody knows.
func dropped(msgs []*message) bool {
	for _, m := range msgs {
		if m.method == "" || m.id.IsValid() || methods[m.method].notification {
			return false
		}
	}
	return true
}

// beginHTTP opens the record of an HTTP request.
func (s *Server) beginHTTP(r *http.Request, m *message) *call {
	c := s.begin(catalog.HTTP, m)
	if own := catalog.RequestOf(r.Context()); own.ID != "" {
		c.event.RequestID = own.ID
	}
	c.event.Peer, c.event.UserAgent = r.RemoteAddr, r.UserAgent()
	return c
}

func (s *Server) endHTTP(r *http.Request, c *call, w *contractWriter) {
	c.event.Status = w.status
	if c.err == nil {
		c.err = w.refusal
	}
	ctx := context.WithoutCancel(r.Context())
	s.end(ctx, c)
}
