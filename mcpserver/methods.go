package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// method is what the guard knows of an MCP method: enough to refuse, in the
// contract's words, what the SDK would refuse in the words of Go's JSON
// decoder, or not at all.
type method struct {
	notification bool
	params       []param // those that are looked at
	// shape returns what the SDK decodes the parameters into, to find what it
	// would not decode; nil for methods that are called often, and whose
	// parameters above say it all.
	shape func() any
	// check looks at what shape cannot express; nil for nothing.
	check func(params []byte) *catalog.Error
}

// levels are those of syslog (RFC 5424), which MCP takes.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func checkLevel(params []byte) *catalog.Error {
	for key, value := range wirejson.Members(params) {
		if level, _, ok := unquote(value); key == "level" && ok && !slices.Contains(levels, level) {
			return invalidParams("params.level", "must be one of "+strings.Join(levels, ", "))
		}
	}
	return nil
}

func shapeOf[T any]() any { return new(T) }

// maxParams is how many parameters of one method are looked at, at most.
const maxParams = 3

type param struct {
	name     string
	kind     byte // as wirejson.Kind gives it
	required bool
}

func required(name string, kind byte) param { return param{name, kind, true} }
func optional(name string, kind byte) param { return param{name, kind, false} }

func kindName(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '"':
		return "a string"
	}
	return "a number"
}

// methods are the requests and notifications that a server takes (MCP schema,
// ClientRequest and ClientNotification of all versions).
var methods = map[string]method{
	"initialize": {params: []param{
		required("protocolVersion", '"'), optional("capabilities", '{'), optional("clientInfo", '{'),
	}, shape: shapeOf[mcp.InitializeParams]},
	"ping":                     {},
	"server/discover":          {},
	"tools/list":               {params: []param{optional("cursor", '"')}},
	"tools/call":               {params: []param{required("name", '"'), optional("arguments", '{')}},
	"resources/list":           {params: []param{optional("cursor", '"')}},
	"resources/templates/list": {params: []param{optional("cursor", '"')}},
	"resources/read":           {params: []param{required("uri", '"')}},
	"resources/subscribe":      {params: []param{required("uri", '"')}},
	"resources/unsubscribe":    {params: []param{required("uri", '"')}},
	"prompts/list":             {params: []param{optional("cursor", '"')}},
	"prompts/get": {params: []param{
		required("name", '"'), optional("arguments", '{'),
	}, shape: shapeOf[mcp.GetPromptParams]},
	"completion/complete": {params: []param{
		required("ref", '{'), required("argument", '{'), optional("context", '{'),
	}, shape: shapeOf[mcp.CompleteParams]},
	"logging/setLevel": {params: []param{required("level", '"')}, check: checkLevel},
	"subscriptions/listen": {params: []param{
		required("notifications", '{'),
	}, shape: shapeOf[mcp.SubscriptionsListenParams]},

	"notifications/initialized":        {notification: true},
	"notifications/cancelled":          {notification: true},
	"notifications/progress":           {notification: true},
	"notifications/roots/list_changed": {notification: true},
}

// checkMethod refuses unknown methods and parameters of the wrong shape.
func (m *message) checkMethod() *catalog.Error {
	def, known := methods[m.method]
	switch {
	case !known && !m.id.IsValid():
		return nil // an unknown notification; the transports drop it
	case !known:
		return methodNotFound(m.method)
	case def.notification && m.id.IsValid():
		return invalidRequest(fmt.Sprintf("%s is a notification and takes no id", m.method),
			fieldDetails("id", "must be left out of a notification"))
	case !def.notification && !m.id.IsValid():
		return missingFields([]string{"id"})
	}
	if m.params != nil && wirejson.Kind(m.params) == 'n' {
		m.params = nil
	}
	if m.params != nil && wirejson.Kind(m.params) != '{' {
		return invalidParams("params", "must be an object, is "+wirejson.TypeName(m.params))
	}
	if err := m.checkParams(def); err != nil {
		return err
	}
	if def.shape != nil && m.params != nil {
		if err := checkShape(m.params, def.shape()); err != nil {
			return err
		}
	}
	if def.check == nil {
		return nil
	}
	return def.check(m.params)
}

// checkShape reports what in params does not fit into shape.
func checkShape(params []byte, shape any) *catalog.Error {
	err := json.Unmarshal(params, shape)
	if err == nil {
		return nil
	}
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return invalidParams("params", "do not have the shape that the method takes")
	}
	want := "a value of another type"
	switch mismatch.Type.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "a boolean"
	case reflect.Struct, reflect.Map:
		want = "an object"
	case reflect.Slice:
		want = "an array"
	case reflect.Int, reflect.Int64, reflect.Float64:
		want = "a number"
	}
	got, _, _ := strings.Cut(mismatch.Value, " ") // "number 1.5"
	if got == "bool" {
		got = "boolean"
	}
	return invalidParams("params."+mismatch.Field, fmt.Sprintf("must be %s, is %s", want, got))
}

func (m *message) checkParams(def method) *catalog.Error {
	var found [maxParams][]byte // as def.params has them
	for key, value := range wirejson.Members(m.params) {
		if key == "_meta" {
			m.meta = value
			continue
		}
		for i, p := range def.params {
			if p.name == key {
				found[i] = value
			}
		}
	}
	if kind := wirejson.Kind(m.meta); m.meta != nil && kind != '{' && kind != 'n' {
		return invalidParams("params._meta", "must be an object, is "+wirejson.TypeName(m.meta))
	}
	var missing []string
	for i, p := range def.params {
		switch value := found[i]; {
		case value == nil, wirejson.Kind(value) == 'n' && (!p.required || p.kind == '{'):
			if p.required {
				missing = append(missing, "params."+p.name)
			}
		case wirejson.Kind(value) != p.kind:
			return invalidParams("params."+p.name, fmt.Sprintf("must be %s, is %s", kindName(p.kind), wirejson.TypeName(value)))
		}
	}
	if missing != nil {
		if m.params == nil {
			missing = slices.Insert(missing, 0, "params")
		}
		err := missingFields(missing)
		err.Type = invalidParamsType
		return err
	}
	if m.method == "tools/call" {
		m.tool, _, _ = unquote(found[0])
	}
	return nil
}

// invalidParamsType marks, within this package, an InvalidRequestError whose
// JSON-RPC code is that of invalid params.
const invalidParamsType = catalog.InvalidRequestError + "/params"

func invalidParams(field, reason string) *catalog.Error {
	err := invalidRequest(field+" "+reason, fieldDetails(field, reason))
	err.Type = invalidParamsType
	return err
}

func methodNotFound(name string) *catalog.Error {
	names := make([]string, 0, len(methods))
	for n, def := range methods {
		if !def.notification {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	near := catalog.Suggest(name, names)
	text := fmt.Sprintf("method %q is not known", catalog.Clip(name, 100))
	if len(near) > 0 {
		text += "; did you mean " + strings.Join(near, ", ") + "?"
	}
	return &catalog.Error{
		Type: catalog.MethodNotFound, Code: "METHOD_NOT_FOUND", Message: text,
		Details: map[string]any{"method": catalog.Clip(name, 100), "suggestions": near},
	}
}
