package mermaid_test

import (
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// What a browser would fetch is left out with a warning, and the rest is drawn.
func TestMissing(t *testing.T) {
	for name, tc := range map[string]struct{ code, warning string }{
		"formula":      {"flowchart TD\n  A[\"$$x^2$$\"] --> B", "formulas"},
		"message":      {"sequenceDiagram\n  A->>B: $$x^2$$", "formulas"},
		"font awesome": {"flowchart TD\n  A[\"fa:fa-car Car\"] --> B", "Font Awesome"},
		"mindmap icon": {"mindmap\n  root((a))\n    b\n    ::icon(fa fa-book)", "::icon"},
		"icon pack":    {"architecture-beta\n  service a(logos:aws)[A]", "question mark"},
		"node icon":    {"flowchart TD\n  A@{ icon: \"x:user\", label: \"U\" }", "question mark"},
		"image":        {"flowchart TD\n  A@{ img: \"https://example.org/x.png\", label: \"U\" }", "<image>"},
		"own icon":     {"architecture-beta\n  service a(cloud)[A]", ""},
		"prices":       {"flowchart TD\n  A[\"5$ and 6$\"] --> B", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(mustRender(t, &mermaid.Request{Code: tc.code}).Warnings, "\n")
			if !strings.Contains(got, tc.warning) || tc.warning == "" && got != "" {
				t.Errorf("got warnings %q, want one with %q", got, tc.warning)
			}
		})
	}
}

// The limit on edges names the setting that lifts it.
func TestEdgeLimit(t *testing.T) {
	code := "flowchart TD\n" + strings.Repeat("  a --> b\n", 501)
	if p := problemOf(t, &mermaid.Request{Code: code, CheckOnly: true}); !strings.Contains(p.Hint, "maxEdges") {
		t.Errorf("hint %q", p.Hint)
	}
}
