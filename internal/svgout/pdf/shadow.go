package pdf

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// PDF has no blur. A shadow is strokes of the outline of what throws it, one on the
// other, each narrower and adding some darkness, so that together they fall off like a
// blurred edge. The outline is drawn in first by as much as the blur reaches inwards.

const (
	// shadowSteps is how many strokes make an edge.
	shadowSteps = 8
	// blurReach is how far a blur goes to both sides, in standard deviations.
	blurReach = 2.2
	// sharp is the standard deviation, in px, below which there is no blur to see.
	sharp = 0.05
)

// caster is a part of what throws a shadow: an area, whose edge has been drawn in, or a
// line of some width.
type caster struct {
	path   *geom.Path // on the page, moved by the shadow's offset
	in     float64    // by how much the edge of an area was drawn in
	half   float64    // half the width of a line
	area   bool
	opaque bool
}

func (p *painter) shadows(c *content, g *display.Group) {
	for i := range g.Shadows {
		s := &g.Shadows[i]
		if s.Sigma < sharp {
			p.sharpShadow(c, g.Items, s)
		} else {
			p.softShadow(c, g.Items, s)
		}
	}
}

// sharpShadow paints the items once more, in one colour.
func (p *painter) sharpShadow(c *content, items []display.Item, s *display.Shadow) {
	inner := newForm()
	box := p.silhouette(inner, items, s)
	if box.IsNothing() {
		return
	}
	name := p.form(inner, box.Grow(1), "/I true")
	c.save()
	c.alpha(p, s.Colour.A, s.Colour.A)
	c.op("/%s Do", name)
	c.restore()
}

func (p *painter) silhouette(c *content, items []display.Item, s *display.Shadow) geom.Rect {
	box := geom.Nothing
	move := geom.Translate(s.DX, s.DY)
	tint := func(paint *display.Paint) *display.Paint {
		if paint == nil {
			return nil
		}
		colour := s.Colour
		colour.A = strongest(paint)
		return &display.Paint{Colour: colour}
	}
	for _, it := range items {
		var flat *display.Shape
		switch it := it.(type) {
		case *display.Shape:
			flat = &display.Shape{Path: it.Path, Matrix: move.Mul(it.Matrix), EvenOdd: it.EvenOdd, Fill: tint(it.Fill)}
			if it.Stroke != nil {
				flat.Stroke = &display.Stroke{Paint: *tint(&it.Stroke.Paint), Pen: it.Stroke.Pen}
			}
		case *display.Text: // as a path: the text itself is there to be found
			flat = &display.Shape{Path: it.Outline(), Matrix: move.Mul(it.Matrix), Fill: tint(it.Fill)}
		case *display.Image:
			colour := s.Colour
			colour.A = it.Alpha
			flat = &display.Shape{Path: geom.RectPath(0, 0, 1, 1, 0, 0), Matrix: move.Mul(it.Matrix), Fill: &display.Paint{Colour: colour}}
		case *display.Group:
			box = box.Union(p.silhouette(c, it.Items, s))
			continue
		}
		p.shape(c, flat)
		box = box.Union(flat.Bounds())
	}
	return box
}

func (p *painter) softShadow(c *content, items []display.Item, s *display.Shadow) {
	reach := blurReach * s.Sigma
	casters := cast(nil, items, geom.Translate(s.DX, s.DY), reach)
	if len(casters) == 0 {
		return
	}
	in, half, areas := 0.0, 0.0, false
	for _, k := range casters {
		in, half, areas = max(in, k.in), max(half, k.half), areas || k.area
	}
	// How dark it is so far outside the edge.
	low := -half
	dark := func(d float64) float64 { return phi((d+2*half)/s.Sigma) - phi(d/s.Sigma) }
	if areas {
		low = -in
		dark = func(d float64) float64 { return 1 - phi(d/s.Sigma) }
	}
	// An opaque shape hides all but the edge of its shadow, which then needs no inside,
	// and by itself does not overlap.
	first := casters[0]
	alone := len(casters) == 1 && (!first.area || first.opaque && math.Hypot(s.DX, s.DY) < first.in)
	colour := s.Colour
	c.save()
	defer c.restore()
	shape := newForm()
	shape.path(first.path, geom.Identity)
	shape.op("S")
	var name string
	if alone {
		c.set(&c.now.join, "1 j")
		c.set(&c.now.cap, "1 J")
		c.set(&c.now.dash, "[] 0 d")
		c.set(&c.now.stroke, colourOp(colour, "G", "RG"))
		name = p.form(shape, first.path.Bounds().Grow(2*reach+half+2), "")
	}
	step := (reach - low) / shadowSteps
	sum := 0.0 // darkness so far
	for i := range shadowSteps {
		d := reach - step*(float64(i)+0.5) // how far out this layer goes
		want := colour.A * dark(d-step/2)
		more := 1 - (1-want)/(1-sum)
		if !(more > 0) {
			continue
		}
		sum = want
		if !alone {
			name = p.layer(casters, colour, d)
		}
		c.alpha(p, more, more)
		if alone {
			c.set(&c.now.width, num(2*(d+first.in+first.half))+" w")
		}
		c.op("/%s Do", name)
	}
}

// layer gives a form of all casters together, grown by d.
func (p *painter) layer(casters []caster, colour display.Colour, d float64) string {
	c := newForm()
	c.op("1 j 1 J [] 0 d")
	c.op("%s", colourOp(colour, "g", "rg"))
	c.op("%s", colourOp(colour, "G", "RG"))
	box := geom.Nothing
	for _, k := range casters {
		grow := d + k.in + k.half
		if grow <= 0 {
			continue
		}
		c.op("%s w", num(2*grow))
		c.path(k.path, geom.Identity)
		if k.area {
			c.op("B")
		} else {
			c.op("S")
		}
		box = box.Union(k.path.Bounds().Grow(grow + 1))
	}
	if box.IsNothing() {
		box = geom.Rect{}
	}
	return p.form(c, box, "/I true")
}

// cast collects what of items throws a shadow. What lets light through throws one as
// if it did not.
func cast(to []caster, items []display.Item, move geom.Matrix, reach float64) []caster {
	for _, it := range items {
		switch it := it.(type) {
		case *display.Shape:
			to = castShape(to, it, move, reach)
		case *display.Text:
			to = append(to, caster{path: it.Outline().Transform(move.Mul(it.Matrix)), area: true})
		case *display.Image:
			to = castShape(to, &display.Shape{Path: geom.RectPath(0, 0, 1, 1, 0, 0), Matrix: it.Matrix, Fill: &display.Paint{Colour: display.Colour{A: it.Alpha}}}, move, reach)
		case *display.Group:
			to = cast(to, it.Items, move, reach)
		}
	}
	return to
}

// castShape sorts the subpaths of a shape into those that enclose something and those
// that are lines alone, as sketched outlines are.
func castShape(to []caster, s *display.Shape, move geom.Matrix, reach float64) []caster {
	half := 0.0
	if s.Stroke != nil && strongest(&s.Stroke.Paint) > 0 {
		half = s.Stroke.Pen.Width * s.Matrix.Scale() / 2
	}
	opaque := s.Fill != nil && s.Fill.Opaque()
	lines := geom.Flatten(s.Path, move.Mul(s.Matrix), 0.1)
	var areas, thin []geom.Polyline
	in := reach
	for _, l := range lines {
		const narrow = 0.5 // px
		if wide := 2 * math.Abs(signedArea(l)) / max(l.Length(), 1e-9); s.Fill != nil && wide > narrow {
			in = min(in, 0.4*wide)
			areas = append(areas, l)
		} else {
			thin = append(thin, l)
		}
	}
	if len(areas) > 0 {
		for i, l := range areas {
			areas[i] = shrink(l, in-half)
		}
		to = append(to, caster{path: polygons(areas), in: in, area: true, opaque: opaque})
	}
	if len(thin) > 0 && half > 0 {
		to = append(to, caster{path: polygons(thin), half: half})
	}
	return to
}

func strongest(p *display.Paint) float64 {
	if p.Gradient == nil {
		return p.Colour.A
	}
	a := 0.0
	for _, s := range p.Gradient.Stops {
		a = max(a, s.Colour.A)
	}
	return a
}

// phi is the normal distribution.
func phi(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func signedArea(l geom.Polyline) float64 {
	area := 0.0
	for i, a := range l.Pts {
		b := l.Pts[(i+1)%len(l.Pts)]
		area += a.X*b.Y - b.X*a.Y
	}
	return area / 2
}

// shrink moves the sides of a polygon inwards. It is for distances that are small
// against the polygon: it looks for no sides that vanish.
func shrink(l geom.Polyline, by float64) geom.Polyline {
	n := len(l.Pts)
	if n < 3 || by == 0 {
		return geom.Polyline{Pts: l.Pts, Closed: true}
	}
	if signedArea(l) < 0 {
		by = -by
	}
	out := geom.Polyline{Closed: true, Pts: make([]geom.Point, 0, n)}
	for i, q := range l.Pts {
		a, b := q.Sub(l.Pts[(i+n-1)%n]), l.Pts[(i+1)%n].Sub(q)
		la, lb := a.Len(), b.Len()
		if la == 0 || lb == 0 {
			continue
		}
		// The inward normals of both sides; the corner moves along their sum.
		na, nb := geom.Point{X: -a.Y / la, Y: a.X / la}, geom.Point{X: -b.Y / lb, Y: b.X / lb}
		k := 1 + na.X*nb.X + na.Y*nb.Y
		if k < 0.25 { // a spike: not farther than twice
			k = 0.25
		}
		out.Pts = append(out.Pts, q.Add(na.Add(nb).Mul(by/k)))
	}
	return out
}

func polygons(lines []geom.Polyline) *geom.Path {
	p := &geom.Path{}
	for _, l := range lines {
		for i, q := range l.Pts {
			if i == 0 {
				p.MoveTo(q)
			} else {
				p.LineTo(q)
			}
		}
		if l.Closed && len(l.Pts) > 0 {
			p.Close()
		}
	}
	return p
}
