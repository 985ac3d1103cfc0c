package face

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// GlyphID names a glyph of one face; 0 is none.
type GlyphID = uint32

// Face is one font in one style. It may be used from several goroutines.
type Face struct {
	// Name is the PostScript name, such as LiberationSans-Bold.
	Name string
	// Bold and Italic say what the face itself is.
	Bold, Italic bool
	// Mono says that all glyphs are equally wide.
	Mono bool
	// Ascent and Descent are those of a line, XHeight that of an x: ems, positive.
	Ascent, Descent, XHeight float64

	boxes bool // not a font: see Boxes

	mu       sync.Mutex
	font     *sfnt.Font
	buf      sfnt.Buffer
	ids      map[rune]GlyphID
	advances map[GlyphID]float64
	kerns    map[[2]GlyphID]float64
	outlines map[GlyphID]*geom.Path
}

// maxCached bounds each of a face's tables; honest diagrams stay far below.
const maxCached = 50_000

func newFace(f *sfnt.Font) (*Face, error) {
	x := &Face{
		font: f,
		ids:  map[rune]GlyphID{}, advances: map[GlyphID]float64{},
		kerns: map[[2]GlyphID]float64{}, outlines: map[GlyphID]*geom.Path{},
	}
	m, err := f.Metrics(&x.buf, x.ppem(), font.HintingNone)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	x.Ascent, x.Descent, x.XHeight = x.ems(m.Ascent), x.ems(m.Descent), x.ems(m.XHeight)
	if p := f.PostTable(); p != nil {
		x.Mono = p.IsFixedPitch
		x.Italic = p.ItalicAngle != 0
	}
	x.Name, _ = f.Name(&x.buf, sfnt.NameIDPostScript)
	return x, nil
}

// ppem makes one font unit one pixel, so that nothing is rounded.
func (f *Face) ppem() fixed.Int26_6 { return fixed.Int26_6(f.font.UnitsPerEm()) * 64 }

func (f *Face) ems(v fixed.Int26_6) float64 {
	return float64(v) / 64 / float64(f.font.UnitsPerEm())
}

// UnitsPerEm is how fine the face's own grid is.
func (f *Face) UnitsPerEm() int {
	if f.boxes {
		return boxUnits
	}
	return int(f.font.UnitsPerEm())
}

// Glyph gives the glyph of a character, false if the face has none.
func (f *Face) Glyph(r rune) (GlyphID, bool) {
	if f.boxes {
		return GlyphID(r), true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	g, ok := f.ids[r]
	if !ok {
		i, err := f.font.GlyphIndex(&f.buf, r)
		if err == nil {
			g = GlyphID(i)
		}
		keep(f.ids, r, g)
	}
	return g, g != 0
}

// Advance is how far a glyph moves the pen.
func (f *Face) Advance(g GlyphID) float64 {
	if f.boxes {
		return Width(rune(g))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok := f.advances[g]
	if !ok {
		v, err := f.font.GlyphAdvance(&f.buf, sfnt.GlyphIndex(g), f.ppem(), font.HintingNone)
		if err == nil {
			a = f.ems(v)
		}
		keep(f.advances, g, a)
	}
	return a
}

// Kern is by how much the pen moves further between two glyphs; mostly less than 0.
func (f *Face) Kern(a, b GlyphID) float64 {
	if f.boxes {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := [2]GlyphID{a, b}
	k, ok := f.kerns[key]
	if !ok {
		v, err := f.font.Kern(&f.buf, sfnt.GlyphIndex(a), sfnt.GlyphIndex(b), f.ppem(), font.HintingNone)
		if err == nil {
			k = f.ems(v)
		}
		keep(f.kerns, key, k)
	}
	return k
}

// Outline gives the shape of a glyph, y downwards from the baseline, in units of
// 1/UnitsPerEm. It is shared and must not be changed.
func (f *Face) Outline(g GlyphID) *geom.Path {
	if f.boxes {
		return boxOutline(rune(g))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p, ok := f.outlines[g]
	if ok {
		return p
	}
	p = &geom.Path{}
	// Bitmaps and colour layers have no outline: they come out empty.
	segments, err := f.font.LoadGlyph(&f.buf, sfnt.GlyphIndex(g), f.ppem(), nil)
	if err != nil {
		segments = nil
	}
	at := func(q fixed.Point26_6) geom.Point { return geom.Point{X: float64(q.X) / 64, Y: float64(q.Y) / 64} }
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(p.Ops) > 0 {
				p.Close()
			}
			p.MoveTo(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.LineTo(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.CubicTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(p.Ops) > 0 {
		p.Close()
	}
	keep(f.outlines, g, p)
	return p
}

func keep[K comparable, V any](m map[K]V, k K, v V) {
	if len(m) >= maxCached {
		clear(m)
	}
	m[k] = v
}
