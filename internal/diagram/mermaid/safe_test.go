package mermaid_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

var harmful = regexp.MustCompile(`(?i)<script|<foreignObject|<iframe|<image|<animate|<set\b|\son[a-z]+\s*=|javascript:|@import|@font-face|expression\(|<!--|<!DOCTYPE|<\?|url\((?:[^#]|$)|(?:xlink:)?href="(?:[^#hm]|h[^t])|\ssrc=`)

// harmless fails the test where a picture could act or load something.
func harmless(t testing.TB, svg string) {
	t.Helper()
	checkXML(t, svg)
	if m := harmful.FindStringIndex(svg); m != nil {
		t.Errorf("found %q in …%s…", svg[m[0]:m[1]], svg[max(0, m[0]-80):min(len(svg), m[1]+80)])
	}
}

// Diagrams that try to get out of their picture. The picture must be harmless, or
// there must be none.
var hostile = map[string]string{
	"script label":        "flowchart TD\n  A[\"<script>alert(1)</script>\"] --> B",
	"img onerror":         "flowchart TD\n  A[\"<img src=x onerror=alert(1)>\"] --> B",
	"svg in a label":      "flowchart TD\n  A[\"<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>\"]",
	"entities":            "flowchart TD\n  A[\"#lt;script#gt;alert(1)#lt;/script#gt; &lt;img src=x onerror=alert(1)&gt;\"]",
	"numeric entities":    "flowchart TD\n  A[\"#60;img src=x onerror=alert(1)#62;\"]",
	"click javascript":    "flowchart TD\n  A --> B\n  click A \"javascript:alert(1)\"",
	"click data":          "flowchart TD\n  A --> B\n  click A href \"data:text/html,<script>alert(1)</script>\"",
	"click callback":      "flowchart TD\n  A --> B\n  click A call alert(1)",
	"image node":          "flowchart TD\n  A@{ img: \"http://evil.example/a.png\", label: \"x\", w: 60, h: 60 }",
	"icon":                "flowchart TD\n  A@{ icon: \"fa:user\", label: \"x\" }",
	"classDef url":        "flowchart TD\n  classDef x fill:url(http://evil.example/a)\n  A:::x --> B",
	"classDef break":      "flowchart TD\n  classDef x fill:#f00}body{background:url(http://evil.example)\n  A:::x --> B",
	"style url":           "flowchart TD\n  A --> B\n  style A fill:#f00,background-image:url(//evil.example/x)",
	"style break":         "flowchart TD\n  A --> B\n  style A fill:red\"onload=\"alert(1)",
	"linkStyle":           "flowchart TD\n  A --> B\n  linkStyle 0 stroke:url(https://evil.example#x)",
	"directive themeCSS":  "%%{init: {\"themeCSS\": \"@import url(http://evil.example/a.css); * { background: url(http://evil.example) }\"}}%%\nflowchart TD\n  A --> B",
	"directive font":      "%%{init: {\"fontFamily\": \"x; } body { background: url(http://evil.example) \"}}%%\nflowchart TD\n  A --> B",
	"directive html":      "%%{init: {\"htmlLabels\": true, \"flowchart\": {\"htmlLabels\": true}, \"securityLevel\": \"loose\"}}%%\nflowchart TD\n  A[\"<b onclick=alert(1)>x</b>\"] --> B",
	"directive proto":     "%%{init: {\"__proto__\": {\"polluted\": true}, \"constructor\": {\"prototype\": {\"polluted\": true}}}}%%\nflowchart TD\n  A --> B",
	"directive theme var": "%%{init: {\"theme\": \"base\", \"themeVariables\": {\"primaryColor\": \"#fff;}*{background:url(http://evil.example)}\"}}}%%\nflowchart TD\n  A --> B",
	"front matter":        "---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  themeCSS: \"* { background: url(http://evil.example) }\"\n  secure: []\n---\nflowchart TD\n  A[\"<img src=x onerror=alert(1)>\"]",
	"front matter title":  "---\ntitle: \"</title><script>alert(1)</script>\"\n---\nflowchart TD\n  A --> B",
	"accTitle":            "flowchart TD\n  accTitle: </title><script>alert(1)</script>\n  A --> B",
	"sequence link":       "sequenceDiagram\n  participant A\n  link A: x @ javascript:alert(1)\n  A->>A: <script>alert(1)</script>",
	"sequence properties": "sequenceDiagram\n  participant A\n  properties A: {\"class\": \"x\\\" onload=\\\"alert(1)\"}\n  A->>A: hi",
	"class link":          "classDiagram\n  class A\n  link A \"javascript:alert(1)\" \"tip\"",
	"gantt click":         "gantt\n  dateFormat YYYY-MM-DD\n  section a\n  b :c1, 2024-01-01, 3d\n  click c1 href \"javascript:alert(1)\"",
	"state note":          "stateDiagram-v2\n  A --> B\n  note right of A : <iframe src=javascript:alert(1)></iframe>",
	"er alias":            "erDiagram\n  A[\"<script>alert(1)</script>\"] ||--o{ B : \"<img src=x onerror=alert(1)>\"",
	"pie label":           "pie\n  \"<script>alert(1)</script>\" : 3",
	"journey":             "journey\n  title <script>alert(1)</script>\n  section <img src=x onerror=alert(1)>\n    x: 3: <b onclick=alert(1)>",
	"mindmap icon":        "mindmap\n  root((<script>alert(1)</script>))\n    ::icon(fa fa-book\" onload=\"alert(1))",
	"architecture icon":   "architecture-beta\n  service a(\"<img src=x onerror=alert(1)>\")[x]",
	"quadrant style":      "quadrantChart\n  x-axis a --> b\n  A: [0.3, 0.6] color: url(http://evil.example)",
	"brackets":            "flowchart TD\n" + strings.Repeat("[", 1<<20-20),
	"nested subgraphs":    "flowchart TD\n" + strings.Repeat("subgraph a\n", 300),
	"directive depth":     "%%{init: " + strings.Repeat("[", 20000) + "}%%\nflowchart TD\n  A --> B",
	"NUL and controls":    "flowchart TD\n  A[\"a\x00b\x1bc\ufffe\"] --> B",
	"katex":               "flowchart TD\n  A[\"$$\\href{javascript:alert(1)}{x}$$\"] --> B",
}

func TestHostile(t *testing.T) {
	for name, code := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := render(t, &mermaid.Request{Code: code})
			if err != nil {
				t.Logf("no picture: %.200v", err)
				return
			}
			harmless(t, d.SVG)
			if strings.Contains(d.SVG, "evil.example") && !strings.Contains(d.SVG, "href=") && strings.Contains(d.SVG, "url(http") {
				t.Error("a foreign address is in the picture")
			}
		})
	}
}

// Two pictures may stand on one page: no id of one is an id of the other.
func TestIDsDoNotClash(t *testing.T) {
	ids := regexp.MustCompile(`\sid="([^"]*)"`)
	first := mustRender(t, &mermaid.Request{Code: "sequenceDiagram\n  A->>B: x"})
	second := mustRender(t, &mermaid.Request{Code: "sequenceDiagram\n  A->>B: y"})
	seen := map[string]bool{}
	for _, m := range ids.FindAllStringSubmatch(first.SVG, -1) {
		seen[m[1]] = true
	}
	for _, m := range ids.FindAllStringSubmatch(second.SVG, -1) {
		if seen[m[1]] {
			t.Errorf("both have id %q", m[1])
		}
	}
}
