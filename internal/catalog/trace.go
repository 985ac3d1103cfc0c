package catalog

import "context"

// Tracer follows calls across programs: a span for each call of a tool, and spans
// below it for what others do for the call. What ends them is called once, with
// the failure, or nil.
type Tracer interface {
	// Begin begins the span of a call, below that of the caller if its trace context
	// names one. The request that the returned context carries has the new span in
	// its trace context. The tool is known when the call has ended at the latest,
	// which may have waited for its server; nil for one that there is not.
	Begin(ctx context.Context, t *Tool) (context.Context, func(t *Tool, failure *Error))
	// Step does so for a step, below the span of the call.
	Step(ctx context.Context, s Step) (context.Context, func(error))
}

// Step is something that another process does for a request.
type Step struct {
	Method   string // what it is asked for, as in tools/call or draw
	Name     string // of what it is about, of a bounded set of names
	Upstream string // the mounted server that does it; empty for our own workers
}

// Untraced is a [Tracer] that does nothing.
type Untraced struct{}

// Begin implements [Tracer].
func (Untraced) Begin(ctx context.Context, _ *Tool) (context.Context, func(*Tool, *Error)) {
	return ctx, func(*Tool, *Error) {}
}

// Step implements [Tracer].
func (Untraced) Step(ctx context.Context, _ Step) (context.Context, func(error)) {
	return ctx, func(error) {}
}

// Traced reports whether there is a tracer.
func (c *Catalog) Traced() bool { return c.tracer != Untraced{} }

// Trace begins the span of a call of the tool of this name. Doors use it around
// all that they do for the call.
func (c *Catalog) Trace(ctx context.Context, name string) (context.Context, func(*Error)) {
	find := func() *Tool {
		if e := c.current.Load().byName[name]; e != nil {
			return &e.Tool
		}
		return nil
	}
	tool := find()
	ctx, end := c.tracer.Begin(ctx, tool)
	return ctx, func(failure *Error) {
		if tool == nil {
			tool = find()
		}
		end(tool, failure)
	}
}

// Step begins the span of something that is done elsewhere for the request of ctx.
func (c *Catalog) Step(ctx context.Context, s Step) (context.Context, func(error)) {
	return c.tracer.Step(ctx, s)
}

// traceHeaders are those of W3C Trace Context and Baggage.
var traceHeaders = []string{"traceparent", "tracestate", "baggage"}

// TraceOf takes the trace context out of a request's headers, or whatever get
// reads by these names; nil for none.
func TraceOf(get func(name string) string) map[string]string {
	if get(traceHeaders[0]) == "" {
		return nil
	}
	trace := map[string]string{}
	for _, name := range traceHeaders {
		if value := get(name); value != "" && len(value) <= 8192 {
			trace[name] = value
		}
	}
	return trace
}
