package obs_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/obs"
)

func TestMain(m *testing.M) {
	for _, pair := range os.Environ() { // a developer's own settings
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "OTEL_") {
			os.Unsetenv(name)
		}
	}
	goleak.VerifyTestMain(m)
}

// collector takes spans in.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	resource map[string]string
	spans    map[string]*tracepb.Span // by name
	answer   func(w http.ResponseWriter, n int)
}

func newCollector(t *testing.T) *collector {
	c := &collector{resource: map[string]string{}, spans: map[string]*tracepb.Span{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.requests = append(c.requests, r)
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			var err error
			if body, err = gzip.NewReader(r.Body); err != nil {
				t.Error(err)
				return
			}
		}
		text, err := io.ReadAll(body)
		var data tracepb.TracesData
		if err = errors.Join(err, proto.Unmarshal(text, &data)); err != nil {
			t.Error(err)
		}
		if c.answer != nil {
			c.answer(w, len(c.requests))
		}
		for _, r := range data.ResourceSpans {
			for _, a := range r.Resource.Attributes {
				c.resource[a.Key] = a.Value.GetStringValue()
			}
			for _, s := range r.ScopeSpans {
				for _, span := range s.Spans {
					c.spans[span.Name] = span
				}
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// attributes of a span.
func attributes(s *tracepb.Span) map[string]string {
	all := map[string]string{}
	for _, a := range s.GetAttributes() {
		all[a.Key] = a.Value.GetStringValue()
	}
	return all
}

func newTracing(t *testing.T, log io.Writer) *obs.Tracing {
	t.Helper()
	tracing, err := obs.NewTracing(&obs.TracingOptions{Version: "1.2.3", Logger: slog.New(slog.NewTextHandler(log, nil)), Console: log})
	if err != nil {
		t.Fatal(err)
	}
	return tracing
}

const (
	theirTrace  = "0af7651916cd43dd8448eb211c80319c"
	theirSpan   = "b7ad6b7169203331"
	traceparent = "00-" + theirTrace + "-" + theirSpan + "-01"
)

// call is a call of a tool with a step in it that fails.
func call(ctx context.Context, tracer catalog.Tracer) {
	ctx = catalog.WithRequest(ctx, &catalog.Request{ID: "r1", Surface: catalog.REST, Trace: map[string]string{"traceparent": traceparent, "baggage": "k=v"}})
	tool := &catalog.Tool{Name: "files__read", Input: &jsonschema.Schema{Type: "object"}, Mounted: &catalog.Mounted{Server: "files"}}
	ctx, end := tracer.Begin(ctx, tool)
	_, done := tracer.Step(ctx, catalog.Step{Method: "tools/call", Name: "read", Upstream: "files"})
	done(&catalog.Error{Type: catalog.GatewayTimeout, Code: "GATEWAY_TIMEOUT"})
	_, done = tracer.Step(ctx, catalog.Step{Method: "draw", Name: "mermaid"})
	done(errors.New("line 3"))
	end(tool, &catalog.Error{Type: catalog.Cancelled, Code: "CANCELLED"})
}

func TestTracing(t *testing.T) {
	c := newCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL+"/base/")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b, other=1")
	t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
	t.Setenv("OTEL_SERVICE_NAME", "diagrams")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	var log bytes.Buffer
	tracing := newTracing(t, &log)
	call(t.Context(), tracing)
	if len(c.requests) != 0 {
		t.Error("a call has waited for the collector")
	}
	if err := tracing.Close(); err != nil {
		t.Fatal(err)
	}
	if len(c.requests) != 1 || c.requests[0].URL.Path != "/base/v1/traces" || c.requests[0].Header.Get("Api-Key") != "a b" ||
		c.requests[0].Header.Get("Other") != "1" || c.requests[0].Header.Get("Content-Type") != "application/x-protobuf" {
		t.Fatalf("%+v", c.requests)
	}
	for name, want := range map[string]string{"service.name": "diagrams", "service.version": "1.2.3", "deployment.environment.name": "test", "telemetry.sdk.language": "go"} {
		if c.resource[name] != want {
			t.Errorf("%s is %q, want %q", name, c.resource[name], want)
		}
	}
	type seen struct {
		Kind       tracepb.Span_SpanKind
		Status     tracepb.Status_StatusCode
		Message    string
		Attributes map[string]string
	}
	got := map[string]seen{}
	for name, s := range c.spans {
		got[name] = seen{s.Kind, s.GetStatus().GetCode(), s.GetStatus().GetMessage(), attributes(s)}
	}
	want := map[string]seen{
		"tools/call files__read": {tracepb.Span_SPAN_KIND_SERVER, tracepb.Status_STATUS_CODE_UNSET, "", map[string]string{
			"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "files__read",
			"webodar.surface": "rest", "webodar.request.id": "r1", "webodar.upstream": "files",
			"error.type": "Cancelled", "webodar.error.code": "CANCELLED",
		}},
		"tools/call read": {tracepb.Span_SPAN_KIND_CLIENT, tracepb.Status_STATUS_CODE_ERROR, "GATEWAY_TIMEOUT", map[string]string{
			"mcp.method.name": "tools/call", "gen_ai.tool.name": "read", "webodar.upstream": "files",
			"error.type": "GatewayTimeout", "webodar.error.code": "GATEWAY_TIMEOUT",
		}},
		"draw mermaid": {tracepb.Span_SPAN_KIND_INTERNAL, tracepb.Status_STATUS_CODE_ERROR, "", map[string]string{"error.type": "_OTHER"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	root := c.spans["tools/call files__read"]
	if hex(root.GetTraceId()) != theirTrace || hex(root.GetParentSpanId()) != theirSpan {
		t.Errorf("the call is not below its caller: %v", root)
	}
	for _, name := range []string{"tools/call read", "draw mermaid"} {
		if s := c.spans[name]; hex(s.GetTraceId()) != theirTrace || !bytes.Equal(s.GetParentSpanId(), root.GetSpanId()) {
			t.Errorf("%s is not below the call: %v", name, s)
		}
	}
}

func hex(b []byte) string {
	const digits = "0123456789abcdef"
	var s strings.Builder
	for _, c := range b {
		s.WriteByte(digits[c>>4])
		s.WriteByte(digits[c&15])
	}
	return s.String()
}

// TestTraceContext shows what others get to hear.
func TestTraceContext(t *testing.T) {
	for name, sampler := range map[string]string{"sampled": "always_on", "not sampled": "always_off"} {
		t.Run(name, func(t *testing.T) {
			c := newCollector(t)
			t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.URL+"/as/it/is")
			t.Setenv("OTEL_TRACES_SAMPLER", sampler)
			tracing := newTracing(t, io.Discard)
			ctx := catalog.WithRequest(t.Context(), &catalog.Request{Trace: map[string]string{"traceparent": traceparent, "tracestate": "a=b", "baggage": "k=v"}})
			ctx, end := tracing.Begin(ctx, nil)
			got := catalog.RequestOf(ctx).Trace
			end(nil, nil)
			if err := tracing.Close(); err != nil {
				t.Fatal(err)
			}
			flags := "-00"
			if sampler == "always_on" {
				flags = "-01"
			}
			if !strings.HasPrefix(got["traceparent"], "00-"+theirTrace) || strings.Contains(got["traceparent"], theirSpan) ||
				!strings.HasSuffix(got["traceparent"], flags) || got["tracestate"] != "a=b" || got["baggage"] != "k=v" {
				t.Errorf("%v", got)
			}
			if sampled := c.spans["tools/call"] != nil; sampled != (sampler == "always_on") {
				t.Errorf("exported: %v", c.spans)
			}
			if len(c.requests) > 0 && c.requests[0].URL.Path != "/as/it/is" {
				t.Errorf("posted to %s", c.requests[0].URL)
			}
		})
	}
}

func TestTracingOff(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"nothing is set": {},
		"a name alone":   {"OTEL_SERVICE_NAME": "x", "OTEL_RESOURCE_ATTRIBUTES": "a=b", "OTEL_EXPORTER_OTLP_HEADERS": "a=b"},
		"none":           {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
		"disabled":       {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range env {
				t.Setenv(key, value)
			}
			var log bytes.Buffer
			if tracing := newTracing(t, &log); tracing != nil || log.Len() > 0 {
				t.Errorf("%v %s", tracing, &log)
			}
		})
	}
}

func TestTracingMistakes(t *testing.T) {
	const prefix = "OTEL_EXPORTER_OTLP_"
	for _, c := range []struct{ variable, value, want string }{
		{prefix + "PROTOCOL", "grpc", `OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not supported; use http/protobuf`},
		{prefix + "TRACES_PROTOCOL", "http/json", `"http/json" is not supported`},
		{prefix + "ENDPOINT", "localhost:4318", "OTEL_EXPORTER_OTLP_ENDPOINT: want a URL such as http://127.0.0.1:4318"},
		{prefix + "TRACES_ENDPOINT", "ftp://x", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: want a URL"},
		{prefix + "TIMEOUT", "10s", "want milliseconds"},
		{prefix + "COMPRESSION", "zstd", `"zstd" is not supported; use gzip or none`},
		{prefix + "HEADERS", "s3cret", "OTEL_EXPORTER_OTLP_HEADERS: want name=value"},
		{prefix + "CERTIFICATE", "/does/not/exist.pem", "OTEL_EXPORTER_OTLP_CERTIFICATE"},
		{prefix + "CLIENT_CERTIFICATE", "/does/not/exist.pem", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE"},
		{"OTEL_TRACES_EXPORTER", "zipkin", `OTEL_TRACES_EXPORTER: "zipkin" is not supported; use otlp, console or none`},
		{"OTEL_RESOURCE_ATTRIBUTES", "a", "OTEL_RESOURCE_ATTRIBUTES"},
	} {
		t.Run(c.variable+"="+c.value, func(t *testing.T) {
			t.Setenv("OTEL_TRACES_EXPORTER", "otlp")
			t.Setenv(c.variable, c.value)
			_, err := obs.NewTracing(&obs.TracingOptions{Logger: slog.New(slog.DiscardHandler)})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v; want %s", err, c.want)
			}
		})
	}
}

func TestTracingToTheConsole(t *testing.T) {
	t.Setenv("OTEL_TRACES_EXPORTER", "console")
	var log bytes.Buffer
	tracing := newTracing(t, &log)
	call(t.Context(), tracing)
	if err := tracing.Close(); err != nil {
		t.Fatal(err)
	}
	_, spans, _ := strings.Cut(log.String(), "\n") // after the line that it exports
	var span struct{ Name string }
	if err := json.NewDecoder(strings.NewReader(spans)).Decode(&span); err != nil || span.Name != "tools/call read" {
		t.Errorf("%v: %s", err, spans)
	}
}

// TestCollectorAway has nobody at the other end: calls notice nothing, the end of
// the program waits for nothing, and the log tells once.
func TestCollectorAway(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
	var log bytes.Buffer
	tracing := newTracing(t, &log)
	for range 1000 {
		call(t.Context(), tracing)
	}
	begun := time.Now()
	if err := tracing.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("closing took %s", took)
	}
	if n := strings.Count(log.String(), "traces were not exported"); n != 1 {
		t.Errorf("the log tells %d times\n%s", n, &log)
	}
}

// TestCollectorMute has one that takes what it gets and never answers.
func TestCollectorMute(t *testing.T) {
	c := newCollector(t)
	release := make(chan struct{})
	c.answer = func(http.ResponseWriter, int) { <-release }
	defer close(release) // before the collector is closed
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	var log bytes.Buffer
	tracing := newTracing(t, &log)
	call(t.Context(), tracing)
	begun := time.Now()
	if err := tracing.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 10*time.Second || !strings.Contains(log.String(), "traces were not exported") {
		t.Errorf("closing took %s; %s", took, &log)
	}
}

// TestCollectorRefuses has one that wants to be asked again, rejects a part, or
// refuses for good.
func TestCollectorRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(w http.ResponseWriter, n int)
		posts  int
		log    string
	}{
		{"busy once", func(w http.ResponseWriter, n int) {
			if n == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}, 2, ""},
		{"a part", func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte("\x0a\x09\x08\x02\x12\x05stale")) }, 1, "the collector rejected 2 spans: stale"},
		{"no key", func(w http.ResponseWriter, _ int) { http.Error(w, "no key", http.StatusUnauthorized) }, 1, "401 Unauthorized: no key"},
		{"elsewhere", func(w http.ResponseWriter, _ int) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, 1, "307 Temporary Redirect"},
	} {
		t.Run(c.name, func(t *testing.T) {
			to := newCollector(t)
			to.answer = c.answer
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL)
			t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
			var log lockedBuffer
			tracing := newTracing(t, &log)
			_, end := tracing.Begin(t.Context(), nil)
			end(nil, nil) // one span, so that there is one batch
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				to.mu.Lock()
				n := len(to.requests)
				to.mu.Unlock()
				if n >= c.posts {
					break
				}
			}
			if err := tracing.Close(); err != nil {
				t.Fatal(err)
			}
			if len(to.requests) != c.posts {
				t.Errorf("%d posts, want %d", len(to.requests), c.posts)
			}
			if c.log != "" && !strings.Contains(log.String(), c.log) || c.log == "" && strings.Contains(log.String(), "not exported") {
				t.Errorf("the log: %s", log.String())
			}
		})
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
