package display

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// Dump writes the list as text, a line for each item, for tests and for looking at.
// Coordinates are those of the page.
func (l *List) Dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "page %s %s\n", num(l.Width), num(l.Height))
	dumpItems(&b, l.Items, "")
	for _, k := range l.Links {
		fmt.Fprintf(&b, "link %s %s\n", rect(k.Area), k.URL)
	}
	return b.String()
}

func dumpItems(b *strings.Builder, items []Item, indent string) {
	for _, it := range items {
		b.WriteString(indent)
		switch it := it.(type) {
		case *Shape:
			b.WriteString("path " + pathText(it.Path, it.Matrix))
			dumpPaint(b, it.Fill, it.Stroke, it.StrokeFirst, it.Matrix.Scale())
			if it.EvenOdd {
				b.WriteString(" evenodd")
			}
			if it.Crisp {
				b.WriteString(" crisp")
			}
		case *Text:
			dumpText(b, it)
		case *Image:
			fmt.Fprintf(b, "image %v in %s", it.Pix.Bounds().Size(), rect(it.Bounds()))
		case *Group:
			b.WriteString("group")
			if it.Opacity != 1 {
				b.WriteString(" opacity " + num(it.Opacity))
			}
			if it.Blend != "" {
				b.WriteString(" blend " + it.Blend)
			}
			for _, s := range it.Shadows {
				fmt.Fprintf(b, " shadow %s,%s blur %s %s", num(s.DX), num(s.DY), num(s.Sigma), colourText(s.Colour))
			}
			b.WriteByte('\n')
			for _, c := range it.Clips {
				b.WriteString(indent + "  clip\n")
				for _, p := range c.Paths {
					b.WriteString(indent + "    " + pathText(p.Path, p.Matrix) + "\n")
				}
			}
			if it.Mask != nil {
				b.WriteString(indent + "  mask\n")
				dumpItems(b, it.Mask.Items, indent+"    ")
			}
			dumpItems(b, it.Items, indent+"  ")
			continue
		}
		b.WriteByte('\n')
	}
}

func dumpText(b *strings.Builder, t *Text) {
	var chars strings.Builder
	for _, g := range t.Glyphs {
		chars.WriteString(g.Chars)
	}
	at := geom.Point{}
	if len(t.Glyphs) > 0 {
		at = t.Matrix.Apply(t.Glyphs[0].Pos)
	}
	fmt.Fprintf(b, "text %q at %s,%s %s %s", chars.String(), num(at.X), num(at.Y), t.Face.Name, num(t.Size*t.Matrix.Scale()))
	if len(t.Glyphs) > 0 {
		if angle := t.Glyphs[0].Angle + math.Atan2(t.Matrix.B, t.Matrix.A); math.Abs(angle) > 1e-6 {
			b.WriteString(" turned " + num(angle*180/math.Pi))
		}
		last := t.Glyphs[len(t.Glyphs)-1]
		end := t.Matrix.Apply(last.Pos.Add(geom.Point{X: t.Face.Advance(last.ID) * t.Size * last.Stretch}))
		b.WriteString(" to " + num(end.X))
	}
	dumpPaint(b, t.Fill, t.Stroke, t.StrokeFirst, t.Matrix.Scale())
}

func dumpPaint(b *strings.Builder, fill *Paint, stroke *Stroke, strokeFirst bool, scale float64) {
	if fill != nil {
		b.WriteString(" fill " + paintText(fill))
	}
	if stroke == nil {
		return
	}
	fmt.Fprintf(b, " stroke %s width %s", paintText(&stroke.Paint), num(stroke.Pen.Width*scale))
	if len(stroke.Pen.Dash) > 0 {
		b.WriteString(" dash")
		for _, d := range stroke.Pen.Dash {
			b.WriteString(" " + num(d*scale))
		}
		if stroke.Pen.Offset != 0 {
			b.WriteString(" from " + num(stroke.Pen.Offset*scale))
		}
	}
	if stroke.Pen.Cap != geom.ButtCap {
		b.WriteString([]string{"", " round-cap", " square-cap"}[stroke.Pen.Cap])
	}
	if stroke.Pen.Join != geom.MiterJoin {
		b.WriteString([]string{"", " round-join", " bevel-join"}[stroke.Pen.Join])
	}
	if strokeFirst {
		b.WriteString(" stroke-first")
	}
}

func paintText(p *Paint) string {
	g := p.Gradient
	if g == nil {
		return colourText(p.Colour)
	}
	var b strings.Builder
	a, z := g.Matrix.Apply(g.P0), g.Matrix.Apply(g.P1)
	kind := "linear"
	if g.Radial {
		kind = "radial"
	}
	fmt.Fprintf(&b, "%s(%s,%s %s,%s", kind, num(a.X), num(a.Y), num(z.X), num(z.Y))
	for _, s := range g.Stops {
		fmt.Fprintf(&b, " %s@%s", colourText(s.Colour), num(s.Offset))
	}
	return b.String() + ")"
}

func colourText(c Colour) string {
	hex := fmt.Sprintf("#%02x%02x%02x", byte(c.R*255+0.5), byte(c.G*255+0.5), byte(c.B*255+0.5))
	if c.A < 1 {
		hex += "/" + num(c.A)
	}
	return hex
}

func pathText(p *geom.Path, m geom.Matrix) string {
	var b strings.Builder
	p.Each(func(op geom.Op, pts []geom.Point) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte("MLQCZ"[op])
		for i, q := range pts {
			if i > 0 {
				b.WriteByte(' ')
			}
			q = m.Apply(q)
			b.WriteString(num(q.X) + "," + num(q.Y))
		}
	})
	return b.String()
}

func rect(r geom.Rect) string {
	return strings.Join([]string{num(r.X0), num(r.Y0), num(r.X1), num(r.Y1)}, " ")
}

func num(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		v = 0 // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
