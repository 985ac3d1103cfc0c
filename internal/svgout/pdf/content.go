package pdf

import (
	"fmt"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// content is a content stream. Its user space is the page in px, y downwards; it
// remembers the graphics state so as to set only what changes.
type content struct {
	buf   []byte
	base  geom.Matrix // from user space to what patterns are placed in
	now   graphics
	saved []graphics
}

// graphics is what of the state is set by painting; "" is what a page begins with.
type graphics struct {
	fill, stroke, width, cap, join, miter, dash, alpha string
}

// newForm gives the content of a form. It begins with the state of where it is shown:
// what is not always set before use counts as unknown.
func newForm() *content {
	return &content{base: geom.Identity, now: graphics{cap: "?", join: "?", dash: "?"}}
}

func (c *content) op(format string, args ...any) {
	c.buf = fmt.Appendf(c.buf, format, args...)
	c.buf = append(c.buf, '\n')
}

func (c *content) save() {
	c.saved = append(c.saved, c.now)
	c.buf = append(c.buf, "q\n"...)
}

func (c *content) restore() {
	c.now = c.saved[len(c.saved)-1]
	c.saved = c.saved[:len(c.saved)-1]
	c.buf = append(c.buf, "Q\n"...)
}

// set writes an operator unless it is in force.
func (c *content) set(to *string, op string) {
	if *to != op {
		*to = op
		c.buf = append(c.buf, op...)
		c.buf = append(c.buf, '\n')
	}
}

func (c *content) alpha(p *painter, fill, stroke float64) {
	if fill == 1 && stroke == 1 && c.now.alpha == "" {
		return
	}
	c.set(&c.now.alpha, "/"+p.state(fmt.Sprintf("/ca %s/CA %s", num(fill), num(stroke)))+" gs")
}

// sliver is by how much strokes are narrower, in px: Poppler takes a subpixel that an
// edge touches as covered, and edges mostly are where pixels meet.
const sliver = 0.004

func (c *content) pen(p geom.Pen, scale float64) {
	width := p.Width * scale
	c.set(&c.now.width, num(max(width-sliver, width/2))+" w")
	if p.Cap != geom.ButtCap || c.now.cap != "" {
		c.set(&c.now.cap, fmt.Sprintf("%d J", p.Cap))
	}
	if p.Join != geom.MiterJoin || c.now.join != "" {
		c.set(&c.now.join, fmt.Sprintf("%d j", p.Join))
	}
	if p.Join == geom.MiterJoin {
		c.set(&c.now.miter, num(p.MiterLimit)+" M")
	}
	if len(p.Dash) > 0 || c.now.dash != "" {
		var b []byte
		b = append(b, '[')
		for i, d := range p.Dash {
			if i > 0 {
				b = append(b, ' ')
			}
			b = appendNum(b, d*scale, 3)
		}
		b = append(b, "] "...)
		offset := p.Offset * scale
		if len(p.Dash) > 0 && offset < 0 { // some viewers take none below 0
			sum := 0.0
			for _, d := range p.Dash {
				sum += d * scale
			}
			for sum *= 2; offset < 0; {
				offset += sum * float64(int(-offset/sum)+1)
			}
		}
		b = appendNum(b, offset, 3)
		c.set(&c.now.dash, string(append(b, " d"...)))
	}
}

// path writes a path mapped by m. Quadratic curves become cubic ones.
func (c *content) path(p *geom.Path, m geom.Matrix) {
	var at geom.Point
	put := func(q geom.Point) {
		q = m.Apply(q)
		c.buf = append(appendNum(c.buf, q.X, 3), ' ')
		c.buf = append(appendNum(c.buf, q.Y, 3), ' ')
	}
	p.Each(func(op geom.Op, q []geom.Point) {
		switch op {
		case geom.MoveTo:
			put(q[0])
			c.buf = append(c.buf, "m\n"...)
		case geom.LineTo:
			put(q[0])
			c.buf = append(c.buf, "l\n"...)
		case geom.QuadTo:
			third := func(a, b geom.Point) geom.Point { return a.Add(b.Sub(a).Mul(2.0 / 3)) }
			put(third(at, q[0]))
			put(third(q[1], q[0]))
			put(q[1])
			c.buf = append(c.buf, "c\n"...)
		case geom.CubicTo:
			put(q[0])
			put(q[1])
			put(q[2])
			c.buf = append(c.buf, "c\n"...)
		case geom.Close:
			c.buf = append(c.buf, "h\n"...)
		}
		if len(q) > 0 {
			at = q[len(q)-1]
		}
	})
}

func matrix(m geom.Matrix) string {
	var b []byte
	for i, v := range [...]float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendNum(b, v, 7)
	}
	return string(b)
}

func rgb(c display.Colour) string {
	var b []byte
	if c.R == c.G && c.G == c.B {
		return string(appendNum(b, c.R, 4))
	}
	b = append(appendNum(b, c.R, 4), ' ')
	b = append(appendNum(b, c.G, 4), ' ')
	return string(appendNum(b, c.B, 4))
}

func colourOp(c display.Colour, gray, full string) string {
	if c.R == c.G && c.G == c.B {
		return rgb(c) + " " + gray
	}
	return rgb(c) + " " + full
}
