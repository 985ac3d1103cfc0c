package markdown_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/webodar/webodar/internal/markdown"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each archive has in.md, the fences found in it, and what Embed makes of it.
func TestFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no test data", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src := archive.Files[0].Data
			embedded := embed(src)
			got := []txtar.File{
				archive.Files[0],
				{Name: "fences", Data: describe(src)},
				{Name: "embedded.md", Data: embedded},
			}
			if *update {
				archive.Files = got
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(archive.Files, got); diff != "" {
				t.Errorf("-want +got (go test -update writes it):\n%s", diff)
			}
			checkTwice(t, src, embedded)
		})
	}
}

func isMermaid(f markdown.Fence) bool { return f.Language == "mermaid" || f.Language == "mmd" }

func embed(src []byte) []byte {
	pictures := map[int]markdown.Picture{}
	for i, f := range markdown.Fences(src) {
		if isMermaid(f) {
			pictures[i] = markdown.Picture{Path: fmt.Sprintf("img/my doc-%d.svg", i+1), Alt: "a [b]"}
		}
	}
	return markdown.Embed(src, pictures)
}

func describe(src []byte) []byte {
	var b strings.Builder
	for _, f := range markdown.Fences(src) {
		line, column := f.Place(2, 1)
		fmt.Fprintf(&b, "%d %s, the second line's first character is at %d:%d %q\n", f.Line, f.Language, line, column, f.Code)
	}
	return []byte(b.String())
}

// What was embedded is still there, and embedding again changes nothing.
func checkTwice(t *testing.T, src, embedded []byte) {
	t.Helper()
	if diff := cmp.Diff(string(embedded), string(embed(embedded))); diff != "" {
		t.Errorf("embedding twice, -once +twice:\n%s", diff)
	}
	codes := func(text []byte) (all []string) {
		for _, f := range markdown.Fences(text) {
			if isMermaid(f) {
				all = append(all, f.Code)
			}
		}
		return all
	}
	if diff := cmp.Diff(codes(src), codes(embedded)); diff != "" {
		t.Errorf("the sources changed, -before +after:\n%s", diff)
	}
}

func TestLineEndings(t *testing.T) {
	src := []byte("a\r\n```mermaid\r\npie\r\n```\r\nb\r\n")
	out := embed(src)
	if n := strings.Count(string(out), "\n"); n != strings.Count(string(out), "\r\n") {
		t.Errorf("mixed line endings: %q", out)
	}
	if code := markdown.Fences(src)[0].Code; code != "pie\n" {
		t.Errorf("code %q", code)
	}
	checkTwice(t, src, out)
	if out := embed([]byte("```mermaid\npie\n```")); strings.HasSuffix(string(out), "\n") {
		t.Errorf("a line break was added at the end: %q", out)
	}
}

func TestByteOrderMark(t *testing.T) {
	src := []byte("\ufeff```mermaid\npie\n```\nrest\n")
	out := embed(src)
	if !strings.HasPrefix(string(out), "\ufeff<!-- webodar: ") || !strings.HasSuffix(string(out), "-->\nrest\n") {
		t.Errorf("got %q", out)
	}
	checkTwice(t, src, out)
}

func TestEmbedLeavesTheRest(t *testing.T) {
	src := []byte("a\n\n```mermaid\npie\n```\n\n```mermaid\nbroken\n```\n")
	out := string(markdown.Embed(src, map[int]markdown.Picture{0: {Path: "x.svg"}}))
	if !strings.HasPrefix(out, "a\n\n<!-- webodar: x.svg -->\n") || !strings.HasSuffix(out, "\n```mermaid\nbroken\n```\n") {
		t.Errorf("got %q", out)
	}
	if got := markdown.Embed(src, nil); string(got) != string(src) {
		t.Errorf("nothing to embed, got %q", got)
	}
}

func FuzzEmbed(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Add([]byte("* ```mermaid\n\tpie\n  ```\n"))
	f.Add([]byte("> - ~~~ mmd x\n> <!-- /webodar -->"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, fence := range markdown.Fences(src) {
			fence.Place(1, 1)
		}
		embed(src)
	})
}
