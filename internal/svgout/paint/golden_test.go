package paint_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/webodar/webodar/internal/svgout/paint"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each file has a picture, the display list that it becomes, and the warnings. What is
// not supported is a warning, so that a golden file without them shows that all is.
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := paint.Read([]byte(section(a, "in.svg")), nil)
			if err != nil {
				t.Fatal(err)
			}
			warnings := ""
			if len(p.Warnings) > 0 {
				warnings = strings.Join(p.Warnings, "\n") + "\n"
			}
			if *update {
				setSection(a, "list", p.Dump())
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(section(a, "warnings"), warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(section(a, "list"), p.Dump()); diff != "" {
				t.Errorf("display list (-want +got):\n%s", diff)
			}
			// Both painters take whatever there is.
			pdfOf(t, p)
			pngOf(t, p)
		})
	}
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setSection(a *txtar.Archive, name, data string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(data)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(data)})
}
