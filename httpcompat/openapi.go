package httpcompat

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
)

// object is a JSON object that is written down here.
type object = map[string]any

// describe answers GET /api/openapi.json with the catalogue as r may use it.
func (h *handler) describe(w http.ResponseWriter, r *http.Request) (*document, *catalog.Error) {
	tools, guarded := h.visible(r)
	h.allowOrigins(w, r, getOnly, guarded)
	if ok, err := reads(w, r); !ok {
		return nil, err
	}
	return encode(h.openAPI(tools))
}

// openAPI is the OpenAPI 3.1 document for tools. Version 3.1 takes JSON Schema
// as it is, so the tools' own schemas stand in it unchanged.
func (h *handler) openAPI(tools []*catalog.Tool) object {
	answers := h.errorAnswers()
	listing := toListing(answers)
	paths := object{
		"/api/tools":        object{"get": operation("tools.list", "Lists the tools", listSchema(), listing)},
		"/api/openapi.json": object{"get": operation("api.describe", "Describes this interface", object{"type": "object"}, listing)},
	}
	schemas := object{"Error": errorSchema()}
	for _, t := range tools {
		schemas[t.Name+".input"] = embedded(t.Input, t.Name+".input")
		schemas[t.Name+".output"] = object{"type": "object"}
		if t.Output != nil {
			schemas[t.Name+".output"] = embedded(t.Output, t.Name+".output")
		}
		paths["/api/tools/"+t.Name] = object{"post": toolOperation(t, toCall(t, answers))}
	}
	components := object{"schemas": schemas, "responses": errorResponses(answers)}
	doc := object{
		"openapi": "3.1.1",
		"info": object{
			"title":       "webodar",
			"version":     cmp.Or(h.opts.Version, "0.0.0"),
			"description": "Tools for diagrams, one path each. The paths below /api/tools are below /api/v1/tools as well.",
		},
		"paths":      paths,
		"components": components,
	}
	if h.opts.ServerURL != "" {
		doc["servers"] = []any{object{"url": h.opts.ServerURL}}
	}
	if h.opts.TokenConfigured {
		components["securitySchemes"] = object{"token": object{"type": "http", "scheme": "bearer"}}
		doc["security"] = []any{object{"token": []string{}}}
	}
	return doc
}

// toolOperation describes POST /api/tools/{name} of one tool.
func toolOperation(t *catalog.Tool, answers []errorAnswer) object {
	result := object{
		"type": "object", "required": []string{"success", "result"},
		"properties": object{"success": object{"const": true}, "result": schemaRef(t.Name + ".output")},
	}
	op := operation(t.Name, cmp.Or(t.Title, t.Name), result, answers)
	if t.Picture != "" {
		success := op["responses"].(object)["200"].(object)
		success["content"].(object)[t.Picture] = object{"schema": object{"type": "string", "format": "binary"}}
	}
	op["description"] = t.Description
	op["requestBody"] = object{"required": len(t.Input.Required) > 0, "content": jsonContent(schemaRef(t.Name + ".input"))}
	return op
}

// operation describes one method of a path: what success and failure look like.
// A tool's name is its id; ids with a dot are free of tools, whose names have none.
func operation(id, summary string, success object, answers []errorAnswer) object {
	responses := errorRefs(answers)
	responses["200"] = object{"description": "Success", "content": jsonContent(success)}
	return object{"operationId": id, "summary": summary, "responses": responses}
}

func listSchema() object {
	text := object{"type": "string"}
	return object{
		"type": "object", "required": []string{"tools"},
		"properties": object{"tools": object{"type": "array", "items": object{
			"type": "object", "required": []string{"id", "name", "description", "inputSchema"},
			"properties": object{"id": text, "name": text, "description": text, "inputSchema": object{"type": "object"}},
		}}},
	}
}

func jsonContent(schema object) object {
	return object{"application/json": object{"schema": schema}}
}

func schemaRef(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// embedded returns a tool's schema for a place within another document. A
// schema that refers to its own parts needs a name of its own, or "#/$defs/x"
// would mean the document's.
func embedded(s *jsonschema.Schema, name string) *jsonschema.Schema {
	text, err := json.Marshal(s)
	if err != nil || s.ID != "" || !strings.Contains(string(text), `ef":"#`) {
		return s // encoding the document reports err
	}
	named := *s
	named.ID = "urn:webodar:" + name
	return &named
}
