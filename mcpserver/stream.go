package mcpserver

import (
	"bytes"
	"net/http"
	"sync"
)

// stream is an event stream (HTML Living Standard, server-sent events) to one
// HTTP client. It may be written to until it is stopped, when its handler
// returns.
type stream struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
	stopped chan struct{}
	end     func()
}

func newStream(w http.ResponseWriter) *stream {
	s := &stream{w: w, control: http.NewResponseController(w), stopped: make(chan struct{})}
	s.end = sync.OnceFunc(func() { close(s.stopped) })
	return s
}

// stop makes sure that nothing is written any more.
func (s *stream) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

// begin sends the header, so that the client knows it is listening.
func (s *stream) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.header()
	_ = s.control.Flush() // a client that is gone is found by the handler's context
}

func (s *stream) hasBegun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

func (s *stream) header() {
	if s.begun {
		return
	}
	s.begun = true
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	s.w.WriteHeader(http.StatusOK)
}

// send writes one event; it reports false when the stream has stopped.
func (s *stream) send(text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.stopped:
		return false
	default:
	}
	s.header()
	var b bytes.Buffer
	b.Grow(len(text) + 32)
	b.WriteString("event: message\ndata: ")
	b.Write(text)
	b.WriteString("\n\n")
	if _, err := s.w.Write(b.Bytes()); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
