package mcpserver

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// exchange is one POST request of a session and its answer: plain JSON, unless a
// message must go ahead of it, which makes it an event stream.
type exchange struct {
	*stream
	call  *call
	batch bool

	answersMu sync.Mutex
	owed      int           // answers to come
	answers   [][]byte      // those that came
	complete  chan struct{} // closed when none is owed
}

func newExchange(w http.ResponseWriter, c *call, batch bool) *exchange {
	return &exchange{stream: newStream(w), call: c, batch: batch, complete: make(chan struct{})}
}

// expect announces n answers. It is called once, before the first can come.
func (ex *exchange) expect(n int) {
	ex.answersMu.Lock()
	defer ex.answersMu.Unlock()
	if ex.owed = n; n == 0 {
		close(ex.complete)
	}
}

// answer takes an answer that was expected. The handler writes it, so that its
// buffer and the connection belong to one goroutine.
func (ex *exchange) answer(text []byte) {
	ex.answersMu.Lock()
	defer ex.answersMu.Unlock()
	ex.answers = append(ex.answers, text)
	if ex.owed--; ex.owed == 0 {
		close(ex.complete)
	}
}

// refuse adds an answer that nobody else gives.
func (ex *exchange) refuse(text []byte) {
	ex.answersMu.Lock()
	defer ex.answersMu.Unlock()
	ex.answers = append(ex.answers, text)
}

// finish writes the answers, all of which are there.
func (ex *exchange) finish() {
	ex.answersMu.Lock()
	answers := ex.answers
	ex.answersMu.Unlock()
	if ex.hasBegun() {
		for _, text := range answers {
			ex.send(text)
		}
		return
	}
	if len(answers) == 0 { // notifications and responses only
		ex.w.WriteHeader(http.StatusAccepted)
		return
	}
	text := answers[0]
	if ex.batch {
		text = fmt.Appendf(nil, "[%s]", bytes.Join(answers, []byte(",")))
	}
	h := ex.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = ex.w.Write(text) // a client that is gone has no use for it
}
