package dom

import (
	"math"
	"unicode"
)

// This file measures text as Chromium does: advances with pair kerning at the
// unrounded size, the line box from the rounded ascent and descent, and the
// ink of the glyphs, which getBBox unites with the box: each glyph's is rounded
// out to whole pixels, but below the baseline to the nearest, as hinting
// would.

// extent is one string in one font. Ink is relative to the start of the
// baseline, y downwards; without ink all four are zero.
type extent struct {
	advance                  float64
	left, right, top, bottom float64
}

// scale is pixels per font unit. FreeType takes sizes in whole
// 64ths of a pixel.
func (f cssFont) scale() float64 { return math.Floor(f.size*64+1e-6) / 64 / f.face.unitsPerEm }

// measure sets one line of text without any wrapping or collapsing.
func (f cssFont) measure(text string, spacing float64) extent {
	var e extent
	scale := f.scale()
	pen, prev, first := 0.0, glyph{}, true
	for _, r := range text {
		g := f.face.glyph(r)
		if !g.ok || zeroWidth(r) {
			pen += fallbackWidth(r)*f.size + spacing
			prev = glyph{}
			continue
		}
		if prev.ok {
			pen += f.face.kern(prev.index, g.index) * scale
		}
		if g.right > g.left {
			l, r := pen+math.Floor(g.left*scale), pen+math.Ceil(g.right*scale)
			t, b := math.Floor(g.top*scale), math.Round(g.bottom*scale)
			if first {
				e.left, e.right, e.top, e.bottom, first = l, r, t, b, false
			} else {
				e.left, e.right = min(e.left, l), max(e.right, r)
				e.top, e.bottom = min(e.top, t), max(e.bottom, b)
			}
		}
		pen += g.advance*scale + spacing
		prev = g
	}
	// Blink keeps a fragment's inline size in 64ths of a pixel, rounded up.
	e.advance = math.Ceil(pen*64-1e-6) / 64
	return e
}

// zeroWidth tells characters that take no room whatever the font says.
func zeroWidth(r rune) bool {
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
	return unicode.In(r, unicode.Mn, unicode.Me)
}

// fallbackWidth is the fixed table for characters no embedded font has, in
// ems: what the usual system fonts give them, near enough for a label to keep
// inside its box wherever the picture is opened.
func fallbackWidth(r rune) float64 {
	switch {
	case zeroWidth(r):
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
	return r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0x303e || r >= 0x3041 && r <= 0x33ff ||
		r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff || r >= 0xa000 && r <= 0xa4cf ||
		r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f ||
		r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x20000 && r <= 0x3fffd
}

func emoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r == 0x2705 || r == 0x274c || r == 0x26a1 || r == 0x2b50 || r == 0x2728
}

// lineBox gives the rounded ascent and descent: their sum is the height of a
// line of text in Chromium.
func (f cssFont) lineBox() (ascent, descent float64) {
	scale := f.size / f.face.unitsPerEm
	return math.Round(f.face.ascent * scale), math.Round(f.face.descent * scale)
}
