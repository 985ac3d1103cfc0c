package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Field is one argument that broke the schema.
type Field struct {
	Path     string `json:"path"`     // as in a.b[0]; empty for the arguments as a whole
	Expected string `json:"expected"` // a JSON type, or a rule in words
	Got      string `json:"got"`      // a JSON type, or "nothing"
	// Value is what was sent: strings cut at 100 characters, objects and
	// arrays left out.
	Value any `json:"value,omitempty"`

	rule bool // the type was right, another rule was broken
}

func (f Field) String() string {
	path := f.Path
	if path == "" {
		path = "arguments"
	}
	if f.Got == "nothing" {
		return fmt.Sprintf("%s: missing (%s)", path, f.Expected)
	}
	if f.Value == nil {
		return fmt.Sprintf("%s: expected %s, got %s", path, f.Expected, f.Got)
	}
	if s, ok := f.Value.(string); ok {
		return fmt.Sprintf("%s: expected %s, got %q", path, f.Expected, s)
	}
	return fmt.Sprintf("%s: expected %s, got %v", path, f.Expected, f.Value)
}

// invalidArguments is the error for the offending fields, all of them.
func invalidArguments(fields []Field) *Error {
	kind := TypeError
	parts := make([]string, len(fields))
	for i, f := range fields {
		if f.rule || f.Got == "nothing" {
			kind = ValidationError
		}
		parts[i] = f.String()
	}
	return &Error{
		Type: kind, Code: "INVALID_ARGUMENTS", Message: strings.Join(parts, "; "),
		Hint:    "Correct these and call again; the tool's input schema has the rules.",
		Details: map[string]any{"fields": fields},
	}
}

// checkArguments validates args and reports every offending field. A string
// that is losslessly a number or a boolean is taken as one, with a note;
// nothing else is coerced.
func checkArguments(schema *jsonschema.Schema, resolved *jsonschema.Resolved, args json.RawMessage) (json.RawMessage, []string, *Error) {
	value, err := decodeNumbers(args)
	if err != nil {
		return nil, nil, Internal(fmt.Errorf("arguments that passed the door do not decode: %w", err))
	}
	c := &checker{}
	value = c.check(schema, value, "")
	if len(c.fields) > 0 {
		return nil, nil, invalidArguments(c.fields)
	}
	if c.changed {
		coerced, err := json.Marshal(value)
		if err != nil {
			return nil, nil, Internal(err)
		}
		args = coerced
	}
	// The walk above knows the keywords in use here. The library knows all of
	// them, but stops at the first problem.
	var plain any
	if err := json.Unmarshal(args, &plain); err != nil {
		return nil, nil, Internal(err)
	}
	if err := resolved.Validate(plain); err != nil {
		return nil, nil, invalidArguments([]Field{{Expected: "what the input schema says", Got: "object", rule: true}})
	}
	return args, c.notes, nil
}

// decodeNumbers decodes JSON and leaves numbers as they are written.
func decodeNumbers(text []byte) (value any, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err = dec.Decode(&value)
	return value, err
}

type checker struct {
	fields  []Field
	notes   []string
	exact   bool // nothing may be changed
	changed bool // the value is not what was sent any more
}

// check validates v and returns it, coerced where it was.
func (c *checker) check(s *jsonschema.Schema, v any, path string) any {
	if s == nil {
		return v
	}
	if want := types(s); len(want) > 0 && !slices.ContainsFunc(want, func(t string) bool { return isType(v, t) }) {
		coerced, ok := coerce(v, want)
		if !ok || c.exact {
			c.fail(path, strings.Join(want, " or "), v, false)
			return v
		}
		c.notes = append(c.notes, fmt.Sprintf("%s: took the string %q as %s", path, v, strings.Join(want, " or ")))
		v = coerced
		c.changed = true
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(v) }) {
		names := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			names[i] = fmt.Sprint(e)
		}
		c.fail(path, "one of "+strings.Join(names, ", "), v, true)
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, path)
	case []any:
		for i := range v {
			v[i] = c.check(s.Items, v[i], fmt.Sprintf("%s[%d]", path, i))
		}
	case json.Number:
		f, err := v.Float64()
		if s.Minimum != nil && (err != nil || f < *s.Minimum) {
			c.fail(path, fmt.Sprintf("at least %v", *s.Minimum), v, true)
		}
		if s.Maximum != nil && (err != nil || f > *s.Maximum) {
			c.fail(path, fmt.Sprintf("at most %v", *s.Maximum), v, true)
		}
	}
	return v
}

func (c *checker) object(s *jsonschema.Schema, v map[string]any, path string) {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			expected := "any value"
			if want := types(s.Properties[name]); len(want) > 0 {
				expected = strings.Join(want, " or ")
			}
			c.fields = append(c.fields, Field{Path: join(path, name), Expected: expected, Got: "nothing"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !c.exact && s.Properties[name] == nil && foldsToProperty(s, name) {
			delete(v, name)
			c.changed = true
			continue
		}
		v[name] = c.check(s.Properties[name], v[name], join(path, name))
	}
}

// foldsToProperty reports whether name is a property's but for its case. Such a
// member is ignored like any other that the schema does not have; left in
// place, encoding/json would take it for the property.
func foldsToProperty(s *jsonschema.Schema, name string) bool {
	for property := range s.Properties {
		if strings.EqualFold(property, name) {
			return true
		}
	}
	return false
}

func (c *checker) fail(path, expected string, v any, rule bool) {
	f := Field{Path: path, Expected: expected, Got: typeOf(v), rule: rule}
	switch v := v.(type) {
	case string:
		f.Value = Clip(v, 100)
	case json.Number, bool:
		f.Value = v
	}
	c.fields = append(c.fields, f)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func types(s *jsonschema.Schema) []string {
	switch {
	case s == nil:
		return nil
	case s.Type != "":
		return []string{s.Type}
	}
	return s.Types
}

func isType(v any, want string) bool {
	got := typeOf(v)
	return got == want || want == "number" && got == "integer"
}

// typeOf names v's JSON type; a number without a fraction is an integer.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if f, err := v.Float64(); err == nil && f == float64(int64(f)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// coerce takes a string as the number or boolean that it spells.
func coerce(v any, want []string) (any, bool) {
	s, ok := v.(string)
	if !ok {
		return nil, false
	}
	if slices.Contains(want, "boolean") && (s == "true" || s == "false") {
		return s == "true", true
	}
	n := json.Number(s)
	if !json.Valid([]byte(s)) {
		return nil, false
	}
	if _, err := n.Float64(); err != nil {
		return nil, false
	}
	ok = slices.ContainsFunc(want, func(t string) bool { return isType(n, t) })
	return n, ok
}
