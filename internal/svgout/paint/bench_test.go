package paint_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/svgout/paint"
)

// The benchmarks take the repository's own fixtures, and the SVGs in WEBODAR_SVG_DIR if
// that is set.
func benchmark(b *testing.B, work func(b *testing.B, svg []byte)) {
	files, _ := filepath.Glob("testdata/*.svg")
	if dir := os.Getenv("WEBODAR_SVG_DIR"); dir != "" {
		files, _ = filepath.Glob(filepath.Join(dir, "*.svg"))
	}
	for _, f := range files {
		svg, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.TrimSuffix(filepath.Base(f), ".svg"), func(b *testing.B) {
			b.ReportAllocs()
			work(b, svg)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	benchmark(b, func(b *testing.B, svg []byte) {
		for b.Loop() {
			if _, err := paint.Read(svg, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPDF(b *testing.B) {
	benchmark(b, func(b *testing.B, svg []byte) {
		p := read(b, svg)
		for b.Loop() {
			if _, err := p.PDF(context.Background(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPNG(b *testing.B) {
	benchmark(b, func(b *testing.B, svg []byte) {
		p := read(b, svg)
		for b.Loop() {
			if _, err := p.PNG(context.Background(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func read(t testing.TB, svg []byte) *paint.Picture {
	t.Helper()
	p, err := paint.Read(svg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
