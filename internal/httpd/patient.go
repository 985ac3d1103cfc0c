package httpd

import (
	"net/http"
	"sync/atomic"
	"time"
)

// patientWriter gives the client a time to take each piece of an answer. A
// client that stops reading would otherwise hold its handler for good, and
// http.Server's WriteTimeout would end streams that are fine.
//
// A deadline stays on the connection, also between requests. It is moved only
// once half of its time is over, since moving it costs as much as a small write;
// a client has between half of the limit and all of it.
type patientWriter struct {
	http.ResponseWriter
	limit time.Duration
	until *atomic.Int64 // the connection's deadline in Unix nanoseconds
}

func (s *Server) newPatientWriter(w http.ResponseWriter, r *http.Request) *patientWriter {
	p := &patientWriter{ResponseWriter: w, limit: s.opts.WriteTimeout, until: &atomic.Int64{}}
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		p.until = &c.writeUntil
	}
	p.extend() // the deadline of the request before may be over
	return p
}

// Unwrap lets http.ResponseController through.
func (p *patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (p *patientWriter) WriteHeader(status int) {
	p.extend()
	p.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (p *patientWriter) Write(b []byte) (int, error) {
	p.extend()
	return p.ResponseWriter.Write(b)
}

func (p *patientWriter) extend() {
	now := time.Now()
	if p.until.Load() > now.Add(p.limit/2).UnixNano() {
		return
	}
	until := now.Add(p.limit)
	// A writer that has no deadlines is a test's.
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(until)
	p.until.Store(until.UnixNano())
}
