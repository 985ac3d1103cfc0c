package httpcompat_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

// plain is the answer of an error without details.
func plain(code, message string) string {
	return fmt.Sprintf(`{"success":false,"error":{"code":%q,"message":%q}}`, code, message)
}

// deep is a JSON array nested n levels.
func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestInvoke(t *testing.T) {
	const (
		encoder = "/api/tools/encodePlantUML"
		success = `{"success":true,"result":{"url":"https://www.plantuml.com/plantuml/svg/QSAtPiBC","encoded":"QSAtPiBC","format":"svg"}}`
	)
	empty := plain("EMPTY_CODE", "plantumlCode is required and cannot be empty")
	large := plain("CODE_TOO_LARGE", "PlantUML code exceeds maximum size of 50KB")
	failed := plain("ENCODING_FAILED", "Failed to encode PlantUML code")
	internal := plain("INTERNAL_ERROR", "an unexpected error occurred in the server")
	postOnly := plain("METHOD_NOT_ALLOWED", "Only POST method is allowed")
	tests := []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"success", "POST", encoder, `{"plantumlCode":"A -> B"}`, 200, success},
		{"success v1", "POST", "/api/v1/tools/encodePlantUML", `{"plantumlCode":"A -> B"}`, 200, success},
		{"further members", "POST", encoder, `{"plantumlCode":"A -> B","x":[1]}`, 200, success},
		{"percent-encoded name", "POST", "/api/tools/encode%50lantUML", `{"plantumlCode":"A -> B"}`, 200, success},
		{"query ignored", "POST", encoder + "?a=b", `{"plantumlCode":"A -> B"}`, 200, success},

		{"empty code", "POST", encoder, `{"plantumlCode":""}`, 400, empty},
		{"blank code", "POST", encoder, `{"plantumlCode":" \n"}`, 400, empty},
		{"null code", "POST", encoder, `{"plantumlCode":null}`, 400, empty},
		{"numeric code", "POST", encoder, `{"plantumlCode":1}`, 400, empty},
		{"no code", "POST", encoder, `{}`, 400, empty},
		{"empty body", "POST", encoder, "", 400, empty},
		{"blank body", "POST", encoder, " \r\n\t", 400, empty},
		{"array body", "POST", encoder, `[1]`, 400, empty},
		{"string body", "POST", encoder, `"A -> B"`, 400, empty},
		{"null body", "POST", encoder, `null`, 400, empty},
		{"body over the tool's limit", "POST", encoder, strings.Repeat(" ", encodeLimit+1), 413, large},
		{"not UTF-8", "POST", encoder, "{\"plantumlCode\":\"\xff\"}", 500, failed},
		{"lone surrogate", "POST", encoder, `{"plantumlCode":"\ud800"}`, 500, failed},
		{"not JSON", "POST", encoder, "{\n \"plantumlCode\" }", 400, `{"success":false,"error":{"code":"INVALID_JSON",
			"message":"not valid JSON: line 2, column 17: expected ':' after a member name, found '}'",
			"details":{"offset":18,"line":2,"column":17,"near":" \"plantumlCode\" }"}}}`},
		{"too deep", "POST", encoder, deep(201), 400, `{"success":false,"error":{"code":"SERIALIZATION_ERROR",
			"message":"arrays and objects are nested deeper than 200 levels",
			"details":{"limitDepth":200,"offset":200,"hint":"Flatten the value; JSON has no way to write a circular one."}}}`},
		{"deep enough", "POST", encoder, deep(200), 400, empty},

		{"checked", "POST", "/api/tools/echo", `{"text":"<a> & b","times":2}`, 200, `{"success":true,"result":{"text":"<a> & b","times":2}}`},
		{"checked, broken", "POST", "/api/tools/echo", `{"times":"soon"}`, 422, `{"success":false,"error":{"code":"INVALID_ARGUMENTS",
			"message":"text: missing (string); times: expected integer, got \"soon\"",
			"details":{"hint":"Correct these and call again; the tool's input schema has the rules.","fields":[
				{"path":"text","expected":"string","got":"nothing"},{"path":"times","expected":"integer","got":"string","value":"soon"}]}}}`},
		{"checked, empty body", "POST", "/api/tools/echo", "", 400, `{"success":false,"error":{"code":"INVALID_REQUEST",
			"message":"the body is empty, not a JSON object with the tool's arguments",
			"details":{"hint":"Send {} when there are no arguments."}}}`},
		{"checked, array", "POST", "/api/tools/echo", "[]", 400, `{"success":false,"error":{"code":"INVALID_REQUEST",
			"message":"the body holds a JSON value of type array, not a JSON object with the tool's arguments",
			"details":{"hint":"Send {} when there are no arguments."}}}`},
		{"checked, not UTF-8", "POST", "/api/tools/echo", "{\"text\":\"\xff\"}", 400, `{"success":false,"error":{"code":"INVALID_UTF8",
			"message":"offset 9: byte 0xff is not valid UTF-8","details":{"offset":9,"hint":"Send the message as UTF-8."}}}`},
		{"checked, lone surrogate", "POST", "/api/tools/echo", `{"text":"\udc00"}`, 400, `{"success":false,"error":{"code":"INVALID_UTF8",
			"message":"offset 9: the escape is half of a surrogate pair, which UTF-8 cannot hold",
			"details":{"offset":9,"hint":"Send both halves of the pair, or the character itself."}}}`},
		{"surrogate pair", "POST", "/api/tools/echo", `{"text":"\ud83d\ude00"}`, 200, `{"success":true,"result":{"text":"😀"}}`},

		{"tool's own error", "POST", "/api/tools/fail", `{"how":"draw"}`, 422, `{"success":false,"error":{"code":"PARSE_ERROR",
			"message":"line 2, column 4: the link from A ends without a target node","details":{"line":2,"column":4,"hint":"Add a node."}}}`},
		{"plain error", "POST", "/api/tools/fail", `{}`, 500, internal},
		{"panic", "POST", "/api/tools/fail", `{"how":"panic"}`, 500, internal},
		{"panic while encoding", "POST", "/api/tools/fail", `{"how":"marshal panic"}`, 500, internal},
		{"result that is no JSON", "POST", "/api/tools/fail", `{"how":"NaN"}`, 500, `{"success":false,"error":{"code":"SERIALIZATION_ERROR",
			"message":"the tool's result cannot be encoded as JSON","details":{"reason":"it holds a value that JSON has no form for"}}}`},
		{"details that are no JSON", "POST", "/api/tools/fail", `{"how":"details"}`, 422, plain("ODD", "odd")},
		{"retry later", "POST", "/api/tools/fail", `{"how":"backend"}`, 503, plain("BACKEND_DISCONNECTED", "gone")},

		{"unknown tool", "POST", "/api/tools/unknownTool", `{}`, 404, `{"success":false,"error":{"code":"TOOL_NOT_FOUND",
			"message":"Tool 'unknownTool' not found","details":{"suggestions":[]}}}`},
		{"nearly a tool", "POST", "/api/tools/encodePlantUm", `{}`, 404, `{"success":false,"error":{"code":"TOOL_NOT_FOUND",
			"message":"Tool 'encodePlantUm' not found","details":{"suggestions":["encodePlantUML"]}}}`},
		{"name in other case", "POST", "/api/tools/encodeplantuml", `{}`, 404, `{"success":false,"error":{"code":"TOOL_NOT_FOUND",
			"message":"Tool 'encodeplantuml' not found","details":{"suggestions":["encodePlantUML"]}}}`},
		{"decoded unknown name", "POST", "/api/tools/a%2Fb%20%C3%A9", `{}`, 404, `{"success":false,"error":{"code":"TOOL_NOT_FOUND",
			"message":"Tool 'a/b é' not found","details":{"suggestions":[]}}}`},
		{"guarded tool", "POST", "/api/tools/fs_read", `{"text":"a"}`, 404, `{"success":false,"error":{"code":"TOOL_NOT_FOUND",
			"message":"Tool 'fs_read' not found","details":{"suggestions":[]}}}`},
		{"nearly a guarded tool", "POST", "/api/tools/fs_rea", `{}`, 404, `{"success":false,"error":{"code":"TOOL_NOT_FOUND",
			"message":"Tool 'fs_rea' not found","details":{"suggestions":[]}}}`},

		{"no name", "POST", "/api/tools/", `{}`, 400, plain("TOOL_NAME_REQUIRED", "Tool name is required in the path")},
		{"no name v1", "POST", "/api/v1/tools/", `{}`, 400, plain("TOOL_NAME_REQUIRED", "Tool name is required in the path")},
		{"GET", "GET", encoder, "", 405, postOnly},
		{"HEAD", "HEAD", encoder, "", 405, postOnly},
		{"PUT", "PUT", encoder, `{"plantumlCode":"A"}`, 405, postOnly},
		{"DELETE", "DELETE", encoder, "", 405, postOnly},
		{"made-up method", "BREW", encoder, "", 405, postOnly},
		{"method before name", "GET", "/api/tools/unknownTool", "", 405, postOnly},
	}
	h := newHandler(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := do(h, tt.method, tt.path, tt.body)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
			wantJSON(t, w.Body.Bytes(), tt.want)
			got := map[string]string{}
			want := map[string]string{
				"Content-Type": "application/json", "Content-Length": strconv.Itoa(w.Body.Len()),
				"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
				"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "Content-Type",
				"Access-Control-Allow-Methods": "POST, OPTIONS",
			}
			for name := range want {
				got[name] = strings.Join(w.Header()[name], "|")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("headers: -want +got:\n%s", diff)
			}
			allow := ""
			if tt.status == http.StatusMethodNotAllowed {
				allow = "POST, OPTIONS"
			}
			if got := w.Header().Get("Allow"); got != allow {
				t.Errorf("Allow %q, want %q", got, allow)
			}
		})
	}
}

func TestElsewhere(t *testing.T) {
	h := newHandler(t, nil)
	for _, path := range []string{
		"/api/", "/api", "/api/nothing", "/api/toolsx", "/api/v2/tools", "/api/v1/openapi.json", "/api/openapi.json/",
		"/api/tools/encodePlantUML/", "/api/tools/encodePlantUML/x", "/api/tools//", "/api%2Ftools",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			w := do(h, method, path, "")
			if code := errorCode(t, w.Body.Bytes()); w.Code != 404 || code != "NOT_FOUND" {
				t.Errorf("%s %s: %d %s", method, path, w.Code, code)
			}
		}
	}
	wantJSON(t, do(h, "GET", "/api/nothing", "").Body.Bytes(), `{"success":false,"error":{"code":"NOT_FOUND","message":"there is nothing at /api/nothing",
		"details":{"hint":"GET /api/tools lists the tools, POST /api/tools/{name} calls one, GET /api/openapi.json describes both."}}}`)
}

func TestNoHTMLEscapes(t *testing.T) {
	w := do(newHandler(t, nil), "POST", "/api/tools/echo", `{"text":"A --> B & <C>"}`)
	if want := `{"success":true,"result":{"text":"A --> B & <C>"}}`; w.Body.String() != want {
		t.Errorf("got %s, want %s", w.Body, want)
	}
}

func TestContentTypeIsNotDemanded(t *testing.T) {
	h := newHandler(t, nil)
	for _, contentType := range []string{"", "application/x-www-form-urlencoded", "text/plain", "application/json; charset=utf-8", "nonsense"} {
		if w := do(h, "POST", "/api/tools/echo", `{"text":"a"}`, "Content-Type", contentType); w.Code != 200 {
			t.Errorf("%q: %d %s", contentType, w.Code, w.Body)
		}
	}
}

func TestBodyLimits(t *testing.T) {
	const limit = 100
	h := newHandler(t, &httpcompat.Options{MessageBytes: limit})
	pad := func(text string, size int) string { return text + strings.Repeat(" ", size-len(text)) }
	tests := []struct {
		name, tool, body string
		status           int
	}{
		{"server's limit", "echo", pad(`{"text":"a"}`, limit), 200},
		{"one more", "echo", pad(`{"text":"a"}`, limit+1), 413},
		{"tool's limit", "encodePlantUML", pad(`{"plantumlCode":"a"}`, encodeLimit), 200},
		{"one more for the tool", "encodePlantUML", pad(`{"plantumlCode":"a"}`, encodeLimit+1), 413},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if w := do(h, "POST", "/api/tools/"+tt.tool, tt.body); w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
		})
	}
	w := do(h, "POST", "/api/tools/echo", pad("", limit+1))
	wantJSON(t, w.Body.Bytes(), `{"success":false,"error":{"code":"REQUEST_TOO_LARGE","message":"the message is larger than 100 bytes",
		"details":{"limitBytes":100,"hint":"Send less, or start the server with a higher limits.messageBytes."}}}`)
	if got := w.Header().Get("Connection"); got != "close" {
		t.Errorf("Connection %q, want close", got)
	}
}

func TestRetryAfter(t *testing.T) {
	w := do(newHandler(t, nil), "POST", "/api/tools/fail", `{"how":"backend"}`)
	if got := w.Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After %q, want the seconds rounded up, 2", got)
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := do(newHandler(t, nil), "POST", "/api/tools/fail", `{"how":"hang"}`)
		if code := errorCode(t, w.Body.Bytes()); w.Code != http.StatusGatewayTimeout || code != "TIMEOUT" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestCatalogueChanges(t *testing.T) {
	c := newCatalog(t, encodePlantUML())
	h := httpcompat.New(c, nil)
	call := func() int { return do(h, "POST", "/api/tools/echo", `{"text":"a"}`).Code }
	listed := func(path string) bool { return strings.Contains(do(h, "GET", path, "").Body.String(), "echo") }
	for _, tools := range [][]catalog.Tool{{encodePlantUML()}, {encodePlantUML(), echo()}, {encodePlantUML()}} {
		if err := c.Replace(tools); err != nil {
			t.Fatal(err)
		}
		there := len(tools) == 2
		if got := call() == 200; got != there {
			t.Errorf("callable: %t, want %t", got, there)
		}
		if list, api := listed("/api/tools"), listed("/api/openapi.json"); list != there || api != there {
			t.Errorf("listed: %t, described: %t, want %t", list, api, there)
		}
	}
}
