package catalog

import (
	"context"
	"encoding/json"
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
	// Guarded says that a caller over REST may use what [Guarded] tools are:
	// see [Request.MayReach].
	Guarded bool

	// Progress tells the caller how far the call is. total 0 means unknown.
	// Nil when the caller did not ask for it; use [Progress] to call it.
	Progress func(ctx context.Context, done, total float64, message string)

	// Peer tells callers apart for limits: a session, an address, or stdio.
	Peer string
	// Params are the parameters of the MCP request as they came, _meta
	// included; nil where there is none.
	Params json.RawMessage
	// Trace is the trace context (W3C Trace Context), by the names of its HTTP
	// headers in lower case: the caller's, or that of the span which a [Tracer] has
	// begun for the request.
	Trace map[string]string
	// Client reaches the MCP client behind the request; nil where there is none.
	Client Client
}

// Client is an MCP client as a mounted server may reach it while it works for
// that client. Parameters and results are as MCP has them.
type Client interface {
	// Session is the same for requests of one client session.
	Session() string
	// Ask sends a request that servers may send to clients, such as
	// sampling/createMessage.
	Ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// Notify sends progress or a log message; what the client did not ask for
	// is dropped.
	Notify(ctx context.Context, method string, params json.RawMessage)
}

// MayReach reports whether the caller may have a tool reach beyond its input. MCP's
// doors let nobody else in; REST lets any page call open tools.
func (r *Request) MayReach() bool { return r.Surface != REST || r.Guarded }

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
	Upstream  string // the mounted server that was called, if one was
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
