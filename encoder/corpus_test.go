package encoder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/encoder"
)

// TestCorpus checks diagrams of all types against the codes that zlib gives. The
// corpus is not part of the repository; WEBODAR_CORPUS=required makes its
// absence a failure.
func TestCorpus(t *testing.T) {
	if os.Getenv("WEBODAR_CORPUS") == "" {
		t.Skip("make corpus runs this")
	}
	dir := filepath.Join("..", "..", "shared", "corpus", "plantuml")
	index, err := os.ReadFile(filepath.Join(dir, "ENCODED.tsv"))
	if err != nil {
		if os.Getenv("WEBODAR_CORPUS") == "required" {
			t.Fatalf("the corpus is required: %v", err)
		}
		t.Skipf("SKIPPED: no corpus, nothing was checked: %v", err)
	}
	checked := 0
	for line := range strings.Lines(string(index)) {
		file, want, found := strings.Cut(strings.TrimSpace(line), "\t")
		if !found || file == "file" {
			continue
		}
		checked++
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			got, err := encoder.Encode(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("code (-want +got):\n%s", diff)
			}
			back, err := encoder.Decode(want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(text), back); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
	if checked == 0 {
		t.Error("the corpus is empty")
	}
}
