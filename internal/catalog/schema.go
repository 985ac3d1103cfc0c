package catalog

import (
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// InputSchema derives a tool's input schema from the Go type In. Further
// members are admitted: tools ignore what they do not know.
func InputSchema[In any]() *jsonschema.Schema {
	s := mustSchema[In]()
	s.AdditionalProperties = nil
	return s
}

// OutputSchema derives a tool's output schema from the Go type Out, so that it
// admits a failure as well: clients validate every answer, errors included,
// against it. The root is an object with either Out's required members or an
// error.
func OutputSchema[Out any]() *jsonschema.Schema {
	s := mustSchema[Out]()
	s.AdditionalProperties = nil
	success := &jsonschema.Schema{Required: s.Required}
	failure := &jsonschema.Schema{Required: []string{"error"}}
	s.Required = nil
	for _, p := range s.Properties {
		if slices.Equal(p.Types, []string{"null", "array"}) { // a nil slice is left out, never null
			p.Type, p.Types = "array", nil
		}
	}
	s.Properties["error"] = mustSchema[failureShape]()
	s.Properties["error"].AdditionalProperties = nil
	s.AnyOf = []*jsonschema.Schema{success, failure}
	return s
}

// failureShape documents the error member of a failed call's structured
// content; [Error.Structured] makes the values.
type failureShape struct {
	Type    string `json:"type" jsonschema:"the class of the failure"`
	Code    string `json:"code,omitempty" jsonschema:"machine-readable code"`
	Message string `json:"message,omitempty" jsonschema:"what was wrong and where"`
	Hint    string `json:"hint,omitempty" jsonschema:"what to do next"`
}

// Structured is what a failed call shows as structured content over MCP.
func (e *Error) Structured() map[string]any {
	if e.Envelope != nil {
		return e.Envelope
	}
	m := map[string]any{"type": string(e.Type)}
	for k, v := range e.Details {
		m[k] = v
	}
	for k, v := range map[string]string{"code": e.Code, "message": e.Message, "hint": e.Hint} {
		if v != "" {
			m[k] = v
		}
	}
	return map[string]any{"error": m}
}

// mustSchema panics on a type that has no schema, which is a mistake in the
// program and not in its input.
func mustSchema[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("schema of %T: %v", *new(T), err))
	}
	return s
}
