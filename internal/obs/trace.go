package obs

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/webodar/webodar/internal/catalog"
)

// Attributes of spans. Names with mcp, gen_ai and error are those of OpenTelemetry's
// semantic conventions for MCP.
const (
	attrMethod    = attribute.Key("mcp.method.name")
	attrTool      = attribute.Key("gen_ai.tool.name")
	attrOperation = attribute.Key("gen_ai.operation.name")
	attrError     = attribute.Key("error.type")
	attrCode      = attribute.Key("webodar.error.code")
	attrSurface   = attribute.Key("webodar.surface")
	attrRequest   = attribute.Key("webodar.request.id")
	attrUpstream  = attribute.Key("webodar.upstream")
)

// Tracing makes spans and exports them; see [NewTracing].
type Tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	upload   *otlpClient // nil without one
}

var _ catalog.Tracer = (*Tracing)(nil)

// Begin implements [catalog.Tracer].
func (t *Tracing) Begin(ctx context.Context, tool *catalog.Tool) (context.Context, func(*catalog.Tool, *catalog.Error)) {
	rq := catalog.RequestOf(ctx)
	name, attrs := describe(tool)
	attrs = append(attrs, attrMethod.String(callMethod), attrOperation.String("execute_tool"), attrSurface.String(string(rq.Surface)), attrRequest.String(rq.ID))
	ctx, span := t.start(ctx, name, trace.SpanKindServer, attrs)
	return ctx, func(known *catalog.Tool, failure *catalog.Error) {
		if tool == nil && known != nil {
			name, attrs := describe(known)
			span.SetName(name)
			span.SetAttributes(attrs...)
		}
		if failure == nil { // as an error it would be one that is not nil
			end(span, nil)
			return
		}
		end(span, failure)
	}
}

const callMethod = "tools/call"

// describe is the name of a call's span, and what the tool adds to its attributes.
// A name that a client has made up is no part of it.
func describe(tool *catalog.Tool) (name string, attrs []attribute.KeyValue) {
	if tool == nil {
		return callMethod, nil
	}
	attrs = append(attrs, attrTool.String(tool.Name))
	if tool.Mounted != nil {
		attrs = append(attrs, attrUpstream.String(tool.Mounted.Server))
	}
	return callMethod + " " + tool.Name, attrs
}

// Step implements [catalog.Tracer].
func (t *Tracing) Step(ctx context.Context, s catalog.Step) (context.Context, func(error)) {
	name, attrs := s.Method, make([]attribute.KeyValue, 0, 3)
	kind := trace.SpanKindInternal
	if s.Name != "" {
		name += " " + s.Name
	}
	if s.Upstream != "" {
		kind = trace.SpanKindClient
		attrs = append(attrs, attrMethod.String(s.Method), attrUpstream.String(s.Upstream))
		if s.Method == callMethod {
			attrs = append(attrs, attrTool.String(s.Name))
		}
	}
	ctx, span := t.start(ctx, name, kind, attrs)
	return ctx, func(err error) { end(span, err) }
}

// start begins a span below that of ctx, or else of the caller, and puts it into
// the request's trace context.
func (t *Tracing) start(ctx context.Context, name string, kind trace.SpanKind, attrs []attribute.KeyValue) (context.Context, trace.Span) {
	rq := *catalog.RequestOf(ctx)
	if !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier(rq.Trace))
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attrs...))
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	if baggage := rq.Trace["baggage"]; baggage != "" {
		carrier["baggage"] = baggage
	}
	rq.Trace = carrier
	return catalog.WithRequest(ctx, &rq), span
}

// end ends a span with its outcome. That a client has left is no error.
func end(span trace.Span, err error) {
	if err != nil && span.IsRecording() {
		kind, code := "_OTHER", "" // as the conventions have it
		var own *catalog.Error
		switch {
		case errors.As(err, &own):
			kind, code = string(own.Type), own.Code
		case errors.Is(err, context.Canceled):
			kind, code = string(catalog.Cancelled), "CANCELLED"
		case errors.Is(err, context.DeadlineExceeded):
			kind, code = string(catalog.TimeoutError), "TIMEOUT"
		}
		if kind == "" {
			kind = code
		}
		span.SetAttributes(attrError.String(kind))
		if code != "" {
			span.SetAttributes(attrCode.String(code))
		}
		if kind != string(catalog.Cancelled) {
			span.SetStatus(codes.Error, code)
		}
	}
	span.End()
}
