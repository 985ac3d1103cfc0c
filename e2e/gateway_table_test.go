package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The requirements, in the specification's words.
const (
	invalidRequests = "Invalid request handling"
	timeouts        = "Timeout handling"
	malformedData   = "Malformed data handling"
	connections     = "Connection error handling"
	resilience      = "Error recovery and resilience"
)

// scenarios are all of them, in the specification's order.
var scenarios = slices.Concat(requestScenarios, connectionScenarios)

// requestScenarios are about what clients send, and time.
var requestScenarios = []scenario{
	{
		requirement: invalidRequests, name: "Unknown tool name",
		promise: "The error suggests tools of similar names; the request is logged.",
		run: func(s *story) {
			data := s.fails(s.call("s__ech", "{}"), -32602, "ToolNotFoundError", "tool", "suggestions")
			if near := fmt.Sprint(data["suggestions"]); !strings.Contains(near, "s__echo") {
				s.Errorf("suggestions %s", near)
			}
			s.logs(`code=TOOL_NOT_FOUND`)
		},
	},
	{
		requirement: invalidRequests, name: "Invalid tool arguments",
		promise: "Every field that is wrong is named, with the type that is expected. The server is not asked.",
		run: func(s *story) {
			if fields := s.refuses(s.call("s__strict", `{"depth":"soon"}`), "ValidationError"); len(fields) != 2 {
				s.Errorf("fields %v", fields)
			}
			if s.recorded("call strict") != 0 {
				s.Error("the server was asked")
			}
		},
	},
	{
		requirement: invalidRequests, name: "Malformed JSON-RPC request",
		promise: "The error says where the text stops being JSON; the connection stays open.",
		run: func(s *story) {
			s.fails(s.raw("null", `{"jsonrpc":"2.0","id":1,"method":}`), -32700, "ParseError", "offset", "line", "column", "near")
			s.pings()
		},
	},
	{
		requirement: invalidRequests, name: "Request with missing required fields",
		promise: "The missing fields are listed, and nothing is processed.",
		run: func(s *story) {
			s.fails(s.raw("7", `{"id":7,"method":"tools/call"}`), -32600, "InvalidRequestError", "missing")
			s.fails(s.raw("8", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"arguments":{}}}`), -32602, "InvalidRequestError", "missing")
		},
	},
	{
		requirement: invalidRequests, name: "Request ID mismatch",
		promise: "An id that is in use gets an error while the first request runs on; a response that nobody asked for is logged.",
		run: func(s *story) {
			first := `{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"s__slow","arguments":{"for":"1s"}}}`
			done := make(chan string, 1)
			if s.stdio != nil {
				s.stdio.tell(s.T, first)
			} else {
				other := *s.http
				other.Client = &http.Client{Timeout: patience}
				go func() { _, text := other.rpc(s.T, first); done <- text }()
			}
			eventually(s.T, "the first runs", func() bool { return s.recorded("call slow") == 1 })
			id := `"same"`
			if s.stdio != nil {
				id = "null" // the answer under that id belongs to the first
			}
			s.fails(s.raw(id, `{"jsonrpc":"2.0","id":"same","method":"ping"}`), -32600, "InvalidRequestError", "field")
			if s.stdio != nil {
				done <- s.stdio.answer(s.T, `"same"`)
			}
			if text := <-done; !strings.Contains(text, "slept") {
				s.Errorf("the first gave %s", text)
			}
			s.door.tell(s.T, `{"jsonrpc":"2.0","id":4711,"result":{}}`)
			s.logs(`response with id 4711 matches no request`)
		},
	},
	{
		requirement: timeouts, name: "Tool execution timeout", settings: `"timeouts": {"tool": "300ms"}`,
		promise: "A call over `timeouts.tool` ends with an error that says what was cancelled; the server is told to stop, and nothing partial is returned.",
		run: func(s *story) {
			s.fails(s.call("s__slow", `{"for":"30s"}`), -32001, "TimeoutError", "timeoutMs", "cancelled")
			eventually(s.T, "the server is told", func() bool { return s.recorded("cancelled told") == 1 })
			if s.recorded("done slow") != 0 {
				s.Error("the tool went on")
			}
		},
	},
	{
		requirement: timeouts, name: "Client request timeout", settings: `"timeouts": {"request": "300ms"}`,
		promise: "A client that begins a message and does not end it is told, and the connection is closed.",
		run: func(s *story) {
			part := `{"jsonrpc":"2.0","id":1,"meth`
			if s.stdio != nil {
				s.p.write(s.T, part)
				s.fails(parseAnswer(s.T, s.stdio.answer(s.T, "null")), -32000, "ConnectionTimeout", "timeoutMs")
				s.p.stops(s.T, patience)
				return
			}
			c := s.dial()
			head := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n"
			fmt.Fprint(c, head+part)
			text := readAll(s.T, c) // to the end: it is closed
			if !strings.HasPrefix(text, "HTTP/1.1 408") || !strings.Contains(text, `"type":"ConnectionTimeout"`) {
				s.Errorf("%s", text)
			}
			_, body, _ := strings.Cut(text, "\r\n\r\n")
			s.tells("POST /mcp, of which 29 of 100 bytes arrive", "HTTP 408 "+body)
		},
	},
	{
		requirement: timeouts, name: "Backend server timeout", server: `"timeout": "300ms"`,
		promise: "A server that gives no sign of life for its `timeout` is named; the client may try again.",
		run: func(s *story) {
			data := s.fails(s.call("s__mute", "{}"), -32001, "GatewayTimeout", "upstream", "timeoutMs", "cancelled")
			if data["retryable"] != true {
				s.Errorf("%v", data)
			}
			s.logs(`code=GATEWAY_TIMEOUT`)
		},
	},
	{
		requirement: timeouts, name: "Timeout with pending operations", settings: `"timeouts": {"tool": "500ms"}`, only: "stdio",
		promise: "A tool asks the client something, which does not answer: when the time is up, the question and the tool are both ended.",
		run: func(s *story) {
			d := newStdioDoor(s.T, start(s.T, nil, "serve", "--config", s.config),
				strings.Replace(initialize(latestSession), `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
			request := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__ask","arguments":{}}}`
			d.tell(s.T, request)
			d.await(s.T, "question", func(line string) bool { return strings.Contains(line, "elicitation/create") })
			came := d.answer(s.T, "1")
			s.tells(request, came)
			s.fails(parseAnswer(s.T, came), -32001, "TimeoutError", "cancelled")
			d.await(s.T, "end of the question", func(line string) bool { return strings.Contains(line, "notifications/cancelled") })
			eventually(s.T, "the server is told", func() bool { return s.recorded("cancelled told") == 1 })
		},
	},
	{
		requirement: timeouts, name: "Timeout recovery", server: `"timeout": "300ms"`,
		promise: "After a time-out the next request works, and none has been executed twice.",
		run: func(s *story) {
			s.fails(s.call("s__mute", "{}"), -32001, "GatewayTimeout")
			s.call("s__echo", `{"text":"again"}`)
			if m, e := s.recorded("call mute"), s.recorded("call echo"); m != 1 || e != 1 {
				s.Errorf("executed %d and %d times", m, e)
			}
		},
	},
	{
		requirement: malformedData, name: "Invalid UTF-8 in request",
		promise: "The error says at which byte; it is logged, and the connection goes on.",
		run: func(s *story) {
			s.fails(s.raw("null", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"s__echo\",\"arguments\":{\"text\":\"\xff\"}}}"),
				-32700, "EncodingError", "offset")
			s.pings()
			s.logs(`code=INVALID_UTF8`)
		},
	},
	{
		requirement: malformedData, name: "Oversized request", settings: `"limits": {"messageBytes": 2048}`,
		promise: "The error names the limit, and the connection is closed.",
		run: func(s *story) {
			text := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("A", 4096) + `"}}`
			s.fails(s.raw("null", text), -32600, "RequestTooLargeError", "limitBytes")
			if s.stdio != nil {
				s.p.stops(s.T, patience)
			}
		},
	},
	{
		requirement: malformedData, name: "Circular reference in JSON",
		promise: "JSON has no way to write one; what can arrive is depth. Beyond 200 levels it is refused, and the connection stays open. What a server answers is held to the same.",
		run: func(s *story) {
			s.fails(s.raw("null", nested(201)), -32600, "SerializationError", "limitDepth")
			s.fails(s.call("s__deep", "{}"), -32603, "SerializationError", "reason", "upstream")
			s.pings()
		},
	},
	{
		requirement: malformedData, name: "Invalid JSON structure",
		promise: "The error says what is wrong with the structure, and where.",
		run: func(s *story) {
			s.fails(s.raw("null", `{"jsonrpc":"2.0","id":1,"method":"ping"]`), -32700, "ParseError", "line", "column", "near")
			s.fails(s.raw("null", `{"jsonrpc":"2.0","id":1,"method":"ping"`), -32700, "ParseError", "offset")
		},
	},
	{
		requirement: malformedData, name: "Type coercion errors",
		promise: "What cannot be taken as the type that is asked for is shown with its value. Arguments of mounted tools are never changed.",
		run: func(s *story) {
			fields := s.refuses(s.call("s__strict", `{"path":"a","depth":"soon"}`), "TypeError")
			if len(fields) != 1 || fields[0].(map[string]any)["value"] != "soon" {
				s.Errorf("%v", fields)
			}
		},
	},
}
