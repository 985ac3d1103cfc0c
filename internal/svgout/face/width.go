package face

import (
	"unicode"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// boxUnits is the grid that boxes are drawn on.
const boxUnits = 1000

// Boxes stands for every font that is not there: its glyph of a character is a box
// as wide as [Width].
var Boxes = &Face{Name: "Boxes", boxes: true, Ascent: 0.9, Descent: 0.2, XHeight: 0.5}

func boxOutline(r rune) *geom.Path {
	w := Width(r) * boxUnits
	p := &geom.Path{}
	if w == 0 {
		return p
	}
	const line, top, margin = 50, -720, 60
	p.Append(geom.RectPath(margin, top, w-2*margin, -top, 0, 0), geom.Identity)
	// The inside, the other way round, stays empty.
	x0, y0, x1, y1 := margin+line+0.0, top+line+0.0, w-margin-line, -line+0.0
	p.MoveTo(geom.Point{X: x0, Y: y0})
	p.LineTo(geom.Point{X: x0, Y: y1})
	p.LineTo(geom.Point{X: x1, Y: y1})
	p.LineTo(geom.Point{X: x1, Y: y0})
	p.Close()
	return p
}

// Invisible tells characters that take no room and show nothing, whatever a font says.
func Invisible(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // controls
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f: // joiners, marks of direction
		return true
	case r == 0xfeff, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe01ef: // BOM, variation selectors, tags
		return true
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones modify the emoji before them
		return true
	}
	return false
}

// Width is how wide, in ems, a character counts that no embedded font has: what
// diagrams were laid out with, and near what fonts that have it give.
func Width(r rune) float64 {
	switch {
	case Invisible(r), unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case emoji(r):
		return 1.25
	case wide(r):
		return 1
	case unicode.In(r, unicode.So, unicode.Sm):
		return 0.85
	case r >= 0xff61 && r <= 0xffdc: // half-width forms
		return 0.5
	}
	return 0.6
}

// wide tells East Asian wide and full-width characters (UAX #11, by block).
func wide(r rune) bool {
	return unicode.Is(wideTable, r)
}

var wideTable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1},
		{0x2e80, 0x303e, 1},
		{0x3041, 0x4dbf, 1},
		{0x4e00, 0xa4cf, 1},
		{0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe30, 0xfe6f, 1},
		{0xff00, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x20000, 0x3fffd, 1}},
}

func emoji(r rune) bool {
	switch r {
	case 0x2705, 0x274c, 0x26a1, 0x2b50, 0x2728:
		return true
	}
	return r >= 0x1f000 && r <= 0x1faff
}
