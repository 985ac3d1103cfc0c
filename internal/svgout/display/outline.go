package display

import "github.com/webodar/webodar/internal/svgout/geom"

// Outline gives the shapes of all glyphs as one path, in the coordinates of the text.
func (t *Text) Outline() *geom.Path {
	p := &geom.Path{}
	for i := range t.Glyphs {
		p.Append(t.Face.Outline(t.Glyphs[i].ID), t.GlyphMatrix(i))
	}
	return p
}

// GlyphMatrix leads from the units of a glyph's outline to the coordinates of the text.
func (t *Text) GlyphMatrix(i int) geom.Matrix {
	g := &t.Glyphs[i]
	k := t.Size / float64(t.Face.UnitsPerEm())
	m := geom.Matrix{A: k * g.Stretch, D: k, E: g.Pos.X, F: g.Pos.Y}
	if g.Angle == 0 {
		return m
	}
	return geom.Translate(g.Pos.X, g.Pos.Y).Mul(geom.Rotate(g.Angle)).Mul(geom.Scale(k*g.Stretch, k))
}
