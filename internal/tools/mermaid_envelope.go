package tools

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
)

// envelope is what every answer of a drawing tool begins with (spec 004, FR-003).
type envelope struct {
	OK        bool       `json:"ok"`
	RequestID string     `json:"request_id"`
	Warnings  []string   `json:"warnings"`
	Errors    []drawFail `json:"errors"`
}

// drawFail is one of an envelope's errors.
type drawFail struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`

	kind  catalog.Type
	hint  string
	cause error
}

func newEnvelope() envelope {
	return envelope{OK: true, RequestID: newUUID(), Warnings: []string{}, Errors: []drawFail{}}
}

// fail gives the call's error, with the envelope that clients see.
func (e *envelope) fail(fails ...drawFail) *catalog.Error {
	first := fails[0]
	for i := range fails {
		if fails[i].hint == "" {
			continue
		}
		details := map[string]any{"hint": fails[i].hint}
		maps.Copy(details, fails[i].Details)
		fails[i].Details = details
	}
	kind := first.kind
	if kind == "" {
		kind = catalog.ToolError
	}
	return &catalog.Error{
		Type: kind, Code: first.Code, Message: first.Message, Hint: first.hint, Details: first.Details, Cause: first.cause,
		Envelope: map[string]any{"ok": false, "request_id": e.RequestID, "warnings": e.Warnings, "errors": fails},
	}
}

// newUUID is a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// envelopeSchema is the output schema of a drawing tool: the envelope, the payload's
// properties, and either a success with those that one of the ways requires or a failure.
func envelopeSchema(payload map[string]*jsonschema.Schema, ways ...[]string) *jsonschema.Schema {
	text := func(description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Description: description}
	}
	s := &jsonschema.Schema{
		Type:     "object",
		Required: []string{"ok", "request_id", "warnings", "errors"},
		Properties: map[string]*jsonschema.Schema{
			"ok":         {Type: "boolean", Description: "whether there is a result"},
			"request_id": {Type: "string", Description: "a UUID, new for each call"},
			"warnings": {
				Type: "array", Items: &jsonschema.Schema{Type: "string"},
				Description: "what the caller should know although there is a result",
			},
			"errors": {
				Type: "array", Description: "why there is no result; empty on success",
				Items: &jsonschema.Schema{
					Type: "object", Required: []string{"code", "message"}, PropertyOrder: []string{"code", "message", "details"},
					Properties: map[string]*jsonschema.Schema{
						"code":    text("machine-readable code such as PARSE_ERROR"),
						"message": text("what was wrong and where"),
						"details": {
							Type:        "object",
							Description: "line, column, source and caret of a mistake in the diagram, what was found, what was expected, and a hint what to do",
						},
					},
				},
			},
		},
	}
	for _, required := range ways {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{
			Properties: map[string]*jsonschema.Schema{"ok": constant(true)}, Required: append([]string{"ok"}, required...),
		})
	}
	s.AnyOf = append(s.AnyOf, &jsonschema.Schema{
		Properties: map[string]*jsonschema.Schema{"ok": constant(false)}, Required: []string{"ok", "errors"},
	})
	s.PropertyOrder = []string{"ok", "request_id", "warnings", "errors"}
	for _, name := range slices.Sorted(maps.Keys(payload)) {
		s.Properties[name] = payload[name]
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	return s
}

func constant(v any) *jsonschema.Schema { return &jsonschema.Schema{Const: &v} }
