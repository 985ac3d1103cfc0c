package mcpserver

import (
	"bytes"
	"net/http"
	"strconv"
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

// exchange is one POST request and its answer: plain JSON, unless a message
// must go ahead of it, which makes it an event stream.
type exchange struct {
	*stream
	call  *call
	batch bool

	owedMu   sync.Mutex
	owed     int // answers to come
	answers  [][]byte
	complete chan struct{} // closed when none is owed
}

func newExchange(w http.ResponseWriter, c *call, msgs []*message, batch bool) *exchange {
	ex := &exchange{stream: newStream(w), call: c, batch: batch, complete: make(chan struct{})}
	for _, m := range msgs {
		if m.isCall() {
			ex.owed++
		}
	}
	return ex
}

// event sends a message ahead of the answer; it reports false when it is too
// late for that.
func (ex *exchange) event(text []byte) bool { return ex.send(text) }

// answer takes one answer. The handler writes it, so that its buffer and the
// connection belong to one goroutine.
func (ex *exchange) answer(text []byte) {
	ex.owedMu.Lock()
	defer ex.owedMu.Unlock()
	ex.answers = append(ex.answers, text)
	if ex.owed--; ex.owed == 0 {
		close(ex.complete)
	}
}

// finish writes the answers, all of which are there.
func (ex *exchange) finish() {
	ex.owedMu.Lock()
	answers := ex.answers
	ex.owedMu.Unlock()
	ex.mu.Lock()
	streaming := ex.begun
	ex.mu.Unlock()
	if streaming {
		for _, text := range answers {
			ex.send(text)
		}
		return
	}
	text := answers[0]
	if ex.batch {
		text = append(append([]byte("["), bytes.Join(answers, []byte(","))...), ']')
	}
	h := ex.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = ex.w.Write(text) // a client that is gone has no use for it
}
