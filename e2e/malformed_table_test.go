package e2e

import "strings"

// malformed is one message that a server should not choke on, with the answer
// that the error contract names for it.
type malformed struct {
	name, text string

	typ  string   // error.data.type; with code 0: the type in the result of a failed tool
	code int      // JSON-RPC error code
	data []string // further members that error.data has
	id   string   // the answer's id as JSON; empty means null

	status int  // over HTTP; 0 means 400
	silent bool // nothing is owed: no line, and 202 over HTTP
	sound  bool // odd but right: the answer is a result
	closes bool // the connection ends behind the answer
}

// The members that errors of a type carry besides it.
var (
	position = []string{"offset", "line", "column", "near"}
	field    = []string{"field", "reason"}
	missing  = []string{"missing"}
	whole    = []string{"reason"} // no field of it is to blame
)

func parseError(name, text string) malformed {
	return malformed{name: name, text: text, typ: "ParseError", code: -32700, data: position}
}

func encodingError(name, text string) malformed {
	return malformed{name: name, text: text, typ: "EncodingError", code: -32700, data: []string{"offset"}}
}

func invalidRequest(name, text, id string, data []string) malformed {
	return malformed{name: name, text: text, typ: "InvalidRequestError", code: -32600, data: data, id: id}
}

func invalidParams(name, text, id string, data []string) malformed {
	return malformed{name: name, text: text, typ: "InvalidRequestError", code: -32602, data: data, id: id, status: 200}
}

// failedCall is a call that reaches its tool, which refuses the arguments.
func failedCall(name, text, id, typ string) malformed {
	return malformed{name: name, text: text, typ: typ, id: id, status: 200}
}

func nested(depth int) string {
	return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` +
		strings.Repeat("[", depth-2) + strings.Repeat("]", depth-2) + `}}`
}

func callOf(arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"encodePlantUML","arguments":` + arguments + `}}`
}

// malformedMessages holds no line break inside a message, since that is what
// separates messages on stdio.
var malformedMessages = []malformed{
	parseError("not JSON", `hello`),
	parseError("an HTTP request", `GET / HTTP/1.1`),
	parseError("truncated object", `{"jsonrpc":"2.0","id":1,"method":"pi`),
	parseError("truncated after a colon", `{"jsonrpc":"2.0","id":`),
	parseError("trailing junk", `{"jsonrpc":"2.0","id":1,"method":"ping"} extra`),
	parseError("two messages on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`),
	parseError("single quotes", `{'jsonrpc':'2.0','id':1,'method':'ping'}`),
	parseError("trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`),
	parseError("comment", `{"jsonrpc":"2.0","id":1,"method":"ping"} // hi`),
	parseError("NaN", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`),
	parseError("leading zero", `{"jsonrpc":"2.0","id":01,"method":"ping"}`),
	parseError("unknown escape", `{"jsonrpc":"2.0","id":1,"method":"\x70ing"}`),
	parseError("control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\tng\"}"),
	parseError("NUL in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\x00ng\"}"),
	parseError("NUL in front", "\x00{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
	parseError("byte order mark", "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),

	encodingError("invalid UTF-8 in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xffing\"}"),
	encodingError("invalid UTF-8 in the arguments", callOf("{\"plantumlCode\":\"A -> B: \xc3\x28\"}")),
	encodingError("UTF-8 of a surrogate", callOf("{\"plantumlCode\":\"\xed\xa0\x80\"}")),

	invalidRequest("scalar", `42`, "", whole),
	invalidRequest("string", `"ping"`, "", whole),
	invalidRequest("null", `null`, "", whole),
	invalidRequest("empty array", `[]`, "", whole),
	invalidRequest("batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "", whole),
	invalidRequest("array of scalars", `[1,2]`, "", whole),
	invalidRequest("empty object", `{}`, "", missing),
	invalidRequest("missing jsonrpc", `{"id":3,"method":"ping"}`, "3", missing),
	invalidRequest("old jsonrpc", `{"jsonrpc":"1.0","id":3,"method":"ping"}`, "3", field),
	invalidRequest("jsonrpc a number", `{"jsonrpc":2.0,"id":3,"method":"ping"}`, "3", field),
	invalidRequest("missing method", `{"jsonrpc":"2.0","id":4}`, "4", missing),
	invalidRequest("method a number", `{"jsonrpc":"2.0","id":"m","method":7}`, `"m"`, field),
	invalidRequest("method null", `{"jsonrpc":"2.0","id":5,"method":null}`, "5", nil),
	invalidRequest("empty method", `{"jsonrpc":"2.0","id":5,"method":""}`, "5", field),
	invalidRequest("id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "", field),
	invalidRequest("id a boolean", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "", field),
	invalidRequest("id an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "", field),
	invalidRequest("id an array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "", field),
	invalidRequest("id a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "", field),
	invalidRequest("request without an id", `{"jsonrpc":"2.0","method":"tools/list"}`, "", missing),
	invalidRequest("notification with an id", `{"jsonrpc":"2.0","id":6,"method":"notifications/initialized"}`, "6", field),

	{name: "depth 201", text: nested(201), typ: "SerializationError", code: -32600, data: []string{"limitDepth"}},
	{name: "depth 200", text: nested(200), id: "1", sound: true},
	{name: "very deep", text: strings.Repeat("[", 100_000), typ: "SerializationError", code: -32600, data: []string{"limitDepth"}},

	{
		name: "unknown method", text: `{"jsonrpc":"2.0","id":7,"method":"tools/lst"}`, id: "7",
		typ: "MethodNotFound", code: -32601, data: []string{"method"}, status: 200,
	},
	{
		name: "unknown tool", text: `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"encodePlantUm"}}`, id: "8",
		typ: "ToolNotFoundError", code: -32602, data: []string{"tool", "suggestions"}, status: 200,
	},
	invalidParams("tools/call without params", `{"jsonrpc":"2.0","id":9,"method":"tools/call"}`, "9", missing),
	invalidParams("tools/call without name", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}`, "9", missing),
	invalidParams("params an array", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}`, "9", field),
	invalidParams("name a number", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":1}}`, "9", field),
	invalidParams("arguments an array", callOf(`[]`), "1", field),
	invalidParams("arguments a string", callOf(`"A -> B"`), "1", field),

	failedCall("lone surrogate", callOf(`{"plantumlCode":"A -> B: \ud800"}`), "1", "EncodingError"),
	failedCall("no arguments", callOf(`{}`), "1", "ValidationError"),
	failedCall("blank argument", callOf(`{"plantumlCode":" \t\n\ufeff "}`), "1", "ValidationError"),
	failedCall("argument missing",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"decodePlantUML","arguments":{}}}`, "1", "ValidationError"),
	failedCall("argument an object",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"decodePlantUML","arguments":{"encoded":{}}}}`, "1", "TypeError"),

	{name: "response to nothing", text: `{"jsonrpc":"2.0","id":99,"result":{}}`, silent: true},
	{name: "error response to nothing", text: `{"jsonrpc":"2.0","id":98,"error":{"code":-1,"message":"no"}}`, silent: true},
	{name: "unknown notification", text: `{"jsonrpc":"2.0","method":"notifications/unheard"}`, silent: true},
	{name: "cancellation of nothing", text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, silent: true},
	{name: "carriage return", text: "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"ping\"}\r", id: "10", sound: true},
	{name: "space around", text: "  {\"jsonrpc\":\"2.0\" , \"id\":11,\"method\":\"ping\"}\t ", id: "11", sound: true},
	{name: "unknown members", text: `{"jsonrpc":"2.0","id":12,"method":"ping","trace":[{}]}`, id: "12", sound: true},

	{
		name: "9 MiB", text: callOf(`{"plantumlCode":"` + strings.Repeat("A", 9<<20) + `"}`),
		typ: "RequestTooLargeError", code: -32600, data: []string{"limitBytes"}, status: 413, closes: true,
	},
}
