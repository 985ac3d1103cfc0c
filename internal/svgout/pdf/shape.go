package pdf

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// similar reports whether a matrix keeps shapes as they are, so that a stroke can be
// drawn on mapped points.
func similar(m geom.Matrix) bool {
	const slack = 1e-6
	a, b := math.Hypot(m.A, m.B), math.Hypot(m.C, m.D)
	return math.Abs(a-b) <= slack*a && math.Abs(m.A*m.C+m.B*m.D) <= slack*a*a
}

func (p *painter) shape(c *content, s *display.Shape) {
	fill := func() {
		if s.Fill != nil {
			p.fill(c, s)
		}
	}
	both := s.Fill != nil && s.Stroke != nil && !s.StrokeFirst && s.Fill.Gradient == nil && s.Stroke.Paint.Gradient == nil &&
		s.Fill.Colour.A == 1 && s.Stroke.Paint.Colour.A == 1 && similar(s.Matrix)
	if both {
		c.alpha(p, 1, 1)
		p.colour(c, s.Fill, s.Bounds(), false)
		p.colour(c, &s.Stroke.Paint, s.Bounds(), true)
		c.pen(s.Stroke.Pen, s.Matrix.Scale())
		c.path(s.Path, s.Matrix)
		if s.EvenOdd {
			c.op("B*")
		} else {
			c.op("B")
		}
		return
	}
	if !s.StrokeFirst {
		fill()
	}
	if s.Stroke != nil {
		p.stroke(c, s.Path, s.Matrix, s.Stroke, s.Bounds())
	}
	if s.StrokeFirst {
		fill()
	}
}

func (p *painter) fill(c *content, s *display.Shape) {
	masked := p.colour(c, s.Fill, s.Bounds(), false)
	c.path(s.Path, s.Matrix)
	if s.EvenOdd {
		c.op("f*")
	} else {
		c.op("f")
	}
	if masked {
		c.restore()
	}
}

func (p *painter) stroke(c *content, path *geom.Path, m geom.Matrix, s *display.Stroke, bounds geom.Rect) {
	masked := p.colour(c, &s.Paint, bounds, true)
	if similar(m) {
		c.pen(s.Pen, m.Scale())
		c.path(path, m)
		c.op("S")
	} else {
		c.save()
		c.op("%s cm", matrix(m))
		c.pen(s.Pen, 1)
		c.path(path, geom.Identity)
		c.op("S")
		c.restore()
	}
	if masked {
		c.restore()
	}
}

// colour makes a paint the current one, for filling or for stroking. Where its opacity
// varies it saves the state first, and says so.
func (p *painter) colour(c *content, paint *display.Paint, bounds geom.Rect, stroke bool) (saved bool) {
	to, gray, full, pattern, alpha := &c.now.fill, "g", "rg", "/Pattern cs/%s scn", [2]float64{1, 1}
	if stroke {
		to, gray, full, pattern = &c.now.stroke, "G", "RG", "/Pattern CS/%s SCN"
	}
	g := paint.Gradient
	if g == nil {
		alpha = [2]float64{paint.Colour.A, paint.Colour.A}
		c.alpha(p, alpha[0], alpha[1])
		c.set(to, colourOp(paint.Colour, gray, full))
		return false
	}
	same := true
	for _, s := range g.Stops {
		same = same && s.Colour.A == g.Stops[0].Colour.A
	}
	if same {
		c.alpha(p, g.Stops[0].Colour.A, g.Stops[0].Colour.A)
	} else {
		c.save()
		saved = true
		c.alpha(p, 1, 1)
		c.op("/%s gs", p.fadeState(c, g, bounds))
		to = &c.now.fill
		if stroke {
			to = &c.now.stroke
		}
	}
	c.set(to, sprintfName(pattern, p.gradient(c, g, bounds)))
	return saved
}

func (p *painter) group(c *content, g *display.Group) {
	plain := g.Opacity == 1 && g.Blend == "" && g.Mask == nil && len(g.Shadows) == 0
	c.save()
	defer c.restore()
	for i := range g.Clips {
		c.clip(&g.Clips[i])
	}
	if plain || g.Opacity == 1 && g.Blend == "" && g.Mask == nil {
		if g.ShadowArea != nil {
			c.clip(g.ShadowArea)
		}
		p.shadows(c, g)
		p.items(c, g.Items)
		return
	}
	inner := newForm()
	if g.ShadowArea != nil {
		inner.clip(g.ShadowArea)
	}
	p.shadows(inner, g)
	p.items(inner, g.Items)
	box := g.Bounds()
	if box.IsNothing() {
		return
	}
	dict := "/ca " + num(g.Opacity) + "/CA " + num(g.Opacity)
	if g.Blend != "" {
		dict += "/BM/" + blendNames[g.Blend]
	}
	if g.Mask != nil {
		dict += p.maskState(g.Mask)
	}
	name := p.form(inner, box.Grow(1), "/I true")
	c.op("/%s gs", p.state(dict))
	c.op("/%s Do", name)
}

var blendNames = map[string]string{
	"multiply": "Multiply", "screen": "Screen", "overlay": "Overlay", "darken": "Darken", "lighten": "Lighten",
	"color-dodge": "ColorDodge", "color-burn": "ColorBurn", "hard-light": "HardLight", "soft-light": "SoftLight",
	"difference": "Difference", "exclusion": "Exclusion",
}

// maskState is the entry that makes a mask hold.
func (p *painter) maskState(m *display.Mask) string {
	inner := newForm()
	inner.clip(&m.Area)
	p.items(inner, m.Items)
	kind := "Luminosity"
	if m.Alpha {
		kind = "Alpha"
	}
	name := p.form(inner, m.Area.Bounds().Grow(1), "/CS/DeviceRGB/I true")
	return "/SMask<</S/" + kind + "/G " + p.reference(name) + ">>"
}

// clip narrows what shows. The union of paths is that of their outlines where all are
// filled by the same rule; one that is filled by another is taken by itself.
func (c *content) clip(cl *display.Clip) {
	evenOdd := true
	for _, q := range cl.Paths {
		c.path(q.Path, q.Matrix)
		evenOdd = evenOdd && q.EvenOdd
	}
	if len(cl.Paths) == 0 {
		c.op("0 0 0 0 re")
	}
	if evenOdd && len(cl.Paths) == 1 {
		c.op("W* n")
	} else {
		c.op("W n")
	}
}
