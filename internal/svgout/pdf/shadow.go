package pdf

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// PDF has no blur. A shadow is strokes of the shape's outline, one on the other, each
// narrower and adding some darkness, so that together they fall off like a blurred
// edge. The outline is drawn in first by as much as the blur reaches inwards.

// shadowSteps is how many strokes make an edge.
const shadowSteps = 8

// blurReach is how far a blur goes to both sides, in standard deviations.
const blurReach = 2.2

func (p *painter) shadows(c *content, g *display.Group) {
	for i := range g.Shadows {
		p.shadowOf(c, g.Items, &g.Shadows[i], 1)
	}
}

func (p *painter) shadowOf(c *content, items []display.Item, s *display.Shadow, opacity float64) {
	for _, it := range items {
		switch it := it.(type) {
		case *display.Shape:
			p.shapeShadow(c, it, s, opacity)
		case *display.Text:
			colour := s.Colour
			colour.A *= opacity
			t := *it
			t.Matrix = geom.Translate(s.DX, s.DY).Mul(it.Matrix)
			// As a path: the text itself is there to be found.
			p.shape(c, &display.Shape{Path: t.Outline(), Matrix: t.Matrix, Fill: &display.Paint{Colour: colour}})
		case *display.Group:
			p.shadowOf(c, it.Items, s, opacity*it.Opacity)
		case *display.Image:
			p.shapeShadow(c, &display.Shape{Path: geom.RectPath(0, 0, 1, 1, 0, 0), Matrix: it.Matrix, Fill: &display.Paint{Colour: display.Colour{A: it.Alpha}}}, s, opacity)
		}
	}
}

func (p *painter) shapeShadow(c *content, shape *display.Shape, s *display.Shadow, opacity float64) {
	move := geom.Translate(s.DX, s.DY).Mul(shape.Matrix)
	alpha := s.Colour.A * opacity
	if shape.Fill != nil {
		alpha *= strongest(shape.Fill)
	} else {
		alpha *= strongest(&shape.Stroke.Paint)
	}
	if alpha <= 0 {
		return
	}
	half := 0.0 // of the stroke, on the page
	if shape.Stroke != nil {
		half = shape.Stroke.Pen.Width * shape.Matrix.Scale() / 2
	}
	colour := s.Colour
	colour.A = 1
	if s.Sigma < 0.05 {
		// A sharp one: the shape once more, in one colour.
		flat := &display.Shape{Path: shape.Path, Matrix: move, EvenOdd: shape.EvenOdd}
		paint := display.Paint{Colour: colour}
		if shape.Fill != nil {
			flat.Fill = &paint
		}
		if shape.Stroke != nil {
			flat.Stroke = &display.Stroke{Paint: paint, Pen: shape.Stroke.Pen}
		}
		if flat.Fill == nil || flat.Stroke == nil {
			paint.Colour.A = alpha
			if flat.Stroke != nil {
				flat.Stroke.Paint = paint
			}
			p.shape(c, flat)
			return
		}
		inner := newForm()
		p.shape(inner, flat)
		name := p.form(inner, flat.Bounds().Grow(1), "/I true")
		c.save()
		c.alpha(p, alpha, alpha)
		c.op("/%s Do", name)
		c.restore()
		return
	}
	lines := geom.Flatten(shape.Path, move, 0.1)
	reach := blurReach * s.Sigma
	in := 0.0
	band := shape.Fill == nil
	if !band {
		b := shape.Matrix.Bounds(shape.Path.Bounds())
		in = min(reach, 0.4*min(b.W(), b.H()))
		for i := range lines {
			lines[i] = shrink(lines[i], in-half)
		}
	}
	// How dark it is so far outside the edge of the shape with its stroke.
	dark := func(d float64) float64 {
		far := 1 - phi(d/s.Sigma)
		if band {
			return phi((d+2*half)/s.Sigma) - phi(d/s.Sigma)
		}
		return far
	}
	path := polygons(lines)
	c.save()
	c.set(&c.now.join, "1 j")
	if len(shape.Path.Ops) > 0 {
		c.set(&c.now.cap, "1 J")
	}
	c.set(&c.now.dash, "[] 0 d")
	c.set(&c.now.stroke, colourOp(colour, "G", "RG"))
	inner := newForm()
	inner.path(path, geom.Identity)
	// An opaque shape hides all but the edge, so that its shadow needs no inside.
	if band || shape.Fill.Opaque() && math.Hypot(s.DX, s.DY) < in {
		inner.op("S")
	} else {
		c.set(&c.now.fill, colourOp(colour, "g", "rg"))
		inner.op("B")
	}
	group := ""
	if string(inner.buf[len(inner.buf)-2:]) == "B\n" {
		group = "/I false"
	}
	name := p.form(inner, geom.Rect{X0: -1e6, Y0: -1e6, X1: 1e6, Y1: 1e6}.Intersect(boundsOfPath(path).Grow(2*reach+half+2)), group)
	sum := 0.0 // darkness so far
	low := -in
	if band {
		low = -half
	}
	for i := range shadowSteps {
		d := reach - (reach-low)*(float64(i)+0.5)/shadowSteps // this stroke's edge
		want := alpha * dark(d-(reach-low)/shadowSteps/2)
		step := 1 - (1-want)/(1-sum)
		width := 2 * (d + in)
		if band {
			width = 2 * (d + half)
		}
		if step <= 0 || width <= 0 {
			continue
		}
		sum = want
		c.alpha(p, step, step)
		c.set(&c.now.width, num(width)+" w")
		c.op("/%s Do", name)
	}
	c.restore()
}

func boundsOfPath(p *geom.Path) geom.Rect {
	r := p.Bounds()
	if r.IsNothing() {
		return geom.Rect{}
	}
	return r
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

// shrink moves the sides of a polygon inwards. It is for distances that are small
// against the polygon: it looks for no sides that vanish.
func shrink(l geom.Polyline, by float64) geom.Polyline {
	n := len(l.Pts)
	if n < 3 || by == 0 {
		return l
	}
	area := 0.0
	for i, a := range l.Pts {
		b := l.Pts[(i+1)%n]
		area += a.X*b.Y - b.X*a.Y
	}
	if area < 0 {
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
