// Package httpbody reads request bodies within a limit and a time, with an
// error of the contract for each way in which that fails:
//
//	body, err := httpbody.Read(w, r, &httpbody.Limits{Bytes: 8 << 20, Time: 30 * time.Second})
//	if err != nil {
//		httpbody.Drain(w, r, err)
//		writeError(w, err) // 413, 408 or 400
//		return
//	}
//
// It does not look at what a body says.
package httpbody

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// What is read of a body that has been refused, so that a client which sends
// first and reads then gets to read the answer.
const (
	drainBytes = 64 << 20
	drainTime  = 2 * time.Second
)

// firstRead bounds what is allocated on a Content-Length's word alone.
const firstRead = 64 << 10

// Limits bound a body.
type Limits struct {
	Bytes int64
	Time  time.Duration
	// TooLarge is the answer to a body over Bytes; nil means [catalog.TooLarge].
	TooLarge *catalog.Error
}

// Read returns the request's body, nil for none. The slice is fresh for each
// request: a handler that outlives its call may still hold it. After an error
// of type [catalog.RequestTooLarge] or [catalog.ConnectionTimeout] the
// connection ends with the answer; one of type [catalog.Cancelled] means that
// the client is gone.
func Read(w http.ResponseWriter, r *http.Request, limits *Limits) ([]byte, *catalog.Error) {
	if r.ContentLength > limits.Bytes {
		return nil, tooLarge(w, limits, limits.Bytes)
	}
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	// A writer that has no deadlines has no slow clients either: it is a test's.
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(limits.Time))
	body, err := readAll(io.LimitReader(r.Body, limits.Bytes+1), r.ContentLength)
	if err != nil {
		return nil, unreadable(w, r, limits, err)
	}
	// From here on the server watches the connection for the client's leaving,
	// and a deadline would look like that.
	_ = conn.SetReadDeadline(time.Time{})
	if int64(len(body)) > limits.Bytes {
		return nil, tooLarge(w, limits, limits.Bytes)
	}
	r.Body = http.NoBody // nothing is left to drain
	return body, nil
}

// readAll is io.ReadAll with a first guess at the size, -1 for none.
func readAll(r io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		size = 512
	}
	// One more, so that the end is found without growing.
	body := make([]byte, 0, min(size, firstRead)+1)
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// unreadable says why a body did not arrive whole.
func unreadable(w http.ResponseWriter, r *http.Request, limits *Limits, err error) *catalog.Error {
	var (
		netErr net.Error
		capped *http.MaxBytesError
	)
	switch {
	case errors.As(err, &netErr) && netErr.Timeout():
		return slow(w, limits.Time, err)
	case errors.As(err, &capped): // a limit that somebody else has put on the body
		return tooLarge(w, limits, capped.Limit)
	case r.Context().Err() != nil, netErr != nil, errors.Is(err, io.ErrUnexpectedEOF):
		return clientLeft(err)
	}
	return broken(err)
}

func tooLarge(w http.ResponseWriter, limits *Limits, limit int64) *catalog.Error {
	w.Header().Set("Connection", "close")
	if limits.TooLarge != nil {
		return limits.TooLarge
	}
	return catalog.TooLarge(limit)
}

func slow(w http.ResponseWriter, limit time.Duration, cause error) *catalog.Error {
	w.Header().Set("Connection", "close")
	return &catalog.Error{
		Type: catalog.ConnectionTimeout, Code: "CONNECTION_TIMEOUT", Cause: cause,
		Message: fmt.Sprintf("the body did not arrive within %s", limit),
		Hint:    "Send the whole body at once.",
		Details: map[string]any{"timeoutMs": limit.Milliseconds()},
	}
}

func clientLeft(cause error) *catalog.Error {
	return &catalog.Error{
		Type: catalog.Cancelled, Code: "CANCELLED", Message: "the connection ended before the whole body had arrived", Cause: cause,
	}
}

func broken(cause error) *catalog.Error {
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "INVALID_REQUEST", Message: "the body breaks the rules of HTTP", Cause: cause,
		Hint: "Its chunks, or its length, are not what the headers say.",
	}
}

// Drain reads what is left of the body of a request that err refuses. If the
// end is not in reach, the server closes the connection.
func Drain(w http.ResponseWriter, r *http.Request, err *catalog.Error) {
	if r.Body == nil || r.Body == http.NoBody || err.Type == catalog.ConnectionTimeout || err.Type == catalog.Cancelled {
		return
	}
	conn := http.NewResponseController(w)
	if r.Header.Get("Expect") != "" {
		// The client waits for leave to send, and reading would give it. The
		// server's own draining would wait for the client.
		_ = conn.SetReadDeadline(time.Now())
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(drainTime))
	if n, err := io.CopyN(io.Discard, r.Body, drainBytes); n < drainBytes && err == io.EOF {
		_ = conn.SetReadDeadline(time.Time{})
	}
}
