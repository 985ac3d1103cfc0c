package paint_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/paint"
)

const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" font-family="arial" `

func svg(attributes, content string) []byte {
	return []byte(head + attributes + ">" + content + "</svg>")
}

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		attributes string
		w, h       float64
	}{
		{`viewBox="0 0 30 20"`, 30, 20},
		{`width="100%" style="max-width:15px" viewBox="-5 -5 30 20"`, 15, 10},
		{`width="60" viewBox="0 0 30 20"`, 60, 40},
		{`height="1in" viewBox="0 0 30 20"`, 144, 96},
		{`width="60" height="10" viewBox="0 0 30 20"`, 60, 10},
		{`width="2cm" height="5mm"`, 2 * 96 / 2.54, 0.5 * 96 / 2.54},
		{``, 300, 150},
	} {
		p := read(t, svg(tt.attributes, ""))
		if diff := cmp.Diff([2]float64{tt.w, tt.h}, [2]float64{p.Width, p.Height}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.attributes, diff)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		svg  string
		want error
	}{
		"nothing":  {"", paint.ErrNoSVG},
		"html":     {"<p>hello", paint.ErrNoSVG},
		"no size":  {`<svg width="0" height="10">`, paint.ErrSize},
		"negative": {`<svg viewBox="0 0 -5 -5" width="-1">`, paint.ErrSize},
	} {
		if _, err := paint.Read([]byte(tt.svg), nil); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}

// A few hundred bytes must not become a picture that fills the memory.
func TestReadLimits(t *testing.T) {
	lol := `<g id="a0"><rect width="1" height="1"/></g>`
	for i := range 12 {
		lol += fmt.Sprintf(`<g id="a%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#a%d"/>`, i), 10))
	}
	for name, s := range map[string][]byte{
		"side":  svg(`width="2000000" height="1"`, ""),
		"deep":  svg("", strings.Repeat("<g>", 1000)),
		"laugh": svg("", "<defs>"+lol+`</defs><use href="#a12"/>`),
	} {
		var limit *paint.LimitError
		if _, err := paint.Read(s, nil); !errors.As(err, &limit) {
			t.Errorf("%s: got %v, want a LimitError", name, err)
		}
	}
}

func TestPNGLimits(t *testing.T) {
	var limit *paint.LimitError
	p := read(t, svg(`width="1000000" height="1000"`, ""))
	if _, err := p.PNG(context.Background(), nil); !errors.As(err, &limit) {
		t.Errorf("got %v, want a LimitError", err)
	}
	p = read(t, svg(`width="100" height="100"`, strings.Repeat(`<g opacity=".5"><rect width="100" height="100"/>`, 20)+`<rect width="9" height="9"/>`))
	if _, err := p.PNG(context.Background(), &paint.PNGOptions{MaxPixels: 10_000}); !errors.As(err, &limit) {
		t.Errorf("groups inside each other: got %v, want a LimitError", err)
	}
	for _, o := range []paint.PNGOptions{{Scale: -1}, {Scale: 1e9}, {Background: "nice"}, {Width: -5}} {
		if _, err := p.PNG(context.Background(), &o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p = read(t, svg("", strings.Repeat(`<rect width="9" height="9"/>`, 100)))
	if _, err := p.PNG(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	if _, err := p.PDF(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestPNG(t *testing.T) {
	white, black, red := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{255, 0, 0, 255}
	grey := func(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }
	for name, tt := range map[string]struct {
		content string
		at      [2]int
		want    color.NRGBA
	}{
		"paper":          {``, [2]int{0, 0}, white},
		"inside":         {`<rect x="2" width="2" height="2"/>`, [2]int{2, 1}, black},
		"beside":         {`<rect x="2" width="2" height="2"/>`, [2]int{1, 1}, white},
		"half a pixel":   {`<rect x="2" width="2.5" height="2"/>`, [2]int{4, 1}, grey(127)},
		"crisp":          {`<rect x="2" width="2.6" height="2" shape-rendering="crispEdges"/>`, [2]int{4, 1}, black},
		"nonzero":        {`<path d="M0 0h9v9H0z M2 2h5v5H2z"/>`, [2]int{4, 4}, black},
		"even-odd":       {`<path fill-rule="evenodd" d="M0 0h9v9H0z M2 2h5v5H2z"/>`, [2]int{4, 4}, white},
		"translucent":    {`<rect width="9" height="9" fill="black" fill-opacity=".2"/>`, [2]int{4, 4}, grey(204)},
		"group":          {`<g opacity=".2"><rect width="9" height="9"/><rect width="9" height="9"/></g>`, [2]int{4, 4}, grey(204)},
		"clipped":        {`<clipPath id="c"><rect width="5" height="5"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>`, [2]int{6, 4}, white},
		"masked":         {`<mask id="m"><rect width="9" height="9" fill="#808080"/></mask><rect width="9" height="9" mask="url(#m)"/>`, [2]int{4, 4}, grey(127)},
		"multiplied":     {`<rect width="9" height="9" fill="#f80"/><rect width="9" height="9" fill="#f0f" style="mix-blend-mode:multiply"/>`, [2]int{4, 4}, red},
		"gradient":       {`<linearGradient id="g"><stop stop-color="red"/><stop offset=".5" stop-color="red"/><stop offset=".5"/></linearGradient><rect width="8" height="8" fill="url(#g)"/>`, [2]int{6, 4}, black},
		"stroke":         {`<path d="M0 4h9" stroke="red" stroke-width="2"/>`, [2]int{4, 4}, red},
		"dash":           {`<path d="M0 4h9" stroke="red" stroke-width="2" stroke-dasharray="3"/>`, [2]int{4, 4}, white},
		"sharp shadow":   {`<rect width="4" height="4" fill="red" style="filter:drop-shadow(4px 4px 0 black)"/>`, [2]int{6, 6}, black},
		"shadow of what": {`<rect width="4" height="4" fill="red" style="filter:drop-shadow(4px 4px 0 black)"/>`, [2]int{2, 2}, red},
		"far off":        {`<path d="M-1e9 4H1e9" stroke="red" stroke-width="2"/>`, [2]int{4, 4}, red},
		"not finite":     {`<rect transform="scale(1e308) scale(1e308)" width="9" height="9"/>`, [2]int{4, 4}, white},
		"text":           {`<text y="9" font-size="12" font-weight="bold">I</text>`, [2]int{1, 5}, black},
		"pattern":        {`<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2" height="4" fill="red"/></pattern><rect width="9" height="9" fill="url(#p)"/>`, [2]int{5, 5}, red},
		"image":          {`<image width="8" height="8" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"/>`, [2]int{4, 4}, red},
		"marker":         {`<path d="M1 4h7" stroke="black" stroke-width="6" marker-end="url(#m)"/><marker id="m" refX="1" refY="1" markerWidth="2" markerHeight="2"><rect width="1" height="2" fill="red"/></marker>`, [2]int{4, 4}, red},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, svg(`width="10" height="10"`, tt.content))
			if len(p.Warnings) > 0 {
				t.Error(p.Warnings)
			}
			got := color.NRGBAModel.Convert(pngOf(t, p).At(tt.at[0], tt.at[1]))
			if got != tt.want {
				t.Errorf("pixel %v is %v, want %v", tt.at, got, tt.want)
			}
		})
	}
}

func TestPNGOptions(t *testing.T) {
	p := read(t, svg(`width="10" height="5" style="background-color:#00f"`, `<rect width="5" height="5" fill="red" fill-opacity=".5"/>`))
	for _, tt := range []struct {
		opts paint.PNGOptions
		w, h int
		want color.NRGBA
	}{
		{paint.PNGOptions{}, 10, 5, color.NRGBA{0, 0, 255, 255}},
		{paint.PNGOptions{Scale: 2.5, Background: "white"}, 25, 13, color.NRGBA{255, 255, 255, 255}},
		{paint.PNGOptions{Width: 30, Background: "transparent"}, 30, 15, color.NRGBA{}},
		{paint.PNGOptions{Width: 30, Background: "rgb(10 20 30 / 50%)"}, 30, 15, color.NRGBA{10, 20, 30, 128}},
	} {
		data, err := p.PNG(context.Background(), &tt.opts)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if s := img.Bounds().Size(); s.X != tt.w || s.Y != tt.h {
			t.Errorf("%+v: %v, want %d × %d", tt.opts, s, tt.w, tt.h)
		}
		if got := color.NRGBAModel.Convert(img.At(tt.w-2, 1)); got != tt.want {
			t.Errorf("%+v: %v, want %v", tt.opts, got, tt.want)
		}
	}
}

var (
	object = regexp.MustCompile(`(?s)\d+ 0 obj\n(.*?)\nendobj`)
	packed = regexp.MustCompile(`(?s)/Filter/FlateDecode.*?stream\n(.*)\nendstream$`)
)

// unpacked gives all of a PDF as text, streams that are no fonts unpacked.
func unpacked(t *testing.T, pdf []byte) string {
	t.Helper()
	var out strings.Builder
	for _, m := range object.FindAllSubmatch(pdf, -1) {
		body := string(m[1])
		if s := packed.FindStringSubmatch(body); s != nil && !strings.Contains(body[:40], "Length1") {
			z, err := zlib.NewReader(strings.NewReader(s[1]))
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			body = strings.Replace(body, s[1], string(data), 1)
		}
		out.WriteString(body + "\n")
	}
	return out.String()
}

func TestPDF(t *testing.T) {
	p := read(t, svg(`width="100" height="40"`, `<title>Größe (1)</title>
		<a xlink:href="https://example.com/a(b)"><rect x="10" y="10" width="20" height="10" fill="#f00" stroke="#00f" stroke-width="2"/></a>
		<text x="10" y="30">AV <tspan>é</tspan></text>
		<rect x="50" width="20" height="20" fill="#fff" style="filter:drop-shadow(1px 2px 2px #888)"/>
		<g opacity=".5"><rect width="9" height="9"/><circle r="4"/></g>`))
	if len(p.Warnings) > 0 {
		t.Error(p.Warnings)
	}
	one, err := p.PDF(context.Background(), &paint.PDFOptions{Lang: "de"})
	if err != nil {
		t.Fatal(err)
	}
	two, err := read(t, svg(`width="100" height="40"`, "")).PDF(context.Background(), &paint.PDFOptions{Title: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.PDF(context.Background(), &paint.PDFOptions{Lang: "de"}); err != nil || !bytes.Equal(one, again) {
		t.Error("not the same bytes again", err)
	}
	text := unpacked(t, one)
	for _, want := range []string{
		"/MediaBox[0 0 75 30]", " -0.75 0 30 cm", "/Lang(de)", "/Title<FEFF004700720" /* Größe */, "DisplayDocTitle",
		`/URI(https://example.com/a\(b\))`, "/Rect[7.5 15 22.5 22.5]",
		"1 0 0 rg", "0 0 1 RG", "10 10 m", "B\n", "/Subtype/Type0", "/FontFile2", "beginbfchar", "<0001><0041>",
		"<00E9>", "/ca 0.5", "/S/Transparency",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, no := range []string{"/Image", "CreationDate", "ModDate"} {
		if strings.Contains(text, no) {
			t.Errorf("there is %s", no)
		}
	}
	if !strings.Contains(unpacked(t, two), "/Title(Other)") {
		t.Error("no title as given")
	}
}

// The width of text is what diagrams were laid out with: Chromium's for Arial, which
// says 83.59375, 80.328125 and 28.8125: 64ths of a pixel, rounded up.
func TestTextWidth(t *testing.T) {
	for _, tt := range []struct{ content, end string }{
		{`<text font-size="16">Hello, world</text>`, "to 83.59 "},
		{`<text font-size="16">AVATAR To</text>`, "to 80.32 "},
		{`<text font-size="12" font-family="courier new">mono</text>`, "to 28.8 "},
	} {
		if dump := read(t, svg("", tt.content)).Dump(); !strings.Contains(dump, tt.end) {
			t.Errorf("%s\nwant %s\n%s", tt.content, tt.end, dump)
		}
	}
}

// Fonts from a directory are used for characters that the embedded ones lack.
func TestFontDirectory(t *testing.T) {
	if _, err := face.Open(t.TempDir() + "/none"); err == nil {
		t.Error("a directory that is not there: no error")
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/broken.ttf", []byte("not a font"), 0o644); err != nil {
		t.Fatal(err)
	}
	lib, err := face.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := paint.Read(svg("", `<text>漢</text>`), &paint.Options{Fonts: lib})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != 2 || !strings.Contains(p.Warnings[1], "broken.ttf was left out") {
		t.Errorf("warnings: %q", p.Warnings)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(svg(`viewBox="0 0 10 10"`, `<style>#a .b:not(c)>d{fill:red}</style><rect width="1" height="1" class="b"/>`))
	f.Add(svg(`viewBox="0 0 10 10"`, `<text x="1 2" dx="1em">aאב😀<tspan rotate="1 2">x</tspan></text>`))
	f.Add(svg(`width="10" height="10"`, `<marker id="m" orient="auto"><path d="M0 0h1"/></marker><path d="M0 0a1 1 0 00 3 3zl5 5" marker-mid="url(#m)" stroke="red" stroke-dasharray="1e-9"/>`))
	f.Add(svg(`width="10" height="10"`, `<pattern id="p" width="1e-9" height="1"><use href="#p"/></pattern><rect width="9" height="9" fill="url(#p)" filter="drop-shadow(1px 1px 1px)" mask="url(#p)"/>`))
	f.Add([]byte("<svg viewBox='0 0 1 1'><g transform='scale(1e300)'><circle r='1e300' stroke='red'/>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := paint.Read(data, nil)
		if err != nil {
			return
		}
		if _, err := p.PNG(context.Background(), &paint.PNGOptions{MaxPixels: 40_000}); err != nil {
			var limit *paint.LimitError
			if !errors.As(err, &limit) {
				t.Fatal(err)
			}
		}
		if _, err := p.PDF(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	})
}
