package paint_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/svgout/paint"
)

// most is the share of pixels that may differ from Chromium's.
const most = 0.02

// TestCorpusLikeness draws real diagrams, paints them, and compares with Chromium. It
// needs the corpus, Chromium and pdftoppm; WEBODAR_CORPUS=required makes it fail
// without. WEBODAR_SVG_DIR has SVGs taken from there instead of being drawn, and
// WEBODAR_PRINT_DIR the pictures written there.
func TestCorpusLikeness(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	svgs := corpusSVGs(t)
	browser := startChromium(t)
	if browser == nil {
		missing(t, "Chromium")
	}
	for _, tool := range []string{"pdftoppm", "pdftotext", "pdffonts", "pdfimages", "qpdf"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, tool+" (poppler-utils, qpdf)")
		}
	}
	type result struct {
		name                           string
		png, pngStrict, pdf, pdfStrict float64
		worst                          float64
	}
	var results []result
	for _, s := range svgs {
		t.Run(s.name, func(t *testing.T) {
			p, err := paint.Read(s.svg, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range p.Warnings {
				if strings.HasPrefix(w, "not supported") {
					t.Error(w)
				}
			}
			ours, pdf := pngOf(t, p), pdfOf(t, p)
			inspect(t, s.svg, p, pdf)
			theirs := browser.picture(t, s.svg, ceil(p.Width), ceil(p.Height), 1)
			twice := browser.picture(t, s.svg, ceil(p.Width), ceil(p.Height), 2)
			seen := throughPoppler(t, pdf)
			r := result{name: s.name}
			r.png, r.pngStrict = likeness(ours, theirs)
			r.pdf, r.pdfStrict = likeness(seen, twice)
			r.worst = max(r.png, r.pdf)
			results = append(results, r)
			if r.png > most || r.pdf > most {
				t.Errorf("%.2f %% of the PNG and %.2f %% of the PDF differ from Chromium; %.0f %% may", 100*r.png, 100*r.pdf, 100*most)
			}
			if dir := os.Getenv("WEBODAR_PRINT_DIR"); dir != "" {
				write(t, filepath.Join(dir, s.name+".ours.png"), ours)
				write(t, filepath.Join(dir, s.name+".pdf.png"), seen)
				write(t, filepath.Join(dir, s.name+".chromium.png"), theirs)
				write(t, filepath.Join(dir, s.name+".chromium2.png"), twice)
				if err := os.WriteFile(filepath.Join(dir, s.name+".pdf"), pdf, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	slices.SortFunc(results, func(a, b result) int {
		if a.worst > b.worst {
			return -1
		}
		return 1
	})
	var table strings.Builder
	fmt.Fprintf(&table, "%-24s %8s %8s %8s %8s\n", "worst ten", "png", "strict", "pdf", "strict")
	for _, r := range results[:min(10, len(results))] {
		fmt.Fprintf(&table, "%-24s %7.2f%% %7.2f%% %7.2f%% %7.2f%%\n", r.name, 100*r.png, 100*r.pngStrict, 100*r.pdf, 100*r.pdfStrict)
	}
	t.Logf("%d pictures\n%s", len(results), table.String())
}

type corpusSVG struct {
	name string
	svg  []byte
}

func corpusSVGs(t *testing.T) []corpusSVG {
	t.Helper()
	var out []corpusSVG
	if dir := os.Getenv("WEBODAR_SVG_DIR"); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "*.svg"))
		for _, f := range files {
			svg, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, corpusSVG{strings.TrimSuffix(filepath.Base(f), ".svg"), svg})
		}
		return out
	}
	wanted := os.Getenv("WEBODAR_CORPUS")
	if wanted == "" {
		t.Skip("make corpus runs this")
	}
	files, _ := filepath.Glob("../../../../shared/corpus/mermaid/valid/*.mmd")
	if len(files) == 0 && wanted == "required" {
		t.Fatal("missing: ../shared/corpus")
	} else if len(files) == 0 {
		t.Skip("SKIPPED: missing: ../shared/corpus")
	}
	bundle, err := engines.Mermaid()
	if err != nil {
		missing(t, err.Error())
	}
	for _, f := range files {
		code, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		realm, err := mermaid.Prepare(bundle)
		if err != nil {
			t.Fatal(err)
		}
		d, err := mermaid.Render(context.Background(), realm, &mermaid.Request{Code: string(code)})
		realm.Close()
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		out = append(out, corpusSVG{strings.TrimSuffix(filepath.Base(f), ".mmd"), []byte(d.SVG)})
	}
	return out
}

var (
	textElement = regexp.MustCompile(`(?s)<text[ >].*?</text>`)
	textLine    = regexp.MustCompile(`(?m)^ *text ("(?:[^"\\]|\\.)*") at ([-\d.]+),([-\d.]+) .*? to ([-\d.]+)`)
	tag         = regexp.MustCompile(`<[^>]*>`)
	blank       = regexp.MustCompile(`[\s\p{Cf}\x{fe0f}]+`)
)

// inspect checks a PDF with other people's tools: that it is sound, that its fonts are
// embedded subsets that say which characters they show, that there are no bitmaps, and
// that each text of the picture is found in it, in one piece.
func inspect(t *testing.T, svg []byte, p *paint.Picture, pdf []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(file, pdf, 0o644); err != nil {
		t.Fatal(err)
	}
	tool := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	tool("qpdf", "--check", file)
	if lines := strings.Split(strings.TrimSpace(tool("pdfimages", "-list", file)), "\n"); len(lines) > 2 {
		t.Errorf("there are bitmaps:\n%s", strings.Join(lines, "\n"))
	}
	for i, line := range strings.Split(strings.TrimSpace(tool("pdffonts", file)), "\n") {
		if i > 1 && !strings.Contains(line, " yes yes yes ") {
			t.Errorf("a font that is not embedded, no subset or without Unicode: %s", line)
		}
	}
	squeeze := func(s string) string { return blank.ReplaceAllString(s, "") }
	// What is in the list, and what of that is on the page: pdftotext leaves out the rest.
	var all, shown strings.Builder
	for _, m := range textLine.FindAllStringSubmatch(p.Dump(), -1) {
		s, err := strconv.Unquote(m[1])
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(squeeze(s))
		var at [3]float64
		for i, v := range m[2:] {
			at[i], _ = strconv.ParseFloat(v, 64)
		}
		if min(at[0], at[2]) > 0 && max(at[0], at[2]) < p.Width && at[1] > 0 && at[1] < p.Height {
			shown.WriteString(squeeze(s))
		} else {
			shown.WriteString("\n")
		}
	}
	found := squeeze(tool("pdftotext", "-raw", file, "-"))
	for _, m := range textElement.FindAllString(string(svg), -1) {
		want := squeeze(html.UnescapeString(tag.ReplaceAllString(m, "")))
		if strings.Contains(m, "display:none") {
			continue
		}
		if !strings.Contains(all.String(), want) {
			t.Errorf("the display list has no %q", want)
		} else if strings.Contains(shown.String(), want) && !strings.Contains(found, want) {
			t.Errorf("pdftotext does not find %q", want)
		}
	}
}

// missing skips for want of a program, unless it is required.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("WEBODAR_CHROMIUM") == "required" {
		t.Fatalf("missing: %s", what)
	}
	t.Skipf("SKIPPED: missing: %s", what)
}

func pngOf(t testing.TB, p *paint.Picture) image.Image {
	t.Helper()
	data, err := p.PNG(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func pdfOf(t testing.TB, p *paint.Picture) []byte {
	t.Helper()
	data, err := p.PDF(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// throughPoppler gives what pdftoppm makes of a PDF, two pixels for each px, each way.
func throughPoppler(t testing.TB, pdf []byte) image.Image {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(file, pdf, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("pdftoppm", "-r", "192", "-png", "-singlefile", file)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("pdftoppm: %v\n%s", err, complaints.String())
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func write(t testing.TB, file string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
