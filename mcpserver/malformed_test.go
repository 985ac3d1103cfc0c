package mcpserver_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// malformed are messages that do not reach the SDK, and the error each gets on
// both transports. Fixed bugs of the bare SDK: most of these end a stdio
// session without an answer, or come back over HTTP as plain text.
var malformed = []struct {
	name, text string
	id         any
	code       float64
	kind       string
	detail     string // a member of data that must be there
	status     int
}{
	{"no JSON", `hello`, nil, -32700, "ParseError", "offset", 400},
	{"truncated", `{"jsonrpc":"2.0","id":1,"method":"pi`, nil, -32700, "ParseError", "column", 400},
	{"trailing junk", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, nil, -32700, "ParseError", "near", 400},
	{"two messages", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, nil, -32700, "ParseError", "line", 400},
	{"trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, nil, -32700, "ParseError", "offset", 400},
	{"byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil, -32700, "ParseError", "offset", 400},
	{"NUL", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\x00ng\"}", nil, -32700, "ParseError", "offset", 400},
	{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"\xff\"}}}", nil, -32700, "EncodingError", "offset", 400},
	{"too deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 201) + strings.Repeat("]", 201) + `}`, nil, -32600, "SerializationError", "limitDepth", 400},
	{"string", `"ping"`, nil, -32600, "InvalidRequestError", "reason", 400},
	{"number", `1`, nil, -32600, "InvalidRequestError", "reason", 400},
	{"null", `null`, nil, -32600, "InvalidRequestError", "reason", 400},
	{"empty batch", `[]`, nil, -32600, "InvalidRequestError", "reason", 400},
	{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, nil, -32600, "InvalidRequestError", "reason", 400},
	{"empty object", `{}`, nil, -32600, "InvalidRequestError", "missing", 400},
	{"no jsonrpc", `{"id":1,"method":"ping"}`, 1.0, -32600, "InvalidRequestError", "missing", 400},
	{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, 1.0, -32600, "InvalidRequestError", "field", 400},
	{"jsonrpc number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, 1.0, -32600, "InvalidRequestError", "field", 400},
	{"no method", `{"jsonrpc":"2.0","id":"a"}`, "a", -32600, "InvalidRequestError", "missing", 400},
	{"method number", `{"jsonrpc":"2.0","id":1,"method":5}`, 1.0, -32600, "InvalidRequestError", "field", 400},
	{"method empty", `{"jsonrpc":"2.0","id":1,"method":""}`, 1.0, -32600, "InvalidRequestError", "field", 400},
	{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, -32600, "InvalidRequestError", "field", 400},
	{"id boolean", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, nil, -32600, "InvalidRequestError", "field", 400},
	{"id object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, -32600, "InvalidRequestError", "field", 400},
	{"id fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, nil, -32600, "InvalidRequestError", "field", 400},
	{"id beyond 2^53", `{"jsonrpc":"2.0","id":9007199254740993e3,"method":"ping"}`, nil, -32600, "InvalidRequestError", "field", 400},
	{"id half a surrogate pair", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, nil, -32600, "InvalidRequestError", "field", 400},
	{"request without id", `{"jsonrpc":"2.0","method":"tools/list"}`, nil, -32600, "InvalidRequestError", "missing", 400},
	{"notification with id", `{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, 1.0, -32600, "InvalidRequestError", "field", 400},
	{"response without id", `{"jsonrpc":"2.0","result":{}}`, nil, -32600, "InvalidRequestError", "missing", 400},
	{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/cal"}`, 1.0, -32601, "MethodNotFound", "suggestions", 200},
	{"params array", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"call without params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, 1.0, -32602, "InvalidRequestError", "missing", 200},
	{"call with null params", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, 1.0, -32602, "InvalidRequestError", "missing", 200},
	{"call without name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}`, 1.0, -32602, "InvalidRequestError", "missing", 200},
	{"name number", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"arguments string", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":"x"}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"_meta string", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":"x"}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"read without uri", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}`, 1.0, -32602, "InvalidRequestError", "missing", 200},
	{"client name number", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":5}}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"prompt argument number", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"who":5}}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"completion without type", `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":[]},"argument":{"name":"who","value":""}}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
	{"level number", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":3}}`, 1.0, -32602, "InvalidRequestError", "field", 200},
}

func checkMalformed(t *testing.T, i int, got map[string]any) {
	t.Helper()
	want := malformed[i]
	summary := []any{got["jsonrpc"], got["id"], dig(got, "error", "code"), dig(got, "error", "data", "type")}
	if diff := cmp.Diff([]any{"2.0", want.id, want.code, want.kind}, summary); diff != "" {
		t.Errorf("-want +got:\n%s\n%v", diff, got)
	}
	if dig(got, "error", "data", want.detail) == nil {
		t.Errorf("data lacks %q: %v", want.detail, got)
	}
	text, _ := dig(got, "error", "message").(string)
	if text == "" || strings.Contains(text, "json:") || strings.Contains(text, "Go ") {
		t.Errorf("message %q", text)
	}
}

func TestMalformedStdio(t *testing.T) {
	c := startStdio(t, newFixture(t, nil).serve(t, nil))
	c.initialize()
	for i, m := range malformed {
		t.Run(m.name, func(t *testing.T) {
			c.send(m.text + "\n")
			checkMalformed(t, i, c.recv())
			c.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}` + "\n")
			if got := c.recv(); got["id"] != "after" || got["result"] == nil {
				t.Errorf("ping: %v", got)
			}
		})
	}
}

func TestMalformedHTTP(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, nil))
	c.initialize()
	for i, m := range malformed {
		t.Run(m.name, func(t *testing.T) {
			status, got := c.post(m.text)
			if status != m.status {
				t.Errorf("status %d, want %d", status, m.status)
			}
			checkMalformed(t, i, got)
			if status, got := c.post(`{"jsonrpc":"2.0","id":"after","method":"ping"}`); status != 200 || got["result"] == nil {
				t.Errorf("ping: %d, %v", status, got)
			}
		})
	}
	if n := c.conns(); n != 1 {
		t.Errorf("%d connections were needed, want 1", n)
	}
}
