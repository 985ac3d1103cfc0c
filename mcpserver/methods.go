package mcpserver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// method is what the guard knows of an MCP method: enough to refuse, in the
// contract's words, what the SDK would refuse in the words of Go's JSON
// decoder, or not at all.
type method struct {
	notification bool
	params       []param // those that are looked at
}

type param struct {
	name     string
	kind     byte // as wirejson.Kind gives it
	typeName string
	required bool
}

func required(name string, kind byte) param { return param{name, kind, kindName(kind), true} }
func optional(name string, kind byte) param { return param{name, kind, kindName(kind), false} }

func kindName(kind byte) string {
	switch kind {
	case '{':
		return "object"
	case '"':
		return "string"
	}
	return "number"
}

// methods are the requests and notifications that a server takes (MCP schema,
// ClientRequest and ClientNotification of all versions).
var methods = map[string]method{
	"initialize": {params: []param{
		required("protocolVersion", '"'), optional("capabilities", '{'), optional("clientInfo", '{'),
	}},
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
	"prompts/get":              {params: []param{required("name", '"'), optional("arguments", '{')}},
	"completion/complete":      {params: []param{required("ref", '{'), required("argument", '{'), optional("context", '{')}},
	"logging/setLevel":         {params: []param{required("level", '"')}},
	"subscriptions/listen":     {params: []param{required("notifications", '{')}},

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
	return m.checkParams(def)
}

func (m *message) checkParams(def method) *catalog.Error {
	var missing []string
	found := make(map[string][]byte, 4)
	for key, value := range wirejson.Members(m.params) {
		found[key] = value
	}
	if meta, ok := found["_meta"]; ok && wirejson.Kind(meta) != '{' && wirejson.Kind(meta) != 'n' {
		return invalidParams("params._meta", "must be an object, is "+wirejson.TypeName(meta))
	}
	for _, p := range def.params {
		value, ok := found[p.name]
		if !ok || wirejson.Kind(value) == 'n' && (!p.required || p.kind == '{') {
			if p.required {
				missing = append(missing, "params."+p.name)
			}
			continue
		}
		if wirejson.Kind(value) != p.kind {
			return invalidParams("params."+p.name, fmt.Sprintf("must be a %s, is %s", p.typeName, wirejson.TypeName(value)))
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
		m.tool, _, _ = unquote(found["name"])
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
