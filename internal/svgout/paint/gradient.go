package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// paint gives what fill or stroke is painted with, nil for nothing. box is the
// geometry's, in the coordinates of sc.
func (r *reader) paint(st *css.Style, p, opacity css.Prop, box geom.Rect, sc scope) *display.Paint {
	v := st.Get(p)
	alpha := css.Alpha(st.Get(opacity))
	if id, fallback, ok := css.URL(v); ok {
		if g := r.find(id, "lineargradient", "radialgradient"); g != nil {
			if paint := r.gradient(g, alpha, box, sc); paint != nil {
				return paint
			}
			return nil
		}
		if r.byID[id] == nil {
			r.warn("nothing has the id %q that a %s refers to", clip(id), propName(p))
		}
		v = fallback
		if v == "" {
			v = "none"
		}
	}
	switch strings.ToLower(v) {
	case "none":
		return nil
	case "context-fill":
		return faded(sc.contextFill, alpha)
	case "context-stroke":
		return faded(sc.contextStroke, alpha)
	}
	c, ok := r.colour(st, v)
	c.A *= alpha
	if !ok || c.A == 0 {
		return nil
	}
	return &display.Paint{Colour: c}
}

func propName(p css.Prop) string {
	if p == css.Fill {
		return "fill"
	}
	return "stroke"
}

func (r *reader) colour(st *css.Style, v string) (css.Colour, bool) {
	if strings.EqualFold(v, "currentcolor") {
		v = st.Get(css.Color)
	}
	return css.ParseColour(v)
}

func faded(p *display.Paint, alpha float64) *display.Paint {
	if p == nil || alpha == 0 {
		return nil
	}
	out := *p
	out.Colour.A *= alpha
	if p.Gradient != nil {
		g := *p.Gradient
		g.Stops = append([]display.Stop{}, g.Stops...)
		for i := range g.Stops {
			g.Stops[i].Colour.A *= alpha
		}
		out.Gradient = &g
	}
	return &out
}

// chain gives a gradient or pattern and those it takes attributes and content from.
func (r *reader) chain(e *css.Element) []*css.Element {
	const most = 10
	list := []*css.Element{e}
	for len(list) < most {
		next := r.byID[strings.TrimPrefix(e.Attr("href"), "#")]
		if next == nil || !strings.HasPrefix(e.Attr("href"), "#") {
			break
		}
		list = append(list, next)
		e = next
	}
	return list
}

func lookup(chain []*css.Element, name string) string {
	for _, e := range chain {
		if v, ok := e.Lookup(name); ok {
			return v
		}
	}
	return ""
}

func (r *reader) gradient(e *css.Element, alpha float64, box geom.Rect, sc scope) *display.Paint {
	chain := r.chain(e)
	stops := r.stops(chain, alpha)
	if len(stops) == 0 {
		return nil
	}
	if len(stops) == 1 {
		return solid(stops[0].Colour)
	}
	g := &display.Gradient{Radial: e.Name == "radialgradient", Stops: stops, Matrix: sc.matrix}
	w, h := sc.w, sc.h
	if !strings.EqualFold(lookup(chain, "gradientunits"), "userSpaceOnUse") {
		if !(box.W() > 0 && box.H() > 0) {
			return nil
		}
		g.Matrix = g.Matrix.Mul(geom.Matrix{A: box.W(), D: box.H(), E: box.X0, F: box.Y0})
		w, h = 1, 1
	}
	if t := lookup(chain, "gradienttransform"); t != "" {
		m, ok := e.Style.ParseTransform(t, w, h)
		if !ok {
			r.warn("not supported: gradientTransform %s", clip(t))
		}
		g.Matrix = g.Matrix.Mul(m)
	}
	switch strings.ToLower(lookup(chain, "spreadmethod")) {
	case "reflect":
		g.Spread = display.Reflect
	case "repeat":
		g.Spread = display.Repeat
	}
	at := func(name, fallback string, whole float64) float64 {
		v := lookup(chain, name)
		if v == "" {
			v = fallback
		}
		return e.Style.Length(v, whole)
	}
	if g.Radial {
		diagonal := math.Hypot(w, h) / math.Sqrt2
		g.P1 = geom.Point{X: at("cx", "50%", w), Y: at("cy", "50%", h)}
		g.R1 = at("r", "50%", diagonal)
		g.P0, g.R0 = g.P1, at("fr", "0", diagonal)
		if lookup(chain, "fx") != "" {
			g.P0.X = at("fx", "", w)
		}
		if lookup(chain, "fy") != "" {
			g.P0.Y = at("fy", "", h)
		}
		if !(g.R1 > 0) {
			return solid(stops[len(stops)-1].Colour)
		}
		// A focus outside is moved to the edge.
		if d := g.P0.Sub(g.P1); d.Len() > g.R1*0.999 {
			g.P0 = g.P1.Add(d.Mul(g.R1 * 0.999 / d.Len()))
		}
	} else {
		g.P0 = geom.Point{X: at("x1", "0%", w), Y: at("y1", "0%", h)}
		g.P1 = geom.Point{X: at("x2", "100%", w), Y: at("y2", "0%", h)}
		if g.P0 == g.P1 {
			return solid(stops[len(stops)-1].Colour)
		}
	}
	if _, ok := g.Matrix.Inverse(); !ok || !g.Matrix.Finite() {
		return nil
	}
	return &display.Paint{Gradient: g}
}

func solid(c css.Colour) *display.Paint {
	if c.A == 0 {
		return nil
	}
	return &display.Paint{Colour: c}
}

func (r *reader) stops(chain []*css.Element, alpha float64) []display.Stop {
	var stops []display.Stop
	last := 0.0
	for _, e := range chain {
		for _, c := range e.Children {
			if c.Elem == nil || c.Elem.Name != "stop" {
				continue
			}
			st := c.Elem.Style
			colour, ok := r.colour(st, st.Get(css.StopColor))
			if !ok {
				colour = css.Colour{A: 1}
			}
			colour.A *= css.Alpha(st.Get(css.StopOpacity)) * alpha
			offset := 0.0
			if v, ok := c.Elem.Lookup("offset"); ok {
				offset = css.Alpha(v)
			}
			last = max(last, offset)
			stops = append(stops, display.Stop{Offset: last, Colour: colour})
		}
		if len(stops) > 0 {
			return stops
		}
	}
	return nil
}
