package httpcompat_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/httpcompat"
)

// openAPI is what the tests look at in the document.
type openAPI struct {
	Info    struct{ Title, Version string }
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		OperationID string
		RequestBody struct {
			Required bool
			Content  map[string]struct{ Schema json.RawMessage }
		}
		Responses map[string]struct {
			Ref     string `json:"$ref"`
			Content map[string]struct{ Schema json.RawMessage }
		}
	}
	Components struct {
		Schemas         map[string]json.RawMessage
		SecuritySchemes map[string]any
	}
	Security []map[string][]string
}

func describe(t *testing.T, h http.Handler) ([]byte, openAPI) {
	t.Helper()
	w := do(h, "GET", "/api/openapi.json", "")
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var doc openAPI
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return w.Body.Bytes(), doc
}

// TestOpenAPIIsValid holds the document against the OpenAPI Initiative's own
// schema of version 3.1 (testdata/README.md).
func TestOpenAPIIsValid(t *testing.T) {
	text, err := os.ReadFile("testdata/openapi-3.1-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := schema(string(text)).Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string]*httpcompat.Options{
		"plain": nil,
		"full":  {MayUseGuarded: trusting, TokenConfigured: true, Version: "1.2.3", ServerURL: "https://example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			doc, _ := describe(t, newHandler(t, opts))
			if err := rules.Validate(decode(t, doc)); err != nil {
				t.Error(err)
			}
			if err := rules.Validate(decode(t, []byte(strings.Replace(string(doc), `"responses"`, `"replies"`, 1)))); err == nil {
				t.Error("the schema accepts a broken document: it proves nothing")
			}
		})
	}
}

func TestOpenAPIContent(t *testing.T) {
	_, doc := describe(t, newHandler(t, &httpcompat.Options{
		MayUseGuarded: trusting, TokenConfigured: true, Version: "1.2.3", ServerURL: "https://example.org",
	}))
	if doc.Info.Version != "1.2.3" || len(doc.Servers) != 1 || doc.Servers[0].URL != "https://example.org" {
		t.Errorf("info %+v, servers %+v", doc.Info, doc.Servers)
	}
	if doc.Components.SecuritySchemes["token"] == nil || len(doc.Security) != 1 {
		t.Errorf("a token is configured, and security is %v", doc.Security)
	}
	want := []string{
		"/api/openapi.json", "/api/tools", "/api/tools/echo", "/api/tools/encodePlantUML", "/api/tools/fail", "/api/tools/fs_read",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(doc.Paths))); diff != "" {
		t.Errorf("paths: -want +got:\n%s", diff)
	}
	wantJSON(t, doc.Components.Schemas["encodePlantUML.input"], encodeSchema)

	open := []string{"200", "400", "401", "403", "404", "405", "408", "413", "422", "429", "500", "503", "504"}
	guarded := slices.Sorted(slices.Values(append(slices.Clone(open), "415", "502")))
	for path, want := range map[string][]string{"/api/tools/encodePlantUML": open, "/api/tools/fs_read": guarded} {
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(doc.Paths[path]["post"].Responses))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", path, diff)
		}
	}
}

// TestOpenAPIDescribesAnswers holds real answers against the schemas that the
// document promises for them.
func TestOpenAPIDescribesAnswers(t *testing.T) {
	h := newHandler(t, &httpcompat.Options{MayUseGuarded: trusting})
	_, doc := describe(t, h)
	tests := []struct{ method, path, body, status string }{
		{"POST", "/api/tools/encodePlantUML", `{"plantumlCode":"A"}`, "200"},
		{"POST", "/api/tools/encodePlantUML", `{}`, "400"},
		{"POST", "/api/tools/echo", `{"text":"a"}`, "200"},
		{"POST", "/api/tools/echo", `{}`, "422"},
		{"POST", "/api/tools/fs_read", `{"text":"a"}`, "200"},
		{"GET", "/api/tools", "", "200"},
		{"GET", "/api/openapi.json", "", "200"},
	}
	for _, tt := range tests {
		promised := doc.Paths[tt.path][strings.ToLower(tt.method)].Responses[tt.status].Content["application/json"].Schema
		if tt.status != "200" {
			promised = json.RawMessage(`{"$ref":"#/components/schemas/Error"}`)
		}
		rules, err := standalone(t, promised, doc.Components.Schemas).Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.path, err)
		}
		w := do(h, tt.method, tt.path, tt.body, "Content-Type", "application/json")
		if err := rules.Validate(decode(t, w.Body.Bytes())); err != nil {
			t.Errorf("%s %s: %v\n%s", tt.path, tt.status, err, w.Body)
		}
	}
}

// standalone turns a schema of the document into one that needs no document.
func standalone(t *testing.T, s json.RawMessage, components map[string]json.RawMessage) *jsonschema.Schema {
	t.Helper()
	defs, err := json.Marshal(components)
	if err != nil {
		t.Fatal(err)
	}
	text := `{"allOf":[` + string(s) + `],"$defs":` + string(defs) + `}`
	return schema(strings.ReplaceAll(text, "#/components/schemas/", "#/$defs/"))
}

// A schema that refers to its own parts goes on meaning them.
func TestOpenAPIKeepsLocalReferences(t *testing.T) {
	tool := echo()
	tool.Input = schema(`{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object"}}}`)
	_, doc := describe(t, httpcompat.New(newCatalog(t, tool), nil))
	input := doc.Components.Schemas["echo.input"]
	wantJSON(t, input, `{"$id":"urn:webodar:echo.input","type":"object",
		"properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object"}}}`)
	if _, err := standalone(t, json.RawMessage(`{"$ref":"#/components/schemas/echo.input"}`), doc.Components.Schemas).Resolve(nil); err != nil {
		t.Error(err)
	}
	if tool.Input.ID != "" {
		t.Error("the tool's own schema was changed")
	}
}

func TestOpenAPIIsStable(t *testing.T) {
	h := newHandler(t, nil)
	first, _ := describe(t, h)
	for range 5 {
		if again, _ := describe(t, h); string(again) != string(first) {
			t.Fatal("the same catalogue gave two documents")
		}
	}
}
