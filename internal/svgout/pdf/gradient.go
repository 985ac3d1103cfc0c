package pdf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

func sprintfName(format, name string) string { return fmt.Sprintf(format, name) }

// reference gives the reference to a form by its name.
func (p *painter) reference(name string) string {
	i, _ := strconv.Atoi(name[1:])
	return fmt.Sprintf("%d 0 R", p.xobjects[i])
}

// gradient gives the name of a shading pattern.
func (p *painter) gradient(c *content, g *display.Gradient, bounds geom.Rect) string {
	dict := fmt.Sprintf("<</PatternType 2/Matrix[%s]/Shading<<%s>>>>", matrix(c.base.Mul(g.Matrix)), shading(g, bounds, "/DeviceRGB", func(col display.Colour) string {
		return num(col.R) + " " + num(col.G) + " " + num(col.B)
	}))
	if name, ok := p.objects[dict]; ok {
		return name
	}
	name := fmt.Sprintf("P%d", len(p.patterns))
	p.patterns = append(p.patterns, p.file.add(dict))
	p.objects[dict] = name
	return name
}

// fadeState gives the name of a state in which the gradient's opacity masks what is
// painted.
func (p *painter) fadeState(c *content, g *display.Gradient, bounds geom.Rect) string {
	inner := newForm()
	dict := fmt.Sprintf("<</PatternType 2/Matrix[%s]/Shading<<%s>>>>", matrix(g.Matrix), shading(g, bounds, "/DeviceGray", func(col display.Colour) string { return num(col.A) }))
	name, ok := p.objects[dict]
	if !ok {
		name = fmt.Sprintf("P%d", len(p.patterns))
		p.patterns = append(p.patterns, p.file.add(dict))
		p.objects[dict] = name
	}
	inner.op("/Pattern cs/%s scn", name)
	inner.path(geom.RectPath(bounds.X0-1, bounds.Y0-1, bounds.W()+2, bounds.H()+2, 0, 0), geom.Identity)
	inner.op("f")
	form := p.form(inner, bounds.Grow(1), "/CS/DeviceGray/I true")
	return p.state("/SMask<</S/Luminosity/G " + p.reference(form) + ">>")
}

// maxRepeats bounds how often a repeating gradient is written out.
const maxRepeats = 200

// shading writes a shading dictionary's entries. PDF has no repeating gradients: they
// are written out over the bounds.
func shading(g *display.Gradient, bounds geom.Rect, space string, value func(display.Colour) string) string {
	stops := g.Stops
	p0, p1, r0, r1 := g.P0, g.P1, g.R0, g.R1
	if g.Spread != display.Pad {
		lo, hi := span(g, bounds)
		var all []display.Stop
		for n := lo; n < hi; n++ {
			for i := range stops {
				s := stops[i]
				if g.Spread == display.Reflect && n&1 != 0 {
					s = stops[len(stops)-1-i]
					s.Offset = 1 - s.Offset
				}
				s.Offset = (s.Offset + float64(n-lo)) / float64(hi-lo)
				all = append(all, s)
			}
		}
		stops = all
		d := p1.Sub(p0)
		p0, p1 = p0.Add(d.Mul(float64(lo))), p0.Add(d.Mul(float64(hi)))
		r0, r1 = r0+(g.R1-g.R0)*float64(lo), r0+(g.R1-g.R0)*float64(hi)
	}
	kind, coords := 2, fmt.Sprintf("%s %s %s %s", num(p0.X), num(p0.Y), num(p1.X), num(p1.Y))
	if g.Radial {
		kind, coords = 3, fmt.Sprintf("%s %s %s %s %s %s", num(p0.X), num(p0.Y), num(max(0, r0)), num(p1.X), num(p1.Y), num(r1))
	}
	return fmt.Sprintf("/ShadingType %d/ColorSpace%s/Coords[%s]/Extend[true true]/Function%s", kind, space, coords, stitched(stops, value))
}

// span gives which repetitions of a gradient the bounds show.
func span(g *display.Gradient, bounds geom.Rect) (lo, hi int) {
	back, ok := g.Matrix.Inverse()
	if !ok {
		return 0, 1
	}
	l, h := 0.0, 1.0
	d := g.P1.Sub(g.P0)
	for _, q := range [...]geom.Point{{X: bounds.X0, Y: bounds.Y0}, {X: bounds.X1, Y: bounds.Y0}, {X: bounds.X0, Y: bounds.Y1}, {X: bounds.X1, Y: bounds.Y1}} {
		v := back.Apply(q).Sub(g.P0)
		t := (v.X*d.X + v.Y*d.Y) / (d.X*d.X + d.Y*d.Y)
		if g.Radial {
			t = (v.Len() + d.Len()) / max(g.R1-g.R0, 1e-9)
		}
		l, h = min(l, t), max(h, t)
	}
	if g.Radial {
		l = 0
	}
	lo, hi = int(math.Floor(max(l, -maxRepeats))), int(math.Ceil(min(h, maxRepeats)))
	return lo, max(hi, lo+1)
}

// stitched writes a function from 0…1 through the stops.
func stitched(stops []display.Stop, value func(display.Colour) string) string {
	one := func(a, b display.Colour) string {
		return fmt.Sprintf("<</FunctionType 2/Domain[0 1]/C0[%s]/C1[%s]/N 1>>", value(a), value(b))
	}
	list := stops
	if list[0].Offset > 0 {
		list = append([]display.Stop{{Offset: 0, Colour: list[0].Colour}}, list...)
	}
	if last := list[len(list)-1]; last.Offset < 1 {
		list = append(append([]display.Stop{}, list...), display.Stop{Offset: 1, Colour: last.Colour})
	}
	if len(list) == 2 {
		return one(list[0].Colour, list[1].Colour)
	}
	var functions, bounds, encode []string
	at := 0.0
	for i := 1; i < len(list); i++ {
		// Two stops in one place are a step; functions must have some width.
		end := list[i].Offset
		if end <= at {
			if i+1 < len(list) {
				continue
			}
			end = 1
		}
		from := list[i-1].Colour
		functions = append(functions, one(from, list[i].Colour))
		encode = append(encode, "0 1")
		if end < 1 {
			bounds = append(bounds, num(end))
		}
		at = end
		if end >= 1 {
			break
		}
	}
	return fmt.Sprintf("<</FunctionType 3/Domain[0 1]/Functions[%s]/Bounds[%s]/Encode[%s]>>", strings.Join(functions, ""), strings.Join(bounds, " "), strings.Join(encode, " "))
}
