package e2e

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// discovery is the answer to GET /api/tools in spec 001, which shows its one
// tool exactly so.
const discovery = `{
  "id": "encodePlantUML",
  "name": "encodePlantUML",
  "description": "Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com",
  "inputSchema": {
    "type": "object",
    "properties": {
      "plantumlCode": {
        "type": "string",
        "description": "Valid PlantUML diagram code (must start with @startuml and end with @enduml)"
      }
    },
    "required": ["plantumlCode"]
  }
}`

const encodePath = "/api/tools/encodePlantUML"

// restCase is one request of spec 001, or of its corrections.
type restCase struct {
	name, method, path, body string

	status        int
	code, message string // of the error; both empty for a success
	encoded       string // of the result, when not empty
	allow         string // the Allow header
}

func source(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can be encoded
	}
	return `{"plantumlCode":` + string(quoted) + `}`
}

const (
	emptyCode = "plantumlCode is required and cannot be empty"
	tooLarge  = "PlantUML code exceeds maximum size of 50KB"
	notBuilt  = "Failed to encode PlantUML code"
)

var restCases = []restCase{
	{
		name: "example", path: encodePath, body: source("@startuml\nactor A\nactor B\nA --> B\n@enduml"), status: 200,
		encoded: "SoWkIImgAStDuKfCBialKd24qavSZWgwkdP0sY4rBmKe3m00",
	},
	{
		name: "example of the result", path: encodePath, body: source("@startuml\nBob -> Alice : hello\n@enduml"), status: 200,
		encoded: "SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80",
	},
	{
		name: "the path with a version", path: "/api/v1/tools/encodePlantUML", body: source("Bob -> Alice"), status: 200,
		encoded: "SyfFKj2rKt3CoKnE1G00",
	},
	{name: "curl: valid", path: encodePath, body: `{"plantumlCode":"@startuml\nA --> B\n@enduml"}`, status: 200},
	{
		name: "quotes", path: encodePath, status: 200,
		body: `{"plantumlCode":"@startuml\nactor Writer1\nrectangle \"Front Buffer\"\nWriter1 --> \"Front Buffer\"\n@enduml"}`,
	},
	{name: "no @startuml", path: encodePath, body: source("@startmindmap\n* a\n@endmindmap"), status: 200},
	{name: "further members", path: encodePath, body: `{"plantumlCode":"A -> B","theme":"dark"}`, status: 200},
	{name: "exactly 50 KB", path: encodePath, body: source(strings.Repeat("A", 51200)), status: 200},
	{name: "50 KB in characters of two bytes", path: encodePath, body: source(strings.Repeat("é", 25600)), status: 200},

	{name: "curl: empty", path: encodePath, body: `{"plantumlCode":""}`, status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "blank", path: encodePath, body: source(" \t\r\n\u00a0\ufeff"), status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "null", path: encodePath, body: `{"plantumlCode":null}`, status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "a number", path: encodePath, body: `{"plantumlCode":1}`, status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "missing", path: encodePath, body: `{}`, status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "no body", path: encodePath, status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "an array", path: encodePath, body: `["A -> B"]`, status: 400, code: "EMPTY_CODE", message: emptyCode},
	{name: "51,201 bytes", path: encodePath, body: source(strings.Repeat("A", 51201)), status: 413, code: "CODE_TOO_LARGE", message: tooLarge},
	{name: "a body over 1 MiB", path: encodePath, body: source(strings.Repeat("A", 1<<20)), status: 413, code: "CODE_TOO_LARGE", message: tooLarge},
	{name: "invalid UTF-8", path: encodePath, body: "{\"plantumlCode\":\"A -> \xff\"}", status: 500, code: "ENCODING_FAILED", message: notBuilt},
	{name: "lone surrogate", path: encodePath, body: `{"plantumlCode":"A -> \ud800"}`, status: 500, code: "ENCODING_FAILED", message: notBuilt},
	{name: "not JSON", path: encodePath, body: `plantumlCode=A`, status: 400, code: "INVALID_JSON"},
	{name: "truncated", path: encodePath, body: `{"plantumlCode":"A`, status: 400, code: "INVALID_JSON"},
	{name: "unknown tool", path: "/api/tools/unknownTool", body: `{}`, status: 404, code: "TOOL_NOT_FOUND", message: "Tool 'unknownTool' not found"},
	{name: "no tool", path: "/api/tools/", body: `{}`, status: 400, code: "TOOL_NAME_REQUIRED", message: "Tool name is required in the path"},
	{name: "another path", path: "/api/nothing", body: `{}`, status: 404, code: "NOT_FOUND"},
	{
		name: "POST on discovery", path: "/api/tools", body: `{}`, status: 405, code: "METHOD_NOT_ALLOWED",
		message: "Only GET method is allowed", allow: "GET",
	},
	{
		name: "GET on a tool", method: http.MethodGet, path: encodePath, status: 405, code: "METHOD_NOT_ALLOWED",
		message: "Only POST method is allowed", allow: "POST",
	},
	{
		name: "DELETE on a tool", method: http.MethodDelete, path: encodePath, status: 405, code: "METHOD_NOT_ALLOWED",
		message: "Only POST method is allowed", allow: "POST",
	},
}

// TestREST sends the requests of spec 001 over one connection.
func TestREST(t *testing.T) {
	c := newHTTPClient(t, start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP"))
	for _, r := range restCases {
		t.Run(r.name, func(t *testing.T) {
			method := r.method
			if method == "" {
				method = http.MethodPost
			}
			res, text := c.do(t, method, r.path, r.body)
			r.check(t, res, text)
			if again, same := c.do(t, method, r.path, r.body); again.StatusCode != res.StatusCode || same != text {
				t.Errorf("the same request again gave status %d: %s", again.StatusCode, same)
			}
		})
	}
}

func (r *restCase) check(t *testing.T, res *http.Response, text string) {
	t.Helper()
	if res.StatusCode != r.status {
		t.Errorf("status %d, want %d: %.300s", res.StatusCode, r.status, text)
	}
	if got := res.Header.Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
		t.Errorf("Content-Type %q", got)
	}
	if got := res.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("Access-Control-Allow-Origin %q, want *", got)
	}
	if got := res.Header.Get("Allow"); !strings.Contains(got, r.allow) {
		t.Errorf("Allow %q, want %q in it", got, r.allow)
	}
	var body struct {
		Success *bool
		Result  map[string]any
		Error   map[string]any
	}
	unmarshal(t, text, &body)
	failed := r.code != ""
	if body.Success == nil || *body.Success == failed || (body.Result == nil) != failed || (body.Error != nil) != failed {
		t.Fatalf("success, result and error do not fit: %.300s", text)
	}
	if failed {
		if body.Error["code"] != r.code || r.message != "" && body.Error["message"] != r.message {
			t.Errorf("error %v, want %s %q", body.Error, r.code, r.message)
		}
		return
	}
	encoded, _ := body.Result["encoded"].(string)
	if r.encoded != "" && encoded != r.encoded {
		t.Errorf("encoded %s, want %s", encoded, r.encoded)
	}
	want := map[string]any{"url": "https://www.plantuml.com/plantuml/svg/" + encoded, "encoded": encoded, "format": "svg"}
	if encoded == "" || !reflect.DeepEqual(body.Result, want) {
		t.Errorf("result %v, want %v", body.Result, want)
	}
}

// TestDiscovery reads the list of tools, and asks as a browser does before a
// call from a page of another site.
func TestDiscovery(t *testing.T) {
	c := newHTTPClient(t, start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP"))
	var want any
	unmarshal(t, discovery, &want)
	for _, path := range []string{"/api/tools", "/api/tools/", "/api/v1/tools"} {
		res, text := c.do(t, http.MethodGet, path, "")
		var got struct{ Tools []any }
		unmarshal(t, text, &got)
		if res.StatusCode != http.StatusOK || len(got.Tools) < 2 || !reflect.DeepEqual(got.Tools[0], want) {
			t.Errorf("GET %s: status %d: %s", path, res.StatusCode, text)
		}
	}
	if res, text := c.do(t, http.MethodHead, "/api/tools", ""); res.StatusCode != http.StatusOK || text != "" {
		t.Errorf("HEAD /api/tools: status %d: %s", res.StatusCode, text)
	}
	for path, methods := range map[string]string{"/api/tools": "GET, OPTIONS", encodePath: "POST, OPTIONS"} {
		res, _ := c.do(t, http.MethodOptions, path, "")
		if res.StatusCode/100 != 2 || res.Header.Get("Access-Control-Allow-Methods") != methods ||
			res.Header.Get("Access-Control-Allow-Origin") != "*" || res.Header.Get("Access-Control-Allow-Headers") != "Content-Type" {
			t.Errorf("OPTIONS %s: status %d, headers %v", path, res.StatusCode, res.Header)
		}
	}
	for _, path := range []string{"/api/openapi.json", "/healthz", "/readyz", "/metrics"} {
		if res, text := c.do(t, http.MethodGet, path, ""); res.StatusCode != http.StatusOK || text == "" {
			t.Errorf("GET %s: status %d: %.200s", path, res.StatusCode, text)
		}
	}
}
