package gateway_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
)

func TestCallPassesEverything(t *testing.T) {
	t.Parallel()
	r := one(t, "")
	ctx := catalog.WithRequest(t.Context(), &catalog.Request{
		ID: "req-7", Params: json.RawMessage(`{"name":"s__echo","arguments":{},"_meta":{"vendor/x":[1],"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`),
		Trace: map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
	})
	res, err := r.catalog.Call(ctx, "s__echo", json.RawMessage(`{"text":"hi","n":12345678901234567890,"e":1e2}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"content":[{"type":"text","text":"hi"}],"structuredContent":{"args":{"text":"hi","n":12345678901234567890,"e":1e2},` +
		`"meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","vendor/x":[1],"webodar/requestId":"req-7"}},"_meta":{"from":"scripted"},"x-extra":true}`
	if diff := cmp.Diff(want, string(res.Wire)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOwnFailures(t *testing.T) {
	t.Parallel()
	r := one(t, "")
	res, err := r.catalog.Call(t.Context(), "s__fail", nil)
	if err != nil {
		t.Fatal(err)
	}
	if failed := res.Failed(); failed == nil || failed.Code != "TOOL_FAILED" || string(failed.Details["content"].(json.RawMessage)) != `[{"type":"text","text":"no luck"}]` {
		t.Errorf("isError became %+v", failed)
	}
	e := r.fails(t, catalog.ToolError, "s__reject", "{}")
	if e.Wire == nil || e.Wire.Code != -32050 || string(e.Wire.Data) != `{"because":["so"]}` {
		t.Errorf("a JSON-RPC error became %+v", e)
	}
	e = r.fails(t, catalog.ValidationError, "s__strict", `{"depth":"soon"}`)
	if diff := cmp.Diff("path: missing (string); depth: expected integer, got \"soon\"", e.Message); diff != "" {
		t.Error(diff)
	}
	// What a coerced built-in tool would take goes to nobody.
	r.fails(t, catalog.TypeError, "s__strict", `{"path":"x","depth":"3"}`)
	if e := r.fails(t, catalog.ValidationError, "s__typed", `{}`); !e.TextOnly {
		t.Error("the structured error would break the tool's output schema")
	}
	if n := recorded(t, r.record, "call strict"); n != 0 {
		t.Errorf("%d calls with wrong arguments reached the server", n)
	}
}

// A server that answers with rubbish fails the one call, and no other.
func TestRubbish(t *testing.T) {
	t.Parallel()
	r := one(t, "", "-noise")
	var others sync.WaitGroup
	others.Go(func() { r.works(t, "s__slow", `{"for":"500ms"}`, "slept") })
	for _, tool := range []string{"garbage", "badutf8", "scalar", "deep"} {
		if e := r.fails(t, catalog.SerializationError, "s__"+tool, "{}"); e.Details["upstream"] != "s" {
			t.Errorf("%s: %+v", tool, e)
		}
	}
	r.works(t, "s__text", "{}", "survived")
	r.works(t, "s__otherid", "{}", "right")
	r.works(t, "s__big", "{}", "xxx")
	others.Wait()
	if n := r.status(t, "s").Starts; n != 1 {
		t.Errorf("%d starts, want 1", n)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	r := one(t, `"timeout": "200ms"`)
	e := r.fails(t, catalog.GatewayTimeout, "s__mute", "{}")
	want := map[string]any{"upstream": "s", "timeoutMs": int64(200), "retryable": true, "cancelled": []string{"tool s__mute"}}
	if diff := cmp.Diff(want, e.Details); diff != "" {
		t.Error(diff)
	}
	eventually(t, "the server hears of the cancellation", func() bool { return recorded(t, r.record, "cancelled told") == 1 })
	// Progress is a sign of life.
	ctx := catalog.WithRequest(t.Context(), &catalog.Request{Params: json.RawMessage(`{"_meta":{"progressToken":"p"}}`), Client: &client{}})
	if _, err := r.catalog.Call(ctx, "s__steps", json.RawMessage(`{"for":"600ms"}`)); err != nil {
		t.Errorf("a call with progress: %v", err)
	}
}

// client keeps what it is told.
type client struct {
	mu    sync.Mutex
	notes []string
}

func (*client) Session() string { return "one" }

func (*client) Ask(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"accept","content":{"asked":"` + method + `"}}`), nil
}

func (c *client) Notify(_ context.Context, method string, params json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes = append(c.notes, method+" "+string(params))
}

// What the server says during a call arrives before its answer, in order.
func TestNotes(t *testing.T) {
	t.Parallel()
	addr, _ := overHTTP(t, "", filepath.Join(t.TempDir(), "record"))
	for name, config := range map[string]string{
		"stdio": server(t, filepath.Join(t.TempDir(), "record"), ""),
		"HTTP":  `{"type":"http","url":"http://` + addr + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := mount(t, nil, `"s": `+config)
			c := &client{}
			ctx := catalog.WithRequest(t.Context(), &catalog.Request{Params: json.RawMessage(`{"_meta":{"progressToken":"mine"}}`), Client: c})
			for _, tool := range []string{"s__steps", "s__log"} {
				if _, err := r.catalog.Call(ctx, tool, json.RawMessage(`{"for":"50ms"}`)); err != nil {
					t.Fatal(err)
				}
			}
			if len(c.notes) != 6 || !strings.Contains(c.notes[4], `"progress":5`) || !strings.Contains(c.notes[4], `"progressToken":"mine"`) ||
				!strings.Contains(c.notes[5], `"data":{"text":"said"}`) {
				t.Errorf("%q", c.notes)
			}
			res, err := r.catalog.Call(ctx, "s__ask", nil)
			if err != nil || !strings.Contains(string(res.Wire), "elicitation/create") {
				t.Errorf("a question: %s, %v", res.Wire, err)
			}
			if _, err := r.catalog.Call(t.Context(), "s__ask", nil); err == nil {
				t.Log("a caller that cannot be asked: the server got an error") // and goes on as it likes
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	r := one(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := r.call(ctx, "s__slow", `{"for":"10s"}`); err == nil || err.Type != catalog.Cancelled {
		t.Errorf("%v", err)
	}
	eventually(t, "the server hears of it", func() bool { return recorded(t, r.record, "cancelled told") == 1 })
	if n := recorded(t, r.record, "done slow"); n != 0 {
		t.Error("the call went on")
	}
}

// A server that talks without end slows nobody down.
func TestFlood(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	r := mount(t, nil, `"loud": `+server(t, record, ""), `"calm": `+server(t, record, ""))
	var others sync.WaitGroup
	others.Go(func() { r.works(t, "loud__flood", "{}", "flooded") })
	for range 50 {
		r.works(t, "calm__read", "{}", "read")
	}
	others.Wait()
}

func TestTooManyAtATime(t *testing.T) {
	t.Parallel()
	r := one(t, `"callsInFlight": 2`)
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() { r.works(t, "s__slow", `{"for":"3s"}`, "slept") })
	}
	eventually(t, "both run", func() bool { return r.status(t, "s").InFlight == 2 })
	if e := r.fails(t, catalog.RateLimited, "s__read", "{}"); e.Details["limit"] != "callsInFlight" || e.Details["max"] != 2 {
		t.Errorf("%+v", e)
	}
	others.Wait()
	r.works(t, "s__read", "{}", "read")
}
