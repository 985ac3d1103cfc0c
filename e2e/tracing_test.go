package e2e

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// spanCollector takes spans in over OTLP.
type spanCollector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
}

func newSpanCollector(t *testing.T) *spanCollector {
	c := &spanCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		var data tracepb.TracesData
		if err := errors.Join(err, proto.Unmarshal(text, &data)); err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range data.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// below finds the span of that name and kind below a parent.
func (c *spanCollector) below(t *testing.T, trace, parent, name string, kind tracepb.Span_SpanKind) *tracepb.Span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var have []string
	for _, s := range c.spans {
		if s.Name == name && s.Kind == kind && hex.EncodeToString(s.TraceId) == trace && hex.EncodeToString(s.ParentSpanId) == parent {
			return s
		}
		have = append(have, fmt.Sprintf("%x %x %x %s %s", s.TraceId, s.ParentSpanId, s.SpanId, s.Name, s.Kind))
	}
	t.Errorf("no %s %s below %s %s; there are\n%s", kind, name, trace, parent, strings.Join(have, "\n"))
	return &tracepb.Span{}
}

// attribute is a text of a span.
func attribute(s *tracepb.Span, key string) string {
	for _, a := range s.GetAttributes() {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// TestTracing follows calls through each door, to a mounted server and to a worker.
func TestTracing(t *testing.T) {
	t.Parallel()
	const server, client = tracepb.Span_SPAN_KIND_SERVER, tracepb.Span_SPAN_KIND_CLIENT
	c := newSpanCollector(t)
	record := filepath.Join(t.TempDir(), "record")
	config := configFile(t, `{"mcpServers": {"s": `+scriptedServer(t, record, "")+`}}`)
	env := []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL}
	p := start(t, env, "serve", "--http", "127.0.0.1:0", "--config", config)
	h := newHTTPClient(t, p.url(t, "HTTP"))
	h.handshake(t, latestSession)
	trace := func(n int) string { return fmt.Sprintf("%032x", 0xabc0+n) }
	const parent = "00f067aa0ba902b7"
	context := func(n int) string { return "00-" + trace(n) + "-" + parent + "-01" }

	h.header.Set("Traceparent", context(1))
	if _, text := h.do(t, http.MethodPost, "/api/tools/encodePlantUML", `{"plantumlCode":"A -> B"}`); !strings.Contains(text, `"success":true`) {
		t.Error(text)
	}
	h.header.Set("Traceparent", context(2))
	_, overREST := h.do(t, http.MethodPost, "/api/tools/s__echo", `{"text":"hi"}`)
	h.header.Set("Traceparent", context(3))
	_, overMCP := h.rpc(t, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"s__echo","arguments":{"text":"hi"}}}`)
	// What a message says of itself is closer than what its request says.
	_, inMeta := h.rpc(t, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"s__echo","arguments":{},"_meta":{"traceparent":"`+context(4)+`","baggage":"k=v"}}}`)
	h.header.Set("Traceparent", context(5))
	h.rpc(t, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"s__fail","arguments":{}}}`)
	h.header.Set("Traceparent", context(6))
	h.rpc(t, `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"nothing","arguments":{}}}`)
	h.do(t, http.MethodPost, "/api/tools/nothing", "{}")
	h.header.Set("Traceparent", context(7))
	_, drawn := h.do(t, http.MethodPost, "/api/tools/mermaid_to_svg", `{"code":"flowchart TD\nA-->B"}`)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil { // flushes
		t.Fatal(err)
	}
	if code := p.exitCode(t); code != 0 {
		t.Errorf("it ended with code %d", code)
	}

	s := c.below(t, trace(1), parent, "tools/call encodePlantUML", server)
	if attribute(s, "webodar.surface") != "rest" || attribute(s, "gen_ai.tool.name") != "encodePlantUML" || attribute(s, "webodar.request.id") == "" ||
		s.Status.GetCode() != tracepb.Status_STATUS_CODE_UNSET {
		t.Errorf("%v", s)
	}
	for n, text := range map[int]string{2: overREST, 3: overMCP, 4: inMeta} {
		s := c.below(t, trace(n), parent, "tools/call s__echo", server)
		if attribute(s, "webodar.upstream") != "s" {
			t.Errorf("%v", s)
		}
		up := c.below(t, trace(n), hex.EncodeToString(s.SpanId), "tools/call echo", client)
		if want := fmt.Sprintf(`"traceparent":"00-%s-%x-01"`, trace(n), up.SpanId); !strings.Contains(text, want) {
			t.Errorf("the server got %s; want %s", text, want)
		}
	}
	if !strings.Contains(inMeta, `"baggage":"k=v"`) {
		t.Errorf("the baggage is lost: %s", inMeta)
	}
	s = c.below(t, trace(5), parent, "tools/call s__fail", server)
	if attribute(s, "webodar.error.code") != "TOOL_FAILED" || s.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR {
		t.Errorf("%v", s)
	}
	s = c.below(t, trace(6), parent, "tools/call", server)
	if attribute(s, "error.type") != "ToolNotFoundError" || s.Status.GetMessage() != "TOOL_NOT_FOUND" {
		t.Errorf("%v", s)
	}
	if strings.Contains(drawn, `"success":true`) { // not without the engines
		s = c.below(t, trace(7), parent, "tools/call mermaid_to_svg", server)
		c.below(t, trace(7), hex.EncodeToString(s.SpanId), "draw mermaid", tracepb.Span_SPAN_KIND_INTERNAL)
	}
}

// TestTracingOnStdio has the trace context where stdio has room for it, and a
// collector that goes away.
func TestTracingOnStdio(t *testing.T) {
	t.Parallel()
	c := newSpanCollector(t)
	p := start(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_SERVICE_NAME=x"}, "serve")
	p.handshake(t, latestSession)
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	p.write(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"encodePlantUML","arguments":{"plantumlCode":"A"},"_meta":{"traceparent":"00-`+trace+`-`+parent+`-01"}}}`+"\n")
	if _, err := p.line(t); err != nil {
		t.Fatal(err)
	}
	p.in.Close()
	if code := p.exitCode(t); code != 0 {
		t.Errorf("it ended with code %d", code)
	}
	s := c.below(t, trace, parent, "tools/call encodePlantUML", tracepb.Span_SPAN_KIND_SERVER)
	if attribute(s, "webodar.surface") != "stdio" {
		t.Errorf("%v", s)
	}
}

// TestTracingRefused says at the start what is not supported, and serves.
func TestTracingRefused(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, "serve")
	p.handshake(t, latestSession)
	p.in.Close()
	if code := p.exitCode(t); code != 0 || !strings.Contains(p.log.String(), `traces are not exported`) || !strings.Contains(p.log.String(), `use http/protobuf`) {
		t.Errorf("code %d: %s", code, p.log)
	}
}
