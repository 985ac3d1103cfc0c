package mermaid_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

var messageLine = regexp.MustCompile(`error on line (\d+)`)

// Every invalid file is rejected as such, at the line that mermaid names where it
// names one that counts as submitted.
func TestCorpusInvalid(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	files := corpus(t, "invalid")
	index, err := os.ReadFile(filepath.Join(filepath.Dir(files[0]), "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for line := range strings.SplitSeq(string(index), "\n") {
		name, _, _ := strings.Cut(line, "\t")
		if m := messageLine.FindStringSubmatch(line); m != nil {
			want[name], _ = strconv.Atoi(m[1])
		}
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			code, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := problemOf(t, &mermaid.Request{Code: string(code), CheckOnly: true})
			if p.Code != mermaid.ParseError || p.Place == nil {
				t.Fatalf("got %s without a place: %s", p.Code, p.Message)
			}
			if line := want[filepath.Base(file)]; line != 0 && p.Place.Line != line {
				t.Errorf("line %d, mermaid says %d: %s", p.Place.Line, line, p.Message)
			}
			// The place must be in the text as submitted.
			if got := splitLines(string(code))[p.Place.Line-1]; got != p.Place.Source {
				t.Errorf("line %d is %q, the problem shows %q", p.Place.Line, got, p.Place.Source)
			}
		})
	}
}

func splitLines(code string) []string {
	return regexp.MustCompile(`\r\n?|\n`).Split(code, -1)
}

// Every valid file is drawn. How like Chromium's the drawings are is looked at with
// tools/svg_facts.py; WEBODAR_SVG_DIR has them written there.
func TestCorpusValid(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, file := range corpus(t, "valid") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			code, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := mustRender(t, &mermaid.Request{Code: string(code), Model: true})
			harmless(t, d.SVG)
			if dir := os.Getenv("WEBODAR_SVG_DIR"); dir != "" {
				name := strings.TrimSuffix(filepath.Base(file), ".mmd") + ".svg"
				if err := os.WriteFile(filepath.Join(dir, name), []byte(d.SVG), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
