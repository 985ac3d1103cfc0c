package mcpserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// session is the SDK's connection to one HTTP client. Each of the client's
// POST requests is an [exchange]; what belongs to none goes to the stream that
// a GET request holds open.
type session struct {
	id     string
	server *Server
	sdk    *mcp.ServerSession
	forget func() // takes the session out of the table

	incoming chan jsonrpc.Message
	done     chan struct{}
	close    func() // closes done, once

	mu        sync.Mutex // guards the rest
	exchanges map[jsonrpc.ID]*exchange
	asked     map[jsonrpc.ID]bool // the server's own requests that wait for a response
	listener  *stream             // what GET holds open; nil for none
	users     int                 // HTTP requests that are being served
	idle      *time.Timer         // runs while there are none
}

var _ mcp.Connection = (*session)(nil)

// open starts a session. It is idle for as long as the timeout before it ends
// by itself.
func (s *Server) openSession(id string, forget func()) (*session, error) {
	ss := &session{
		id: id, server: s, forget: forget,
		incoming: make(chan jsonrpc.Message, 16), done: make(chan struct{}),
		exchanges: map[jsonrpc.ID]*exchange{}, asked: map[jsonrpc.ID]bool{},
	}
	ss.close = sync.OnceFunc(func() { close(ss.done) })
	sdk, err := s.sdk.Connect(context.Background(), ss, nil)
	if err != nil {
		return nil, fmt.Errorf("opening a session: %w", err)
	}
	ss.sdk = sdk
	ss.idle = time.AfterFunc(s.opts.SessionTimeout, ss.expire)
	return ss, nil
}

// expire ends a session whose client has not been heard of for too long.
func (ss *session) expire() {
	ss.mu.Lock()
	used := ss.users > 0
	ss.mu.Unlock()
	if used {
		return // a request came while the timer fired
	}
	ss.server.opts.Logger.Info("session ends: its client is silent", "session", ss.id, "timeout", ss.server.opts.SessionTimeout)
	ss.end()
}

// end answers the calls in flight and closes the session.
func (ss *session) end() {
	ss.forget()
	ss.idle.Stop()
	if err := ss.sdk.Close(); err != nil {
		ss.server.opts.Logger.Debug("closing a session", "session", ss.id, "err", err)
	}
}

// use marks the session as in use until release is called.
func (ss *session) use() (release func()) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.users++
	ss.idle.Stop()
	return func() {
		ss.mu.Lock()
		defer ss.mu.Unlock()
		if ss.users--; ss.users == 0 {
			ss.idle.Reset(ss.server.opts.SessionTimeout)
		}
	}
}

// Connect implements [mcp.Transport].
func (ss *session) Connect(context.Context) (mcp.Connection, error) { return ss, nil }

// SupportsProtocolVersion implements [mcp.ProtocolVersionSupporter]: later
// versions have no sessions.
func (ss *session) SupportsProtocolVersion(version string) bool { return version < version20260728 }

// SessionID implements [mcp.Connection].
func (ss *session) SessionID() string { return ss.id }

// Read implements [mcp.Connection].
func (ss *session) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-ss.incoming:
		return msg, nil
	case <-ss.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close implements [mcp.Connection].
func (ss *session) Close() error {
	ss.close()
	return nil
}

// Write implements [mcp.Connection]. A message that nobody waits for any more
// is dropped: an error would end the session.
func (ss *session) Write(ctx context.Context, msg jsonrpc.Message) error {
	if res, ok := msg.(*jsonrpc.Response); ok {
		// The client may use the id again as soon as it has the answer.
		ss.mu.Lock()
		ex := ss.exchanges[res.ID]
		delete(ss.exchanges, res.ID)
		ss.mu.Unlock()
		if ex != nil {
			ex.answer(encodeResponse(ex.call, res))
		}
		return nil
	}
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	if req := msg.(*jsonrpc.Request); req.IsCall() {
		ss.mu.Lock()
		ss.asked[req.ID] = true
		ss.mu.Unlock()
	}
	if c, ok := ctx.Value(callKey{}).(*call); ok && c.exchange != nil && c.exchange.event(text) {
		return nil
	}
	ss.mu.Lock()
	l := ss.listener
	ss.mu.Unlock()
	if l == nil || !l.send(text) {
		ss.server.opts.Logger.Debug("message dropped: the client listens to no stream", "session", ss.id)
	}
	return nil
}

// submit hands the messages of one POST request to the SDK. The calls among
// them will be answered to ex.
func (ss *session) submit(msgs []*message, ex *exchange) *catalog.Error {
	ss.mu.Lock()
	for i, m := range msgs {
		if m.isCall() && (ss.exchanges[m.id] != nil || repeats(msgs[:i], m.id)) {
			ss.mu.Unlock()
			return duplicateID(m.id)
		}
	}
	for _, m := range msgs {
		switch {
		case m.isCall():
			ss.exchanges[m.id] = ex
		case m.method == "":
			if !ss.asked[m.id] {
				defer ss.server.strayResponse(catalog.HTTP, m)
			}
			delete(ss.asked, m.id)
		}
	}
	ss.mu.Unlock()
	for _, m := range msgs {
		if m.method != "" && !m.id.IsValid() && !methods[m.method].notification {
			continue // a notification that nobody knows
		}
		msg := m.sdk()
		if req, ok := msg.(*jsonrpc.Request); ok {
			req.Extra = extra(ex.call.key)
		}
		select {
		case ss.incoming <- msg:
		case <-ss.done:
			return sessionGone()
		}
	}
	return nil
}

// repeats reports whether one of msgs is a call of that id.
func repeats(msgs []*message, id jsonrpc.ID) bool {
	return slices.ContainsFunc(msgs, func(m *message) bool { return m.isCall() && m.id == id })
}

// abandon forgets the calls of a POST request whose client is gone.
func (ss *session) abandon(msgs []*message, ex *exchange) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, m := range msgs {
		if ss.exchanges[m.id] == ex {
			delete(ss.exchanges, m.id)
		}
	}
}

// listen streams what belongs to no request, until the client leaves, a later
// GET takes over, or the session ends.
func (ss *session) listen(w http.ResponseWriter, r *http.Request) {
	l := newStream(w)
	ss.mu.Lock()
	before := ss.listener
	ss.listener = l
	ss.mu.Unlock()
	if before != nil {
		before.stop()
	}
	l.begin()
	select {
	case <-r.Context().Done():
	case <-l.stopped:
	case <-ss.done:
	}
	l.stop()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.listener == l {
		ss.listener = nil
	}
}
