package pdf

import (
	"fmt"
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// text shows glyphs as text, so that it can be found and copied. Its outline, where it
// is stroked, is a path beside it.
func (p *painter) text(c *content, t *display.Text) {
	if t.Stroke != nil && t.StrokeFirst {
		p.stroke(c, t.Outline(), t.Matrix, t.Stroke, t.Bounds())
	}
	p.glyphs(c, t)
	if t.Stroke != nil && !t.StrokeFirst {
		p.stroke(c, t.Outline(), t.Matrix, t.Stroke, t.Bounds())
	}
}

func (p *painter) glyphs(c *content, t *display.Text) {
	if len(t.Glyphs) == 0 || t.Size <= 0 {
		return
	}
	f := p.font(t.Face)
	masked := false
	if t.Fill != nil {
		masked = p.colour(c, t.Fill, t.Bounds(), false)
	}
	c.buf = append(c.buf, "BT\n"...)
	if t.Fill == nil {
		c.buf = append(c.buf, "3 Tr\n"...)
	}
	c.op("/%s %s Tf", f.name, num(t.Size))
	for i := 0; i < len(t.Glyphs); {
		i += p.line(c, f, t, i)
	}
	if t.Fill == nil {
		c.buf = append(c.buf, "0 Tr\n"...)
	}
	c.buf = append(c.buf, "ET\n"...)
	if masked {
		c.restore()
	}
}

// line shows glyphs from i on that stand on one straight line, and gives how many.
func (p *painter) line(c *content, f *font, t *display.Text, i int) int {
	first := &t.Glyphs[i]
	m := t.Matrix.Mul(geom.Translate(first.Pos.X, first.Pos.Y))
	if first.Angle != 0 {
		m = m.Mul(geom.Rotate(first.Angle))
	}
	m = m.Mul(geom.Scale(first.Stretch, -1))
	c.op("%s Tm", matrix(m))
	c.buf = append(c.buf, "[<"...)
	pen := first.Pos.X // where the viewer is
	n := 0
	for ; i+n < len(t.Glyphs); n++ {
		g := &t.Glyphs[i+n]
		if n > 0 && (g.Pos.Y != first.Pos.Y || g.Angle != 0 || first.Angle != 0 || g.Stretch != first.Stretch) {
			break
		}
		// By how much, in thousandths of an em, the viewer must be moved.
		by := (pen - g.Pos.X) / (t.Size * first.Stretch) * 1000
		if math.Abs(by) >= 0.5 {
			c.buf = append(c.buf, '>')
			c.buf = appendNum(c.buf, by, 1)
			c.buf = append(c.buf, '<')
			by = math.Round(by*10) / 10
			pen -= by / 1000 * t.Size * first.Stretch
		}
		c.buf = fmt.Appendf(c.buf, "%04X", f.cid(g.ID, g.Chars))
		pen += f.width(g.ID) / 1000 * t.Size * first.Stretch
	}
	c.buf = append(c.buf, ">]TJ\n"...)
	return n
}
