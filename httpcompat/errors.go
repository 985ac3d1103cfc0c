package httpcompat

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"github.com/webodar/webodar/internal/catalog"
)

// failure is the shape of every answer that is no success.
type failure struct {
	Success bool         `json:"success"`
	Error   failureError `json:"error"`
}

type failureError struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
}

// plainCodes are shown without details, whoever raised them: their shape was
// published before details existed.
var plainCodes = map[string]bool{
	"EMPTY_CODE": true, "CODE_TOO_LARGE": true, "ENCODING_FAILED": true,
	"METHOD_NOT_ALLOWED": true, "TOOL_NAME_REQUIRED": true, "INTERNAL_ERROR": true,
}

// WriteError answers with e. The listener's middleware uses it too, so that
// every answer below /api/ has one shape.
func WriteError(w http.ResponseWriter, e *catalog.Error) {
	header := w.Header()
	if e.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(e.RetryAfterSeconds()))
	}
	if e.Type == catalog.ConnectionTimeout || e.Type == catalog.RequestTooLarge {
		header["Connection"] = closingConn
	}
	f := failure{Error: failureError{Code: e.Code, Message: e.Message, Details: details(e)}}
	doc, err := encode(f)
	if err != nil {
		// The code and the message matter more than details that do not encode.
		f.Error.Details = nil
		doc, _ = encode(f)
	}
	send(w, Status(e), doc)
}

// Refuse returns the function that answers what the listener turns away before
// it is looked at. Any page may read why; the status is what [Status] says too.
func Refuse(opts *Options) func(w http.ResponseWriter, r *http.Request, status int, e *catalog.Error) {
	h := New(nil, opts).(*handler)
	return func(w http.ResponseWriter, r *http.Request, _ int, e *catalog.Error) {
		h.allowOrigins(w, r, anyMethod, false)
		WriteError(w, e)
	}
}

// details are e's facts, its hint and its envelope; nil when its shape admits none.
func details(e *catalog.Error) map[string]any {
	if e.Exact || plainCodes[e.Code] {
		return nil
	}
	if e.Hint == "" && e.Envelope == nil {
		return e.Details
	}
	d := map[string]any{}
	if e.Hint != "" {
		d["hint"] = e.Hint
	}
	maps.Copy(d, e.Details)
	for name, value := range e.Envelope {
		if name != "ok" { // error.success says it
			d[name] = value
		}
	}
	return d
}

func wrongMethod(w http.ResponseWriter, m *methods, want string) *catalog.Error {
	w.Header()["Allow"] = m.allow
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "METHOD_NOT_ALLOWED", Message: "Only " + want + " method is allowed", Exact: true,
	}
}

func nameRequired() *catalog.Error {
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "TOOL_NAME_REQUIRED", Message: "Tool name is required in the path", Exact: true,
	}
}

func toolNotFound(name string, suggestions []string) *catalog.Error {
	return &catalog.Error{
		Type: catalog.ToolNotFound, Code: "TOOL_NOT_FOUND", Message: fmt.Sprintf("Tool '%s' not found", catalog.Clip(name, 100)),
		Details: map[string]any{"suggestions": suggestions},
	}
}

func notFound(path string) *catalog.Error {
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "NOT_FOUND", Message: fmt.Sprintf("there is nothing at %s", catalog.Clip(path, 100)),
		Hint: "GET /api/tools lists the tools, POST /api/tools/{name} calls one, GET /api/openapi.json describes both.",
	}
}

func wrongMediaType() *catalog.Error {
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "UNSUPPORTED_MEDIA_TYPE",
		Message: "this tool takes a body of Content-Type application/json only",
		Hint:    "Send the arguments as a JSON object, with the header Content-Type: application/json.",
	}
}

func notAnObject(what string) *catalog.Error {
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "INVALID_REQUEST", Message: what + ", not a JSON object with the tool's arguments",
		Hint: "Send {} when there are no arguments.",
	}
}

func loneSurrogate(offset int) *catalog.Error {
	return &catalog.Error{
		Type: catalog.EncodingError, Code: "INVALID_UTF8",
		Message: fmt.Sprintf("offset %d: the escape is half of a surrogate pair, which UTF-8 cannot hold", offset),
		Hint:    "Send both halves of the pair, or the character itself.",
		Details: map[string]any{"offset": offset},
	}
}
