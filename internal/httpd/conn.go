package httpd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// listener hands out connections that tell a client why they close, and marks
// those above the limit, which are served refusals only.
type listener struct {
	net.Listener
	most int64
	open atomic.Int64
}

// refusals is how many connections above the limit are told of it at a time, where
// the limit itself is smaller.
const refusals = 16

// Accept implements [net.Listener]. Far beyond the limit, at twice of it or so, a
// connection is closed without a word, so that refusals have their limit too.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		n := l.open.Add(1)
		own := &conn{Conn: c, above: n > l.most, closed: sync.OnceFunc(func() { l.open.Add(-1) })}
		if n <= l.most+max(l.most, refusals) {
			return own, nil
		}
		_ = own.Close() // nobody to tell
	}
}

// tooManyConnections is what a client hears on one connection too many.
func tooManyConnections(limit int) *catalog.Error {
	return &catalog.Error{
		Type: catalog.ConnectionRefused, Code: "CONNECTION_REFUSED",
		Message:    fmt.Sprintf("there are %d connections, which is the limit (limits.connections)", limit),
		Hint:       "Use fewer connections, or try again later.",
		Details:    map[string]any{"limit": "connections", "max": limit},
		RetryAfter: 5 * time.Second,
	}
}

// conn mends what net/http does to requests that never reach a handler: one
// whose header does not end in time is cut off without a word (RFC 9110, section
// 15.5.9, would have it answered with 408), and one that is no HTTP gets its
// answer in plain text.
type conn struct {
	net.Conn
	mu    sync.Mutex
	begun bool // bytes of a request were read
	busy  bool // a handler runs; it has time limits of its own

	above  bool // the limit of connections
	closed func()

	writeUntil atomic.Int64 // see patientWriter
}

type connKey struct{}

// Close implements [net.Conn].
func (c *conn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// Read implements [net.Conn].
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > 0 {
		c.begun = true
	}
	if c.begun && !c.busy && errors.Is(err, os.ErrDeadlineExceeded) {
		c.begun = false
		// The client may be gone; there is nobody else to tell.
		_, _ = c.Conn.Write(refusalText("408 Request Timeout", "CONNECTION_TIMEOUT", "the request's header was not complete in time"))
	}
	return n, err
}

// plainRefusal is what stands between status and text in net/http's answers to
// what it cannot take for a request.
var plainRefusal = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// Write implements [net.Conn].
func (c *conn) Write(p []byte) (int, error) {
	line, text, found := bytes.Cut(p, plainRefusal)
	status, isHTTP := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if !found || !isHTTP || bytes.ContainsAny(status, "\r\n") {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(refusalText(string(status), "INVALID_REQUEST", string(text))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// refusalText is an answer in the shape of the REST door; which door the client
// meant cannot be told.
func refusalText(status, code, message string) []byte {
	body, err := json.Marshal(map[string]any{"success": false, "error": map[string]string{"code": code, "message": message}})
	if err != nil { // strings always encode
		body = nil
	}
	return fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		status, len(body), body)
}

func (c *conn) set(busy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy, c.begun = busy, false
}

// track tells a connection when a handler runs.
func (s *Server) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok {
			c.set(true)
			defer c.set(false)
		}
		next.ServeHTTP(w, r)
	})
}
