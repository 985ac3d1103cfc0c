package mermaid_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

func TestParseConfig(t *testing.T) {
	for _, tt := range []struct {
		config string
		key    string // that is refused
		code   mermaid.Code
	}{
		{`{"flowchart":{"curve":"linear","direction":"LR"},"maxEdges":100000,"handDrawnSeed":7}`, "", ""},
		{`""`, "", ""},
		{`null`, "", ""},
		{`"{\"theme\":\"dark\"}"`, "", ""},
		{`{"fontFamily":"\"Trebuchet MS\", Verdana, sans-serif"}`, "", ""},
		{`{"themeVariables":{"primaryColor":"#ff0000","fontSize":"16px","darkMode":true,"lineColor":"rgb(1, 2, 3)","xyChart":{"plotColorPalette":"#f00, #0f0"},"fontFamily":"Arial"}}`, "", ""},
		{`{"secure":[]}`, "secure", mermaid.InvalidConfig},
		{`{"securityLevel":"loose"}`, "securityLevel", mermaid.InvalidConfig},
		{`{"startOnLoad":true}`, "startOnLoad", mermaid.InvalidConfig},
		{`{"htmlLabels":true}`, "htmlLabels", mermaid.InvalidConfig},
		{`{"flowchart":{"htmlLabels":true}}`, "flowchart.htmlLabels", mermaid.InvalidConfig},
		{`{"dompurifyConfig":{}}`, "dompurifyConfig", mermaid.InvalidConfig},
		{`{"themeCSS":"*{}"}`, "themeCSS", mermaid.InvalidConfig},
		{`{"deterministicIds":false}`, "deterministicIds", mermaid.InvalidConfig},
		{`{"deterministicIDSeed":"x"}`, "deterministicIDSeed", mermaid.InvalidConfig},
		{`{"suppressErrorRendering":false}`, "suppressErrorRendering", mermaid.InvalidConfig},
		{`{"logLevel":1}`, "logLevel", mermaid.InvalidConfig},
		{`{"gitGraph":{"arrowMarkerAbsolute":true}}`, "gitGraph.arrowMarkerAbsolute", mermaid.InvalidConfig},
		{`{"__proto__":{"x":1}}`, "__proto__", mermaid.InvalidConfig},
		{`{"pie":{"constructor":{"prototype":{}}}}`, "pie.constructor", mermaid.InvalidConfig},
		{`{"prototype":1}`, "prototype", mermaid.InvalidConfig},
		{`{"fontFamily":"x; } body { color: red"}`, "fontFamily", mermaid.InvalidConfig},
		{`{"altFontFamily":"url(x)"}`, "altFontFamily", mermaid.InvalidConfig},
		{`{"sequence":{"actorFontFamily":"x\" onload=\"y"}}`, "sequence.actorFontFamily", mermaid.InvalidConfig},
		{`{"themeVariables":{"primaryColor":"red;}*{x:y"}}`, "themeVariables.primaryColor", mermaid.InvalidConfig},
		{`{"themeVariables":{"radar":{"axisColor":"url(http://x)"}}}`, "themeVariables.radar.axisColor", mermaid.InvalidConfig},
		{`{"maxEdges":100001}`, "maxEdges", mermaid.InvalidConfig},
		{`{"maxEdges":"many"}`, "maxEdges", mermaid.InvalidConfig},
		{`{"theme":"nope"}`, "theme", mermaid.InvalidConfig},
		{`{"flowchart":{"look":"odd"}}`, "flowchart.look", mermaid.InvalidConfig},
		{`{"flowchart":{"direction":"UP"}}`, "flowchart.direction", mermaid.InvalidConfig},
		{`{"gantt":{"today":"2026-02-30"}}`, "gantt.today", mermaid.InvalidConfig},
		{`[]`, "", mermaid.InvalidConfig},
		{`"{\n \"a\": }"`, "", mermaid.InvalidConfig},
	} {
		_, _, p := mermaid.ParseConfig(json.RawMessage(tt.config))
		switch {
		case p == nil && tt.code != "":
			t.Errorf("%s passed", tt.config)
		case p != nil && (p.Code != tt.code || p.Key != tt.key || !strings.Contains(p.Message, tt.key)):
			t.Errorf("%s: got %s, key %q: %s; want key %q", tt.config, p.Code, p.Key, p.Message, tt.key)
		}
	}
	_, warnings, p := mermaid.ParseConfig(json.RawMessage(`{"maxTextSize":5}`))
	if p != nil || len(warnings) != 1 {
		t.Errorf("maxTextSize: %v, %q", p, warnings)
	}
}

func TestRequestCheck(t *testing.T) {
	for _, colour := range []string{"transparent", "#fff", "#FFFFFF", "#ffffff80", "White", "rgb(1,2,3)", "rgba(1, 2, 3, .5)", "hsl(120deg 50% 50%)", "rgb(10% 20% 30% / 40%)"} {
		if p := (&mermaid.Request{Code: "pie", Background: colour}).Check(); p != nil {
			t.Errorf("%s: %s", colour, p.Message)
		}
	}
	for _, colour := range []string{"#ffff1", "whiteish", "red;x:y", "url(#a)", "var(--x)", "rgb(1,2,3", `red"`, "1px"} {
		if p := (&mermaid.Request{Code: "pie", Background: colour}).Check(); p == nil || p.Code != mermaid.InvalidInput {
			t.Errorf("%s passed: %v", colour, p)
		}
	}
}

// What a diagram may not set is left out with a warning, in directives and front
// matter alike.
func TestDirectives(t *testing.T) {
	for _, tt := range []struct{ name, code, warning string }{
		{"directive", "%%{init: {\"securityLevel\": \"loose\"}}%%\nflowchart TD\nA", "securityLevel"},
		{"below a type", "%%{init: {'flowchart': {'htmlLabels': true}}}%%\nflowchart TD\nA", "flowchart.htmlLabels"},
		{"front matter", "---\nconfig:\n  themeCSS: 'a{}'\n---\nflowchart TD\nA", "themeCSS"},
		{"font", "---\nconfig:\n  fontFamily: 'x;} y{'\n---\nflowchart TD\nA", "fontFamily"},
		{"theme variable", "---\nconfig:\n  themeVariables:\n    primaryColor: 'url(x)'\n---\nflowchart TD\nA", "themeVariables.primaryColor"},
		{"not JSON", "%%{init: {theme: dark}}%%\nflowchart TD\nA", "line 1 was ignored"},
		{"fence at the end", "flowchart TD\nA --> B\n```", "line 3 is a Markdown fence"},
		{"today", "gantt\n dateFormat YYYY-MM-DD\n todayMarker stroke:red\n A :a, 2026-01-01, 2d", "today marker was left out"},
		{"odd date", "gantt\n dateFormat YYYY-MM-DD\n A :a, 2026-02-31, 2d", "2026-02-31"},
		{"score", "journey\n section a\n b: 9: Me", "scores go from 1 to 5"},
		{"allowed", "%%{init: {\"theme\": \"forest\", \"maxEdges\": 1000}}%%\nflowchart TD\nA", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := mustRender(t, &mermaid.Request{Code: tt.code})
			joined := strings.Join(d.Warnings, "\n")
			if !strings.Contains(joined, tt.warning) || (joined == "") != (tt.warning == "") {
				t.Errorf("warnings %q, want %q", d.Warnings, tt.warning)
			}
			harmless(t, d.SVG)
		})
	}
}

func TestSettings(t *testing.T) {
	model := func(req *mermaid.Request) string {
		t.Helper()
		req.Model = true
		var m struct{ Direction string }
		if err := json.Unmarshal(mustRender(t, req).Model, &m); err != nil {
			t.Fatal(err)
		}
		return m.Direction
	}
	direction := config(t, `{"flowchart":{"direction":"LR"}}`)
	if got := model(&mermaid.Request{Code: "flowchart\nA --> B", Config: direction}); got != "LR" {
		t.Errorf("direction %q, want the caller's", got)
	}
	if got := model(&mermaid.Request{Code: "flowchart BT\nA --> B", Config: direction}); got != "BT" {
		t.Errorf("direction %q, want the header's", got)
	}
	if d := mustRender(t, &mermaid.Request{Code: "flowchart BT\nA --> B", Config: direction}); len(d.Warnings) != 1 {
		t.Errorf("warnings %q, want one about the direction", d.Warnings)
	}

	const plan = "gantt\n dateFormat YYYY-MM-DD\n A :a, 2026-01-01, 20d"
	if d := mustRender(t, &mermaid.Request{Code: plan}); strings.Contains(d.SVG, `class="today"`) || len(d.Warnings) > 0 {
		t.Errorf("a today marker without a date, or warnings %q", d.Warnings)
	}
	if d := mustRender(t, &mermaid.Request{Code: plan, Config: config(t, `{"gantt":{"today":"2026-01-11"}}`)}); !strings.Contains(d.SVG, `class="today"`) {
		t.Error("no today marker although there is a date")
	}

	plain := mustRender(t, &mermaid.Request{Code: "pie\n \"a\" : 1"})
	dark := mustRender(t, &mermaid.Request{Code: "pie\n \"a\" : 1", Theme: "dark", Background: "transparent"})
	if plain.SVG == dark.SVG || strings.Contains(plain.SVG, "background-color: ") || !strings.Contains(dark.SVG, "background-color: transparent;") {
		t.Error("theme or background have no effect")
	}
	p := problemOf(t, &mermaid.Request{Code: "pie\n \"a\" : 1", Config: config(t, `{"themeVariables":{"primaryColor":"nocolour"}}`), Theme: "base"})
	if p.Code != mermaid.InvalidConfig {
		t.Errorf("a colour that is none: %s %s", p.Code, p.Message)
	}
}

// The names that Go checks are those that mermaid registers.
func TestThemes(t *testing.T) {
	for _, theme := range mermaid.Themes {
		mustRender(t, &mermaid.Request{Code: "pie\n \"a\" : 1", Theme: theme})
	}
}

// Equal requests give equal bytes, whatever was drawn before in the process.
func TestDeterministic(t *testing.T) {
	codes := []string{
		"flowchart TD\nA([x]) --> B[(y)]", "sequenceDiagram\nA->>B: x", "classDiagram\nA <|-- B", "stateDiagram-v2\n[*] --> A",
		"gitGraph\ncommit\nbranch a\ncommit", "mindmap\n root\n  a\n  b", "gantt\n A :a, 2026-01-01, 2d", "erDiagram\nA ||--o{ B : x",
	}
	first := map[string]string{}
	for _, code := range codes {
		first[code] = mustRender(t, &mermaid.Request{Code: code}).SVG
	}
	for i := len(codes) - 1; i >= 0; i-- {
		if mustRender(t, &mermaid.Request{Code: codes[i]}).SVG != first[codes[i]] {
			t.Errorf("not the same twice: %s", codes[i])
		}
	}
}

// Settings that do nothing, or not what is meant, are told.
func TestOddSettings(t *testing.T) {
	for name, tc := range map[string]struct {
		code, config string
		want         []string
	}{
		"fine":         {"flowchart TD\n a-->b", `{"flowchart":{"curve":"linear","nodeSpacing":30},"theme":"forest","fontSize":14}`, nil},
		"misspelt":     {"flowchart TD\n a-->b", `{"flowchart":{"curv":"linear"}}`, []string{"config_json: mermaid has no setting flowchart.curv; did you mean flowchart.curve?"}},
		"section":      {"flowchart TD\n a-->b", `{"flowchar":{"curve":"linear"}}`, []string{"config_json: mermaid has no setting flowchar; did you mean flowchart?"}},
		"type":         {"flowchart TD\n a-->b", `{"flowchart":{"nodeSpacing":"wide"}}`, []string{`config_json: flowchart.nodeSpacing is "wide", but mermaid wants a number there`}},
		"no section":   {"flowchart TD\n a-->b", `{"flowchart":true}`, []string{"config_json: flowchart is true, but mermaid wants an object there"}},
		"front matter": {"---\nconfig:\n  pie:\n    textPositon: 0.3\n---\npie\n \"a\" : 1", ``, []string{"the diagram's own configuration: mermaid has no setting pie.textPositon; did you mean pie.textPosition?"}},
		"directive":    {"%%{init: {\"gantt\": {\"barHeight\": \"x\"}}}%%\ngantt\n section s\n a :2026-01-01, 1d", ``, []string{`the diagram's own configuration: gantt.barHeight is "x", but mermaid wants a number there`}},
	} {
		t.Run(name, func(t *testing.T) {
			d := mustRender(t, &mermaid.Request{Code: tc.code, Config: config(t, tc.config)})
			if diff := cmp.Diff(tc.want, d.Warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
}
