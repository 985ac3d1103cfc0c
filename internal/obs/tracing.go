package obs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// TracingOptions are what the environment does not say.
type TracingOptions struct {
	Version string       // the program's
	Logger  *slog.Logger // hears, now and then, of a collector that is not there
	Console io.Writer    // for OTEL_TRACES_EXPORTER=console; not stdout, where MCP is
}

const (
	// flushTime bounds how long the end of the program waits for the collector.
	flushTime = 2 * time.Second
	// complainEvery is how often a failing export is logged.
	complainEvery = time.Minute
)

// NewTracing exports traces as OpenTelemetry's environment variables say: nil when
// they ask for none, and an error when they ask for what is not supported. Without
// OTEL_TRACES_EXPORTER, an endpoint has to be set.
func NewTracing(opts *TracingOptions) (*Tracing, error) {
	kinds := os.Getenv("OTEL_TRACES_EXPORTER")
	if kinds == "" && otlpVariable("ENDPOINT") != "" {
		kinds = "otlp"
	}
	if kinds == "" || kinds == "none" || strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	about, err := resource.New(context.Background(), resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "webodar"), attribute.String("service.version", opts.Version)),
		resource.WithFromEnv()) // the last one has its way
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	t := &Tracing{}
	exporters := map[string]sdktrace.SpanExporter{}
	for kind := range strings.SplitSeq(kinds, ",") {
		switch kind = strings.ToLower(strings.TrimSpace(kind)); kind {
		case "none":
		case "otlp":
			if t.upload, err = newOTLPClient(opts.Version); err == nil {
				exporters[kind], err = otlptrace.New(context.Background(), t.upload)
			}
		case "console":
			exporters[kind], err = stdouttrace.New(stdouttrace.WithWriter(opts.Console))
		default:
			err = fmt.Errorf("OTEL_TRACES_EXPORTER: %q is not supported; use otlp, console or none", kind)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(exporters) == 0 {
		return nil, nil
	}
	settings := []sdktrace.TracerProviderOption{sdktrace.WithResource(about)}
	for _, exporter := range exporters { // they begin to work here
		settings = append(settings, sdktrace.WithBatcher(&calmExporter{SpanExporter: exporter, logger: opts.Logger}))
	}
	t.provider = sdktrace.NewTracerProvider(settings...)
	t.tracer = t.provider.Tracer("github.com/webodar/webodar")
	attrs := []any{"exporter", kinds}
	if t.upload != nil {
		attrs = append(attrs, "endpoint", t.upload.endpoint.Redacted())
	}
	opts.Logger.Info("exporting traces", attrs...)
	return t, nil
}

// otlpVariable is a variable of the exporter's, that for traces before that for
// all signals.
func otlpVariable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// Close exports what is left, within a short time, and stops.
func (t *Tracing) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime+time.Second)
	defer cancel()
	if t.upload != nil {
		close(t.upload.closing)
		// Before ctx ends, so that nothing goes on behind the back of Shutdown.
		timer := time.AfterFunc(flushTime, t.upload.end)
		defer timer.Stop()
		defer t.upload.end()
	}
	return t.provider.Shutdown(ctx)
}

// calmExporter logs failures once in a while, where the SDK would print each.
type calmExporter struct {
	sdktrace.SpanExporter
	logger *slog.Logger

	mu     sync.Mutex
	lost   int // spans, since the last time
	silent time.Time
}

// ExportSpans implements [sdktrace.SpanExporter].
func (e *calmExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	if err == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lost += len(spans)
	if now := time.Now(); now.After(e.silent) {
		e.logger.Warn("traces were not exported", "err", err, "spans", e.lost, "next report in", complainEvery)
		e.lost, e.silent = 0, now.Add(complainEvery)
	}
	return nil
}
