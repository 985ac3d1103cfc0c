package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/mcpserver"
)

// answers are calls and what comes back, alike on both transports.
var answers = []struct {
	name, tool, args string
	code             float64 // of a JSON-RPC error
	kind             string  // data.type, or the type in structuredContent
	text             string  // what the text content or the message holds
	structured       string  // the structured content, when it matters
}{
	{"success", "echo", `{"text":"hi"}`, 0, "", "hi", `{"text":"hi"}`},
	{"extra members", "echo", `{"text":"hi","more":1}`, 0, "", "hi", `{"text":"hi"}`},
	{"coerced", "echo", `{"text":"hi","count":"3","loud":"true"}`, 0, "", "Warning: count: took the string \"3\" as integer", ""},
	{"unknown tool", "ecko", `{}`, -32602, "ToolNotFoundError", `did you mean echo?`, ""},
	{"missing argument", "echo", `{}`, 0, "ValidationError", "text: missing (string)", ""},
	{"all fields are named", "echo", `{"count":"soon","loud":1}`, 0, "ValidationError", `text: missing (string); count: expected integer, got "soon"; loud: expected boolean, got 1`, ""},
	{"wrong type", "echo", `{"text":5}`, 0, "TypeError", "text: expected string, got 5", `{"error":{"type":"TypeError","code":"INVALID_ARGUMENTS","message":"text: expected string, got 5","hint":"Correct these and call again; the tool's input schema has the rules.","fields":[{"path":"text","expected":"string","got":"integer","value":5}]}}`},
	{"tool's own error", "own", `{}`, 0, "ToolError", "NO_LUCK: luck ran out. Try another day.", ""},
	{"panic", "panic", `{}`, -32603, "InternalError", "unexpected error", ""},
	{"plain error", "fail", `{}`, -32603, "InternalError", "unexpected error", ""},
	{"unencodable result", "unencodable", `{}`, -32603, "SerializationError", "cannot be encoded", ""},
}

func TestAnswers(t *testing.T) {
	f := newFixture(t, nil)
	overStdio := startStdio(t, f.serve(t, nil))
	overStdio.initialize()
	overHTTP := startHTTP(t, f.serve(t, nil))
	overHTTP.initialize()
	sessionless := startHTTP(t, f.serve(t, nil))
	doors := map[string]func(string) map[string]any{
		"stdio":       func(msg string) map[string]any { overStdio.send(msg); return overStdio.recv() },
		"http":        func(msg string) map[string]any { _, got := overHTTP.post(msg); return got },
		"sessionless": func(msg string) map[string]any { _, got := sessionless.post(msg); return got },
	}
	for door, exchange := range doors {
		for _, a := range answers {
			t.Run(door+"/"+a.name, func(t *testing.T) {
				got := exchange(call("q", a.tool, a.args))
				raw, _ := json.Marshal(got)
				if strings.Contains(string(raw), "secret") {
					t.Errorf("the answer shows what is for the log: %s", raw)
				}
				if a.code != 0 {
					if diff := cmp.Diff([]any{a.code, a.kind}, []any{dig(got, "error", "code"), dig(got, "error", "data", "type")}); diff != "" {
						t.Errorf("-want +got:\n%s\n%s", diff, raw)
					}
					if text, _ := dig(got, "error", "message").(string); !strings.Contains(text, a.text) {
						t.Errorf("message %q", text)
					}
					return
				}
				structured := dig(got, "result", "structuredContent")
				if isError := dig(got, "result", "isError") == true; isError != (a.kind != "") {
					t.Errorf("isError = %v: %s", isError, raw)
				}
				if a.kind != "" && dig(structured, "error", "type") != a.kind {
					t.Errorf("type %v, want %s", dig(structured, "error", "type"), a.kind)
				}
				content, _ := dig(got, "result", "content").([]any)
				if len(content) != 1 || !strings.Contains(dig(content[0], "text").(string), a.text) {
					t.Errorf("content %v, want %q", content, a.text)
				}
				if a.structured != "" {
					var want any
					if err := json.Unmarshal([]byte(a.structured), &want); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, structured); diff != "" {
						t.Errorf("structured content: -want +got:\n%s", diff)
					}
				}
				checkOutput(t, f, a.tool, structured)
			})
		}
	}
}

// checkOutput holds an answer against the tool's own output schema, as clients
// do, errors included.
func checkOutput(t *testing.T, f *fixture, name string, structured any) {
	t.Helper()
	tool, err := f.catalog.Tool(name)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := tool.Output.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(structured); err != nil {
		t.Errorf("the answer breaks the output schema: %v", err)
	}
}

func TestToolTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, &catalog.Options{ToolTimeout: 5 * time.Second})
		c := startStdio(t, f.serve(t, nil))
		c.initialize()
		start := time.Now()
		c.send(call("x", "block", `{}`))
		got := c.recv()
		if waited := time.Since(start); waited != 5*time.Second {
			t.Errorf("after %s", waited)
		}
		want := []any{-32001.0, "TimeoutError", 5000.0, []any{"tool block"}}
		data := dig(got, "error", "data")
		if diff := cmp.Diff(want, []any{dig(got, "error", "code"), dig(data, "type"), dig(data, "timeoutMs"), dig(data, "cancelled")}); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if err := <-f.ended; err == nil {
			t.Error("the tool was not cancelled")
		}
		c.in.Close()
		<-c.done
		if err := f.catalog.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestProgress(t *testing.T) {
	const msg = `{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"steps","arguments":{},"_meta":{"progressToken":"tok"}}}` + "\n"
	c := startStdio(t, newFixture(t, nil).serve(t, nil))
	c.initialize()
	c.send(msg)
	for i, text := range []string{"half", "whole"} {
		got := c.recv()
		if got["method"] != "notifications/progress" || dig(got, "params", "message") != text || dig(got, "params", "progress") != float64(i+1) {
			t.Errorf("progress %d: %v", i, got)
		}
	}
	if got := c.recv(); got["id"] != "p" || got["result"] == nil {
		t.Errorf("result: %v", got)
	}
}

func TestOneEventForEachRequest(t *testing.T) {
	seen := &observer{}
	f := newFixture(t, nil)
	c := startStdio(t, f.serve(t, &mcpserver.Options{Observer: seen}))
	c.initialize()
	for _, msg := range []string{call("1", "echo", `{"text":"a"}`), call("2", "nope", `{}`), call("3", "panic", `{}`), "{bad\n"} {
		c.send(msg)
		c.recv()
	}
	c.in.Close()
	<-c.done
	begun, events := seen.all()
	type row struct{ Method, Tool, Type, Code string }
	var got []row
	for _, e := range events {
		r := row{Method: e.Method, Tool: e.Tool, Code: "ok"}
		if e.Err != nil {
			r.Type, r.Code = string(e.Err.Type), e.Err.Code
		}
		got = append(got, r)
	}
	want := []row{
		{"initialize", "", "", "ok"},
		{"tools/call", "echo", "", "ok"},
		{"tools/call", "", "ToolNotFoundError", "TOOL_NOT_FOUND"},
		{"tools/call", "panic", "InternalError", "INTERNAL_ERROR"},
		{"", "", "ParseError", "INVALID_JSON"},
	}
	// An event comes after its answer, so the next message may overtake it.
	less := func(a, b row) bool { return a.Method+a.Tool+a.Type < b.Method+b.Tool+b.Type }
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(less)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if begun != len(events) {
		t.Errorf("%d begun, %d ended", begun, len(events))
	}
}

func TestFeatures(t *testing.T) {
	c := startStdio(t, newFixture(t, nil).serve(t, &mcpserver.Options{Instructions: "do this"}))
	c.send(initialize)
	if got := c.recv(); dig(got, "result", "instructions") != "do this" {
		t.Errorf("instructions: %v", got)
	}
	tests := []struct {
		method, params string
		path           []string
		want           any
	}{
		{"resources/read", `{"uri":"test://page"}`, []string{"result", "contents"}, []any{map[string]any{"uri": "test://page", "mimeType": "text/plain", "text": "a page"}}},
		{"resources/read", `{"uri":"test://none"}`, []string{"error", "data", "type"}, "ResourceNotFound"},
		{"prompts/get", `{"name":"greet","arguments":{"who":"Ada"}}`, []string{"result", "messages"}, []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": "Greet Ada"}}}},
		{"prompts/get", `{"name":"greet"}`, []string{"error", "data", "type"}, "ValidationError"},
		{"prompts/get", `{"name":"great"}`, []string{"error", "data", "suggestions"}, []any{"greet"}},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}`, []string{"result", "completion", "values"}, []any{"Ada", "Alan"}},
		{"logging/setLevel", `{"level":"info"}`, []string{"result"}, map[string]any{}},
	}
	for _, tt := range tests {
		c.send(`{"jsonrpc":"2.0","id":"f","method":"` + tt.method + `","params":` + tt.params + "}\n")
		got := c.recv()
		if diff := cmp.Diff(tt.want, dig(got, tt.path...)); diff != "" {
			t.Errorf("%s %s: -want +got:\n%s\n%v", tt.method, tt.params, diff, got)
		}
	}
}

func TestChangedToolsAreAnnounced(t *testing.T) {
	f := newFixture(t, nil)
	c := startStdio(t, f.serve(t, nil))
	c.initialize()
	echo, err := f.catalog.Tool("echo")
	if err != nil {
		t.Fatal(err)
	}
	other := *echo
	other.Name = "other"
	if err := f.catalog.Replace([]catalog.Tool{other}); err != nil {
		t.Fatal(err)
	}
	if got := c.recv(); got["method"] != "notifications/tools/list_changed" {
		t.Errorf("got %v", got)
	}
	c.send(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}` + "\n")
	tools, _ := dig(c.recv(), "result", "tools").([]any)
	if len(tools) != 1 || dig(tools[0], "name") != "other" {
		t.Errorf("tools: %v", tools)
	}
}
