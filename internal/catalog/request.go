package catalog

import (
	"context"
	"time"
)

// Surface is the door that a request came through.
type Surface string

// The doors.
const (
	Stdio Surface = "stdio"
	HTTP  Surface = "http" // MCP over streamable HTTP
	REST  Surface = "rest"
	CLI   Surface = "cli"
)

// Request is what a handler may know of, and tell, whoever called it. Doors
// put it into the context.
type Request struct {
	ID      string // names the request in logs; unique unless a client chose it
	Surface Surface

	// Progress tells the caller how far the call is. total 0 means unknown.
	// Nil when the caller did not ask for it; use [Progress] to call it.
	Progress func(ctx context.Context, done, total float64, message string)
}

type requestKey struct{}

// WithRequest returns a context that carries r.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestOf returns the request that ctx belongs to; never nil.
func RequestOf(ctx context.Context) *Request {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok {
		return r
	}
	return &Request{}
}

// Progress reports progress to the caller if the caller asked for it.
func Progress(ctx context.Context, done, total float64, message string) {
	if r := RequestOf(ctx); r.Progress != nil {
		r.Progress(ctx, done, total, message)
	}
}

// Event is the record of one request that a door has answered.
type Event struct {
	RequestID string
	Surface   Surface
	Method    string // JSON-RPC method, or HTTP method and route
	Tool      string // set for calls of a known tool
	Duration  time.Duration
	Peer      string // remote address, or the MCP client's name on stdio
	UserAgent string
	Status    int    // HTTP status; 0 where there is none
	Err       *Error // nil for success
	// Stream marks what is open for as long as the client likes, so that its
	// duration says nothing about the server.
	Stream bool
}

// Observer counts and logs requests. Begin comes before the work, End once
// after each Begin.
type Observer interface {
	Begin(s Surface)
	End(ctx context.Context, ev Event)
}

// Unobserved is an [Observer] that does nothing.
type Unobserved struct{}

// Begin implements [Observer].
func (Unobserved) Begin(Surface) {}

// End implements [Observer].
func (Unobserved) End(context.Context, Event) {}
