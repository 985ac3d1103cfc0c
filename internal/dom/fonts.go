package dom

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/go-fonts/liberation/liberationmonobold"
	"github.com/go-fonts/liberation/liberationmonobolditalic"
	"github.com/go-fonts/liberation/liberationmonoitalic"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansbolditalic"
	"github.com/go-fonts/liberation/liberationsansitalic"
	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// This file knows the embedded faces: which one a CSS font asks for, and a
// glyph's advance, kerning and ink in font units.

// face is one embedded font. Its glyph numbers are read once and kept: a
// diagram measures the same hundred characters over and over.
type face struct {
	name string
	data []byte

	once            sync.Once
	err             error
	font            *sfnt.Font
	unitsPerEm      float64
	ascent, descent float64 // font units, both positive
	xHeight         float64

	mu     sync.Mutex
	buf    sfnt.Buffer
	glyphs map[rune]glyph
	kerns  map[[2]sfnt.GlyphIndex]float64
}

// glyph is what measuring needs of one character, in font units; y grows
// downwards. A missing one has ok false.
type glyph struct {
	ok                       bool
	index                    sfnt.GlyphIndex
	advance                  float64
	left, right, top, bottom float64 // ink
}

// family is the four styles of one type family.
type family struct{ regular, bold, italic, boldItalic *face }

func newFamily(name string, regular, bold, italic, boldItalic []byte) *family {
	return &family{
		regular:    &face{name: name + " Regular", data: regular},
		bold:       &face{name: name + " Bold", data: bold},
		italic:     &face{name: name + " Italic", data: italic},
		boldItalic: &face{name: name + " Bold Italic", data: boldItalic},
	}
}

var (
	sans = newFamily("Liberation Sans", liberationsansregular.TTF, liberationsansbold.TTF, liberationsansitalic.TTF, liberationsansbolditalic.TTF)
	mono = newFamily("Liberation Mono", liberationmonoregular.TTF, liberationmonobold.TTF, liberationmonoitalic.TTF, liberationmonobolditalic.TTF)
)

// families maps the CSS family names that the reference machine resolves to
// the embedded families. A name that is not here is skipped, as a browser
// skips a font it does not have.
var families = map[string]*family{
	"liberation sans": sans, "arial": sans, "helvetica": sans, "sans-serif": sans, "system-ui": sans,
	"liberation mono": mono, "courier new": mono, "courier": mono, "monospace": mono,
}

// cssFont is a resolved font: a face at a size.
type cssFont struct {
	face *face
	size float64
}

// fontCache keeps parsed keys. A worker renders many diagrams, each free to
// name new fonts, so it is emptied when it has grown past any honest use.
var fontCache struct {
	sync.Mutex
	fonts map[string]cssFont
}

const (
	maxFonts = 1000
	maxKerns = 100_000
	maxSize  = 10_000 // px, where browsers stop too
)

// parseFont reads the key the script side builds: "SIZE WEIGHT STYLE FAMILIES",
// such as `16 700 italic "trebuchet ms", verdana, arial`.
func parseFont(key string) (cssFont, error) {
	fontCache.Lock()
	defer fontCache.Unlock()
	if f, ok := fontCache.fonts[key]; ok {
		return f, nil
	}
	parts := strings.SplitN(key, " ", 4)
	if len(parts) != 4 {
		return cssFont{}, fmt.Errorf("dom: font key %q", key)
	}
	size, err := strconv.ParseFloat(parts[0], 64)
	if err != nil || math.IsNaN(size) || math.IsInf(size, 0) {
		return cssFont{}, fmt.Errorf("dom: font size in %q", key)
	}
	weight, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return cssFont{}, fmt.Errorf("dom: font weight in %q", key)
	}
	fam := pickFamily(parts[3])
	f := cssFont{size: min(max(size, 0), maxSize)}
	// With a regular and a bold face, CSS Fonts 4 §5.2 takes the bold one
	// from 501 on.
	switch bold, italic := weight > 500, parts[2] != "normal"; {
	case bold && italic:
		f.face = fam.boldItalic
	case bold:
		f.face = fam.bold
	case italic:
		f.face = fam.italic
	default:
		f.face = fam.regular
	}
	if err := f.face.load(); err != nil {
		return cssFont{}, err
	}
	if fontCache.fonts == nil || len(fontCache.fonts) >= maxFonts {
		fontCache.fonts = map[string]cssFont{}
	}
	fontCache.fonts[key] = f
	return f, nil
}

// pickFamily takes the first family of a CSS list that is embedded, and the
// sans when none is: no serif face is embedded, and the reference machine had
// none either.
func pickFamily(list string) *family {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
		if f, ok := families[name]; ok {
			return f
		}
	}
	return sans
}

func (f *face) load() error {
	f.once.Do(func() {
		f.font, f.err = sfnt.Parse(f.data)
		if f.err != nil {
			f.err = fmt.Errorf("dom: %s: %w", f.name, f.err)
			return
		}
		f.glyphs, f.kerns = map[rune]glyph{}, map[[2]sfnt.GlyphIndex]float64{}
		f.unitsPerEm = float64(f.font.UnitsPerEm())
		m, err := f.font.Metrics(&f.buf, f.ppem(), font.HintingNone)
		if err != nil {
			f.err = fmt.Errorf("dom: %s: %w", f.name, err)
			return
		}
		f.ascent, f.descent, f.xHeight = units(m.Ascent), units(m.Descent), units(m.XHeight)
	})
	return f.err
}

// ppem makes one font unit one pixel, so that sizes come out unrounded.
func (f *face) ppem() fixed.Int26_6 { return fixed.Int26_6(f.unitsPerEm * 64) }

func units(v fixed.Int26_6) float64 { return float64(v) / 64 }

func (f *face) glyph(r rune) glyph {
	f.mu.Lock()
	defer f.mu.Unlock()
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	var g glyph
	if i, err := f.font.GlyphIndex(&f.buf, r); err == nil && i != 0 {
		if b, adv, err := f.font.GlyphBounds(&f.buf, i, f.ppem(), font.HintingNone); err == nil {
			g = glyph{
				ok: true, index: i, advance: units(adv),
				left: units(b.Min.X), right: units(b.Max.X), top: units(b.Min.Y), bottom: units(b.Max.Y),
			}
		}
	}
	f.glyphs[r] = g
	return g
}

func (f *face) kern(a, b sfnt.GlyphIndex) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := [2]sfnt.GlyphIndex{a, b}
	if k, ok := f.kerns[key]; ok {
		return k
	}
	var k float64
	if v, err := f.font.Kern(&f.buf, a, b, f.ppem(), font.HintingNone); err == nil {
		k = units(v)
	}
	if len(f.kerns) >= maxKerns {
		clear(f.kerns)
	}
	f.kerns[key] = k
	return k
}
