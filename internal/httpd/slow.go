package httpd

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
)

// listener hands out connections that tell a client why they close.
type listener struct{ net.Listener }

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// conn answers 408 when a client begins a request and does not end its header
// in time: net/http closes such a connection without a word (RFC 9110,
// section 15.5.9, would have it say so).
type conn struct {
	net.Conn
	mu    sync.Mutex
	begun bool // bytes of a request were read
	busy  bool // a handler runs; it has time limits of its own
}

type connKey struct{}

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
		const body = `{"success":false,"error":{"code":"CONNECTION_TIMEOUT","message":"the request's header was not complete in time"}}`
		// The client may be gone; there is nobody else to tell.
		_, _ = fmt.Fprintf(c.Conn, "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
			len(body), body)
	}
	return n, err
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
