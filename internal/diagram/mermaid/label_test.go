package mermaid_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

var (
	oneText = regexp.MustCompile(`(?s)<text\b([^>]*)>(.*?)</text>`)
	oneRow  = regexp.MustCompile(`<tspan x=`)
	anyTag  = regexp.MustCompile(`<[^>]*>`)
)

// label is a text of a picture: its attributes, and its rows.
type label struct {
	attributes string
	rows       []string
}

// labelWith finds the text that begins with some words.
func labelWith(t *testing.T, svg, words string) label {
	t.Helper()
	for _, m := range oneText.FindAllStringSubmatch(svg, -1) {
		if !strings.HasPrefix(anyTag.ReplaceAllString(m[2], ""), words) {
			continue
		}
		l := label{attributes: m[1]}
		for _, row := range oneRow.Split(m[2], -1)[1:] {
			l.rows = append(l.rows, anyTag.ReplaceAllString("<"+row, ""))
		}
		return l
	}
	t.Fatalf("no text that begins with %q", words)
	return label{}
}

// What mermaid draws as HTML keeps, as SVG text, its weight, its colour, and its place
// in the box.
func TestLabelsFromHTML(t *testing.T) {
	icon := mustRender(t, &mermaid.Request{Code: "architecture-beta\n  service a \"<b>Bold</b> and <i>italic</i> in a small box\"[x]\n"}).SVG
	got := labelWith(t, icon, "Bold")
	if want := []string{"Bold and", "italic in a", "small box"}; !slices.Equal(got.rows, want) {
		t.Error(cmp.Diff(want, got.rows))
	}
	for _, want := range []string{`font-weight="bold">Bold<`, `font-style="italic">italic<`} {
		if !strings.Contains(icon, want) {
			t.Errorf("no %s", want)
		}
	}
	if !strings.Contains(got.attributes, "fill:#fff") {
		t.Errorf("the text on the blue box has the attributes %s", got.attributes)
	}
	event := mustRender(t, &mermaid.Request{Code: "eventmodeling\n\ntf 01 cmd PlaceOrder { \"n\": 3 }\n"}).SVG
	for _, want := range []string{`font-weight="bold">PlaceOrder<`, `font-family="monospace">"n": 3<`} {
		if !strings.Contains(event, want) {
			t.Errorf("no %s", want)
		}
	}
}

// Labels of a journey can be told from the boxes that they stand in, and do not leave
// them.
func TestJourneyLabels(t *testing.T) {
	svg := mustRender(t, &mermaid.Request{Code: "journey\n  section Work\n    Travel to the far away office: 1: Bob\n    Talk: 3: Ann\n"}).SVG
	if got, want := labelWith(t, svg, "Travel").rows, []string{"Travel to the far away", "office"}; !slices.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for _, words := range []string{"Work", "Travel", "Talk"} {
		if got := labelWith(t, svg, words).attributes; !strings.Contains(got, "fill:#333") {
			t.Errorf("%s has the attributes %s", words, got)
		}
	}
}
