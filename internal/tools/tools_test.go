package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/tools"
)

var update = flag.Bool("update", false, "write the golden files anew")

func newCatalog(t *testing.T, opts *tools.Options) *catalog.Catalog {
	t.Helper()
	builtin, err := tools.All(opts)
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.New(&catalog.Options{Tools: builtin, Resources: tools.Resources(), Prompts: tools.Prompts()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Whatever clients see of a tool is a golden file, so that a change shows in
// review: models read it.
func TestSnapshots(t *testing.T) {
	seen := map[string]bool{}
	everywhere, _ := printer(t, "")
	for _, tool := range everywhere.Tools() {
		got, err := json.MarshalIndent(struct {
			Name, Title, Description string
			Input, Output            *jsonschema.Schema
			Hints                    catalog.Hints
			Exposure                 catalog.Exposure
		}{tool.Name, tool.Title, tool.Description, tool.Input, tool.Output, tool.Hints, tool.Exposure}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "tools", tool.Name+".json")
		seen[path] = true
		if *update {
			if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v: go test ./internal/tools -update writes it", err)
		}
		if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
			t.Errorf("%s changed, -want +got:\n%s", tool.Name, diff)
		}
	}
	files, err := filepath.Glob("testdata/tools/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f] {
			t.Errorf("%s: no such tool any more", f)
		}
	}
}

// The published schema of encodePlantUML (spec 001), to the letter.
func TestEncodeInputSchema(t *testing.T) {
	tool, err := newCatalog(t, nil).Tool("encodePlantUML")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(tool.Input)
	if err != nil {
		t.Fatal(err)
	}
	const published = `{"type":"object","properties":{"plantumlCode":{"type":"string",
		"description":"Valid PlantUML diagram code (must start with @startuml and end with @enduml)"}},"required":["plantumlCode"]}`
	var got, want any
	if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal([]byte(published), &want)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const (
	hello     = "@startuml\nBob -> Alice : hello\n@enduml"
	helloCode = "SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80"
)

func arg(name, value string) string {
	raw, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// random is text that does not compress.
func random(n int) string {
	var b strings.Builder
	for state := uint32(1); b.Len() < n; {
		state = state*1664525 + 1013904223
		b.WriteByte('!' + byte(state>>24)%90)
	}
	return b.String()
}

// calls are calls of every tool; each answer, errors too, is held against the
// tool's own output schema, as clients do.
var calls = []struct {
	name, tool, args string
	want             string // the structured result, when it is short
	code             string // of the error
	warning          string // a part of the only warning
}{
	{"vector 1 of the errata", "encodePlantUML", arg("plantumlCode", "@startuml\nactor A\nactor B\nA --> B\n@enduml"), `{"url":"https://www.plantuml.com/plantuml/svg/SoWkIImgAStDuKfCBialKd24qavSZWgwkdP0sY4rBmKe3m00","encoded":"SoWkIImgAStDuKfCBialKd24qavSZWgwkdP0sY4rBmKe3m00","format":"svg"}`, "", ""},
	{"vector 2 of the errata", "encodePlantUML", arg("plantumlCode", hello), `{"url":"https://www.plantuml.com/plantuml/svg/` + helloCode + `","encoded":"` + helloCode + `","format":"svg"}`, "", ""},
	{"other kinds of diagram", "encodePlantUML", arg("plantumlCode", "@startmindmap\n* a\n@endmindmap"), "", "", ""},
	{"extra members", "encodePlantUML", `{"plantumlCode":"a","theme":"dark"}`, "", "", ""},
	{"no arguments", "encodePlantUML", `{}`, "", "EMPTY_CODE", ""},
	{"null", "encodePlantUML", `{"plantumlCode":null}`, "", "EMPTY_CODE", ""},
	{"number", "encodePlantUML", `{"plantumlCode":5}`, "", "EMPTY_CODE", ""},
	{"empty", "encodePlantUML", `{"plantumlCode":""}`, "", "EMPTY_CODE", ""},
	{"blank", "encodePlantUML", `{"plantumlCode":" \n\t\u00a0\u2003\ufeff"}`, "", "EMPTY_CODE", ""},
	{"name in another case", "encodePlantUML", `{"PlantUMLCode":"a"}`, "", "EMPTY_CODE", ""},
	{"51,200 bytes", "encodePlantUML", arg("plantumlCode", strings.Repeat("é", 25_600)), "", "", ""},
	{"51,201 bytes", "encodePlantUML", arg("plantumlCode", strings.Repeat("é", 25_600)+"x"), "", "CODE_TOO_LARGE", ""},
	{"escapes do not count", "encodePlantUML", `{"plantumlCode":"` + strings.Repeat(`\u0041`, 51_200) + `"}`, "", "", ""},
	{"lone surrogate", "encodePlantUML", `{"plantumlCode":"a\ud800b"}`, "", "ENCODING_FAILED", ""},
	{"surrogate pair", "encodePlantUML", `{"plantumlCode":"\ud83d\ude00"}`, "", "", ""},
	{"long link", "encodePlantUML", arg("plantumlCode", random(2000)), "", "", "wrap or cut"},
	{"longer link", "encodePlantUML", arg("plantumlCode", random(8000)), "", "", "refuses requests over about 8 KB"},
	{"code", "decodePlantUML", arg("encoded", helloCode), `{"plantumlCode":"@startuml\nBob -\u003e Alice : hello\n@enduml"}`, "", ""},
	{"link", "decodePlantUML", arg("encoded", "http://localhost:8080/png/1/"+helloCode), `{"plantumlCode":"@startuml\nBob -\u003e Alice : hello\n@enduml"}`, "", ""},
	{"no @start", "decodePlantUML", arg("encoded", "SzIrSm80"), "", "", "between @startuml and @enduml"},
	{"not a code", "decodePlantUML", arg("encoded", "no code!"), "", "DECODE_FAILED", ""},
	{"Huffman", "decodePlantUML", arg("encoded", "~1abc"), "", "DECODE_FAILED", ""},
	{"missing", "decodePlantUML", `{}`, "", "INVALID_ARGUMENTS", ""},
	{"wrong type", "decodePlantUML", `{"encoded":true}`, "", "INVALID_ARGUMENTS", ""},
}

func TestCalls(t *testing.T) {
	c := newCatalog(t, nil)
	for _, tt := range calls {
		t.Run(tt.tool+"/"+tt.name, func(t *testing.T) {
			var structured any
			res, err := c.Call(context.Background(), tt.tool, json.RawMessage(tt.args))
			if err != nil {
				e := catalog.AsError(err)
				structured = e.Structured()
				if e.Code != tt.code || e.Message == "" || e.Hint == "" {
					t.Errorf("got %s %q, hint %q; want %q", e.Code, e.Message, e.Hint, tt.code)
				}
			} else {
				structured = res.Structured
				if tt.code != "" {
					t.Errorf("no error, want %s", tt.code)
				}
				if len(res.Warnings) > 1 || strings.Join(res.Warnings, "") == "" != (tt.warning == "") || !strings.Contains(strings.Join(res.Warnings, ""), tt.warning) {
					t.Errorf("warnings %q, want one with %q", res.Warnings, tt.warning)
				}
			}
			raw, err := json.Marshal(structured)
			if err != nil {
				t.Fatal(err)
			}
			if tt.want != "" {
				if diff := cmp.Diff(tt.want, string(raw)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
			checkSchema(t, c, tt.tool, raw)
		})
	}
}

func checkSchema(t *testing.T, c *catalog.Catalog, name string, raw []byte) {
	t.Helper()
	tool, err := c.Tool(name)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := tool.Output.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("the answer breaks the output schema: %v\n%.300s", err, raw)
	}
}

func TestPlantUMLURL(t *testing.T) {
	c := newCatalog(t, &tools.Options{PlantUMLURL: "http://uml.example.org:8080/plantuml/"})
	res, err := c.Call(t.Context(), "encodePlantUML", json.RawMessage(arg("plantumlCode", hello)))
	if err != nil {
		t.Fatal(err)
	}
	if want := "http://uml.example.org:8080/plantuml/svg/" + helloCode; res.Text != want {
		t.Errorf("got %q, want %q", res.Text, want)
	}
	for _, bad := range []string{"uml.example.org", "ftp://uml.example.org", "https://uml.example.org/?x=", "::"} {
		if _, err := tools.All(&tools.Options{PlantUMLURL: bad}); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
}

func TestPrompt(t *testing.T) {
	c := newCatalog(t, nil)
	text, err := c.RenderPrompt(t.Context(), "explain_with_diagram", map[string]string{"subject": "TCP's handshake", "kind": "sequence"})
	if err != nil || !strings.Contains(text, "TCP's handshake") || !strings.Contains(text, "(sequence)") || !strings.Contains(text, "encodePlantUML") {
		t.Errorf("got %q, %v", text, err)
	}
}

// What the guide shows must be what it says: each example is a diagram.
func TestGuide(t *testing.T) {
	r, err := newCatalog(t, nil).Resource("webodar://guide/plantuml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if starts, ends := strings.Count(text, "    @startuml\n"), strings.Count(text, "    @enduml\n"); starts < 5 || starts != ends {
		t.Errorf("%d starts, %d ends", starts, ends)
	}
}
