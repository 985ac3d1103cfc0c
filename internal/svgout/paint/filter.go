package paint

import (
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
	"github.com/webodar/webodar/internal/svgout/markup"
)

// filter reads the filter property into g: drop shadows, and what does nothing. False
// if the element does not show at all.
func (r *reader) filter(e *css.Element, sc scope, items []display.Item, box geom.Rect, g *display.Group) bool {
	v := strings.TrimSpace(e.Style.Get(css.Filter))
	for v != "" && !strings.EqualFold(v, "none") {
		if id, rest, ok := css.URL(v); ok {
			f := r.find(id, "filter")
			if f != nil && !r.filterElement(f, sc, box, g) {
				return false
			}
			v = rest
			continue
		}
		open := strings.IndexByte(v, '(')
		if open < 0 {
			r.warn("not supported: filter %s", clip(v))
			return true
		}
		end := open + 1 + markup.Stop(v[open+1:], ")")
		name := strings.ToLower(strings.TrimSpace(v[:open]))
		args := v[open+1 : min(end, len(v))]
		v = strings.TrimSpace(v[min(end+1, len(v)):])
		if m, ok := colourFilter(name, strings.TrimSpace(args)); ok {
			r.recolour(items, m)
			continue
		}
		if name != "drop-shadow" {
			r.warn("not supported: filter %s()", clip(name))
			continue
		}
		s := display.Shadow{Colour: css.Colour{A: 1}}
		if c, ok := r.colour(e.Style, e.Style.Get(css.Color)); ok {
			s.Colour = c
		}
		var lengths []float64
		for _, word := range words(args) {
			if px, ok := e.Style.ParseLength(word, 0); ok {
				lengths = append(lengths, px)
			} else if c, ok := r.colour(e.Style, word); ok {
				s.Colour = c
			}
		}
		if len(lengths) < 2 || len(lengths) > 3 {
			continue // browsers drop it
		}
		lengths = append(lengths, 0)
		r.shadow(s, lengths[0], lengths[1], lengths[2], sc, g)
	}
	return true
}

// words cuts at white space outside brackets.
func words(s string) []string {
	var out []string
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		if s == "" {
			return out
		}
		i := markup.Stop(s, " \t\r\n")
		out = append(out, s[:i])
		s = s[i:]
	}
}

func (r *reader) shadow(s display.Shadow, dx, dy, sigma float64, sc scope, g *display.Group) {
	d := sc.matrix
	d.E, d.F = 0, 0
	off := d.Apply(geom.Point{X: dx, Y: dy})
	s.DX, s.DY, s.Sigma = off.X, off.Y, max(0, sigma)*d.Scale()
	if s.Colour.A > 0 {
		g.Shadows = append(g.Shadows, s)
	}
}

// filterElement reads a <filter> that makes a drop shadow, with feDropShadow or the
// long way: blur, offset, colour, and the source on top.
func (r *reader) filterElement(f *css.Element, sc scope, box geom.Rect, g *display.Group) bool {
	if !r.filterArea(f, sc, box, g) {
		return false
	}
	var s display.Shadow
	s.Colour = css.Colour{A: 1}
	dx, dy, sigma := 0.0, 0.0, 0.0
	chained, blurred, source := false, false, false
	for _, c := range f.Children {
		p := c.Elem
		if p == nil {
			continue
		}
		number := func(name string, fallback float64) float64 {
			list := css.Numbers(p.Attr(name))
			if len(list) == 0 {
				return fallback
			}
			v, _ := geom.ScanNumber(list[0])
			return v
		}
		in := func(name string) bool { return p.Attr(name) == "SourceGraphic" }
		switch p.Name {
		case "fedropshadow":
			one := display.Shadow{Colour: r.flood(p.Style)}
			r.shadow(one, number("dx", 2), number("dy", 2), number("stddeviation", 2), sc, g)
		case "fegaussianblur":
			sigma, chained, blurred = number("stddeviation", 0), true, true
		case "feoffset":
			dx, dy, chained = dx+number("dx", 0), dy+number("dy", 0), true
		case "fecolormatrix":
			s.Colour = matrixColour(p, s.Colour)
		case "feflood":
			s.Colour = r.flood(p.Style)
		case "fecomponenttransfer":
			for _, k := range p.Children {
				if k.Elem != nil && k.Elem.Name == "fefunca" && k.Elem.Attr("type") == "linear" {
					slope, n := geom.ScanNumber(k.Elem.Attr("slope"))
					if n > 0 {
						s.Colour.A *= max(0, min(1, slope))
					}
				}
			}
		case "fecomposite":
			source = source || in("in") && p.Attr("operator") != "in"
		case "feblend":
			source = source || in("in") || in("in2")
		case "femerge":
			for _, k := range p.Children {
				source = source || k.Elem != nil && k.Elem.Attr("in") == "SourceGraphic"
			}
		default:
			r.warn("not supported: <%s>", clip(p.Name))
		}
	}
	switch {
	case chained && source:
		r.shadow(s, dx, dy, sigma, sc, g)
	case blurred:
		r.warn("not supported: a blur that is no shadow")
	}
	return true
}

// filterArea bounds a filter by its region; false where that is empty, since then
// browsers show nothing.
func (r *reader) filterArea(f *css.Element, sc scope, box geom.Rect, g *display.Group) bool {
	user := strings.EqualFold(f.Attr("filterunits"), "userSpaceOnUse")
	if !user && !(box.W() > 0 && box.H() > 0) {
		return false
	}
	length := func(name, fallback string, whole float64) float64 {
		v := f.Attr(name)
		if v == "" {
			v = fallback
		}
		return f.Style.Length(v, whole)
	}
	wholeW, wholeH := 1.0, 1.0
	if user {
		wholeW, wholeH = sc.w, sc.h
	}
	x, y := length("x", "-10%", wholeW), length("y", "-10%", wholeH)
	w, h := length("width", "120%", wholeW), length("height", "120%", wholeH)
	if !(w > 0 && h > 0) {
		return false
	}
	if !user {
		x, y, w, h = box.X0+x*box.W(), box.Y0+y*box.H(), w*box.W(), h*box.H()
	}
	g.ShadowArea = &display.Clip{Paths: []display.ClipPath{{Path: geom.RectPath(x, y, w, h, 0, 0), Matrix: sc.matrix}}}
	return true
}

func (r *reader) flood(st *css.Style) css.Colour {
	c, ok := r.colour(st, st.Get(css.FloodColor))
	if !ok {
		c = css.Colour{A: 1}
	}
	c.A *= css.Alpha(st.Get(css.FloodOpacity))
	return c
}

// matrixColour gives the colour that feColorMatrix turns every colour into: its
// constants, and how much it leaves of alpha.
func matrixColour(p *css.Element, c css.Colour) css.Colour {
	list := css.Numbers(p.Attr("values"))
	if len(list) != 20 {
		return c
	}
	at := func(i int) float64 {
		v, _ := geom.ScanNumber(list[i])
		return max(0, min(1, v))
	}
	return css.Colour{R: at(4), G: at(9), B: at(14), A: at(18)}
}
