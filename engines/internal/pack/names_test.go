package pack

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDropNames(t *testing.T) {
	for in, want := range map[string]string{
		"function f() {}\n__name(f, \"f\");\ng();\n":             "function f() {}\ng();\n",
		"function f2() {}\n__name(f2, \"f\");\n":                 "function f2() {}\n__name(f2, \"f\");\n",
		"a = __name(function f(x) {\n  return x;\n}, \"f\");\n":  "a = (function f(x) {\n  return x;\n});\n",
		"a = __name(function f() {\n}, \"f\"); b({}, \"f\");\n":  "a = __name(function f() {\n}, \"f\"); b({}, \"f\");\n",
		"a = __name(() => {\n}, \"a\");\nfunction __name() {}\n": "a = __name(() => {\n}, \"a\");\nfunction __name() {}\n",
	} {
		if got := DropNames(in); got != want {
			t.Errorf("%q\n got  %q\n want %q", in, got, want)
		}
	}
}

// TestDropNamesInELK: it is written as esbuild writes.
func TestDropNamesInELK(t *testing.T) {
	files, err := readFiles(filepath.Join(installed(t), "node_modules", "mermaid", "dist", "chunks", "mermaid.esm", "elk-*.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		before, after := strings.Count(text, "__name("), strings.Count(DropNames(text), "__name(")
		if before < 1000 || after > before/10 {
			t.Errorf("%s: %d calls of __name, %d are left", name, before, after)
		}
	}
}
