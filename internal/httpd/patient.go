package httpd

import (
	"net/http"
	"time"
)

// patientWriter gives the client a time to take each piece of an answer. A
// client that stops reading would otherwise hold its handler for good, and
// http.Server's WriteTimeout would end streams that are fine.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

func newPatientWriter(w http.ResponseWriter, limit time.Duration) *patientWriter {
	p := &patientWriter{ResponseWriter: w, control: http.NewResponseController(w), limit: limit}
	// What the request before on this connection left behind.
	_ = p.control.SetWriteDeadline(time.Time{})
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

// extend starts the time anew. A writer that has no deadlines is a test's.
func (p *patientWriter) extend() { _ = p.control.SetWriteDeadline(time.Now().Add(p.limit)) }
