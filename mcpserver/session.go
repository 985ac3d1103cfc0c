package mcpserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
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

	calls     context.Context // ends when the client deletes the session
	stopCalls context.CancelCauseFunc

	mu        sync.Mutex // guards the rest
	exchanges map[jsonrpc.ID]*exchange
	asked     map[jsonrpc.ID]bool // the server's own requests that wait for a response
	listener  *stream             // what GET holds open; nil for none
	users     int                 // HTTP requests that are being served
	idle      *time.Timer         // runs while there are none
	ended     bool
}

var _ mcp.Connection = (*session)(nil)

// openSession starts a session, which ends by itself when it was idle for the
// timeout. forget takes it out of the table.
func (s *Server) openSession(id string, forget func()) (*session, error) {
	ss := &session{
		id: id, server: s, forget: forget,
		incoming: make(chan jsonrpc.Message, 16), done: make(chan struct{}),
		exchanges: map[jsonrpc.ID]*exchange{}, asked: map[jsonrpc.ID]bool{},
	}
	ss.close = sync.OnceFunc(func() { close(ss.done) })
	ss.calls, ss.stopCalls = context.WithCancelCause(context.Background())
	sdk, err := s.sdk.Connect(context.Background(), ss, nil)
	if err != nil {
		return nil, fmt.Errorf("opening a session: %w", err)
	}
	ss.sdk = sdk
	ss.idle = time.AfterFunc(s.opts.SessionTimeout, ss.expire)
	return ss, nil
}

// name is what the log calls the session: enough to tell it from others, not
// enough to use it.
func (ss *session) name() string { return ss.id[:6] + "…" }

// expire ends a session whose client has not been heard of for too long.
func (ss *session) expire() {
	ss.mu.Lock()
	used := ss.users > 0 || ss.ended
	ss.mu.Unlock()
	if used {
		return // a request came while the timer fired
	}
	ss.server.opts.Logger.Info("session ends: its client is silent", "session", ss.name(), "timeout", ss.server.opts.SessionTimeout)
	ss.end()
}

// end answers the calls in flight and closes the session.
func (ss *session) end() {
	ss.forget()
	ss.mu.Lock()
	ss.ended = true
	ss.idle.Stop()
	ss.mu.Unlock()
	if err := ss.sdk.Close(); err != nil {
		ss.server.opts.Logger.Debug("closing a session", "session", ss.name(), "err", err)
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
		if ss.users--; ss.users == 0 && !ss.ended {
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
	if c, ok := ctx.Value(callKey{}).(*call); ok && c.exchange != nil && c.exchange.send(text) {
		return nil
	}
	ss.mu.Lock()
	l := ss.listener
	ss.mu.Unlock()
	if l == nil || !l.send(text) {
		ss.server.opts.Logger.Debug("message dropped: the client listens to no stream", "session", ss.name())
	}
	return nil
}

// submit hands the messages of one POST request to the SDK; the calls among them
// will be answered to ex. A message that is no good is refused by itself when it
// came in a batch; else the error says why.
func (ss *session) submit(msgs []*message, ex *exchange) *catalog.Error {
	var good []*message
	for _, m := range msgs {
		bad := m.bad
		if bad == nil {
			bad = m.checkInitialized(ss.sdk.InitializeParams() != nil)
		}
		if bad == nil {
			bad = ss.claim(m, ex)
		}
		switch {
		case bad == nil:
			good = append(good, m)
		case !ex.batch:
			return bad
		default:
			ex.refuse(encodeError(m.id, rpcError(bad)))
		}
	}
	calls := 0
	for _, m := range good {
		if m.isCall() {
			calls++
		}
	}
	ex.expect(calls)
	for _, m := range good {
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

// claim makes a call's id one that waits for its answer in ex, and matches a
// response to what the server asked.
func (ss *session) claim(m *message, ex *exchange) *catalog.Error {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	switch {
	case m.isCall() && ss.exchanges[m.id] != nil:
		return duplicateID(m.id)
	case m.isCall():
		ss.exchanges[m.id] = ex
	case m.method == "":
		if !ss.asked[m.id] {
			ss.server.strayResponse(catalog.HTTP, m)
		}
		delete(ss.asked, m.id)
	}
	return nil
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
