package paint

import (
	"slices"
	"unicode"

	"github.com/webodar/webodar/internal/svgout/face"
)

// glyphs finds a glyph for each character of a run, those of text from right to left
// in the order they stand in.
func (r *reader) glyphs(u *run) []placed {
	rtl := u.level%2 == 1
	out := make([]placed, 0, len(u.chars))
	for _, c := range u.chars {
		ch := c.r
		if rtl {
			ch = mirrored(ch)
		}
		g := placed{face: u.face, chars: string(ch)}
		if c.rotate == c.rotate { // not NaN
			g.rotate = c.rotate
		}
		id, ok := u.face.Glyph(ch)
		switch {
		case face.Invisible(c.r):
			g.none = true
		case ok:
			g.id = id
			g.advance = u.face.Advance(id) * u.size
			if face.Width(c.r) == 0 { // marks stand on what is before them
				g.advance = 0
			}
		default:
			g.face, g.id = r.fonts.For(ch, u.face)
			if g.face == nil {
				g.face = face.Boxes
				g.id, _ = face.Boxes.Glyph(c.r)
				r.missing(c.r)
			}
			if g.face != face.Boxes && unicode.In(c.r, joined...) {
				r.warn("not supported: joining letters, as Arabic and Indic scripts do: they are painted one by one")
			}
			g.advance = g.face.Advance(g.id) * u.size
			if face.Width(c.r) == 0 {
				g.advance = 0
			}
		}
		out = append(out, g)
	}
	if rtl {
		slices.Reverse(out)
	}
	return out
}

// joined are the scripts whose letters change their shape or place beside each other.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Tibetan, unicode.Myanmar, unicode.Khmer,
}

func (r *reader) missing(c rune) {
	const most = 10
	if len(r.boxes) < most && !slices.Contains(r.boxes, c) {
		r.boxes = append(r.boxes, c)
	}
}

// boxWarning says which characters are painted as boxes.
func (r *reader) boxWarning() {
	if len(r.boxes) > 0 {
		r.warn("no font has %s: painted as a box (give a directory of fonts that have it)", string(r.boxes))
	}
	for _, n := range r.fonts.Notes() {
		r.warn("%s", n)
	}
}
