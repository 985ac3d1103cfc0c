package display

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/geom"
)

var (
	_ Item = (*Shape)(nil)
	_ Item = (*Text)(nil)
	_ Item = (*Image)(nil)
	_ Item = (*Group)(nil)
)

// BoundsOf gives a box around all items.
func BoundsOf(items []Item) geom.Rect {
	r := geom.Nothing
	for _, it := range items {
		r = r.Union(it.Bounds())
	}
	return r
}

// Bounds is the box of path and stroke.
func (s *Shape) Bounds() geom.Rect {
	r := s.Path.Bounds()
	if s.Stroke != nil {
		r = r.Grow(reach(s.Stroke.Pen))
	}
	return s.Matrix.Bounds(r)
}

// reach is how far a stroke goes from its line.
func reach(p geom.Pen) float64 {
	k := 1.0
	if p.Join == geom.MiterJoin {
		k = max(k, p.MiterLimit)
	}
	if p.Cap == geom.SquareCap {
		k = max(k, math.Sqrt2)
	}
	return p.Width / 2 * k
}

// Bounds is a box that the glyphs of any sane face stay in.
func (t *Text) Bounds() geom.Rect {
	r := geom.Nothing
	for _, g := range t.Glyphs {
		a := t.Face.Advance(g.ID) * t.Size * g.Stretch
		box := geom.Rect{X0: -0.3 * t.Size, Y0: -1.1 * t.Size, X1: a + 0.3*t.Size, Y1: 0.4 * t.Size}
		r = r.Union(geom.Translate(g.Pos.X, g.Pos.Y).Mul(geom.Rotate(g.Angle)).Bounds(box))
	}
	if t.Stroke != nil {
		r = r.Grow(reach(t.Stroke.Pen))
	}
	return t.Matrix.Bounds(r)
}

// Bounds is the unit square's.
func (i *Image) Bounds() geom.Rect { return i.Matrix.Bounds(geom.Rect{X1: 1, Y1: 1}) }

// Bounds is what shows of the items, with their shadows.
func (g *Group) Bounds() geom.Rect {
	r := BoundsOf(g.Items)
	for _, s := range g.Shadows {
		by := 3 * s.Sigma
		b := BoundsOf(g.Items)
		r = r.Union(geom.Rect{X0: b.X0 + s.DX - by, Y0: b.Y0 + s.DY - by, X1: b.X1 + s.DX + by, Y1: b.Y1 + s.DY + by})
	}
	for _, c := range g.Clips {
		r = r.Intersect(c.Bounds())
	}
	return r
}

// Bounds is the box of the area.
func (c *Clip) Bounds() geom.Rect {
	r := geom.Nothing
	for _, p := range c.Paths {
		r = r.Union(p.Matrix.Bounds(p.Path.Bounds()))
	}
	return r
}
