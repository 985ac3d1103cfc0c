package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// vertex is a point of a path where a marker may stand, with the directions of the
// path before and behind it; a direction of length 0 is none.
type vertex struct {
	at, in, out geom.Point
}

// vertices gives those of a path (SVG 2 §13.7.4).
func vertices(p *geom.Path) []vertex {
	var out []vertex
	var at geom.Point
	start := 0
	step := func(to, first, last geom.Point) {
		if n := len(out); n > 0 && out[n-1].out == (geom.Point{}) {
			out[n-1].out = first
		}
		out = append(out, vertex{at: to, in: last})
		at = to
	}
	p.Each(func(op geom.Op, q []geom.Point) {
		switch op {
		case geom.MoveTo:
			start = len(out)
			out = append(out, vertex{at: q[0]})
			at = q[0]
		case geom.LineTo:
			d := q[0].Sub(at)
			step(q[0], d, d)
		case geom.QuadTo:
			step(q[1], direction(at, q[0], q[1]), direction(q[1], q[0], at).Mul(-1))
		case geom.CubicTo:
			step(q[2], direction(at, q[0], q[1], q[2]), direction(q[2], q[1], q[0], at).Mul(-1))
		case geom.Close:
			first := &out[start]
			d := first.at.Sub(at)
			if d == (geom.Point{}) && len(out)-1 > start {
				d = out[len(out)-1].in
			}
			step(first.at, d, d)
			first = &out[start]
			first.in = d
			out[len(out)-1].out = first.out
		}
	})
	return out
}

// direction leads from a to the first of the others that is elsewhere.
func direction(a geom.Point, others ...geom.Point) geom.Point {
	for _, b := range others {
		if d := b.Sub(a); d.Len() > 1e-9 {
			return d
		}
	}
	return geom.Point{}
}

// angle halves the turn between the two directions.
func (v vertex) angle() float64 {
	a, b := v.in, v.out
	none := geom.Point{}
	switch {
	case a == none && b == none:
		return 0
	case a == none:
		return math.Atan2(b.Y, b.X)
	case b == none:
		return math.Atan2(a.Y, a.X)
	}
	from, to := math.Atan2(a.Y, a.X), math.Atan2(b.Y, b.X)
	if math.Abs(to-from) > math.Pi {
		if from < to {
			from += 2 * math.Pi
		} else {
			to += 2 * math.Pi
		}
	}
	return (from + to) / 2
}

func (r *reader) markers(e *css.Element, p *geom.Path, sc scope, out *[]display.Item) {
	st := e.Style
	if !st.Set(css.MarkerStart) && !st.Set(css.MarkerMid) && !st.Set(css.MarkerEnd) || !st.Is(css.Visibility, "visible") {
		return
	}
	find := func(prop css.Prop) *css.Element {
		id, _, ok := css.URL(st.Get(prop))
		if !ok {
			return nil
		}
		return r.find(id, "marker")
	}
	start, mid, end := find(css.MarkerStart), find(css.MarkerMid), find(css.MarkerEnd)
	if start == nil && mid == nil && end == nil {
		return
	}
	box := p.Bounds()
	sc.contextFill = r.paint(st, css.Fill, css.FillOpacity, box, sc)
	sc.contextStroke = r.paint(st, css.Stroke, css.StrokeOpacity, box, sc)
	width := st.Length(st.Get(css.StrokeWidth), math.Hypot(sc.w, sc.h)/math.Sqrt2)
	list := vertices(p)
	for i, v := range list {
		switch {
		case i == 0:
			r.marker(start, v, true, width, sc, out)
			if len(list) == 1 {
				r.marker(end, v, false, width, sc, out)
			}
		case i == len(list)-1:
			r.marker(end, v, false, width, sc, out)
		default:
			r.marker(mid, v, false, width, sc, out)
		}
		if r.full() {
			return
		}
	}
}

func (r *reader) marker(m *css.Element, v vertex, first bool, width float64, sc scope, out *[]display.Item) {
	if m == nil || !r.enter(m) {
		return
	}
	defer r.leave()
	length := func(name string, fallback, whole float64) float64 {
		switch a := strings.ToLower(strings.TrimSpace(m.Attr(name))); a {
		case "":
			return fallback
		case "left", "top":
			return 0
		case "center":
			return whole / 2
		case "right", "bottom":
			return whole
		default:
			return m.Style.Length(a, whole)
		}
	}
	w, h := length("markerwidth", 3, sc.w), length("markerheight", 3, sc.h)
	if !(w > 0 && h > 0) {
		return
	}
	angle := 0.0
	switch orient := strings.TrimSpace(m.Attr("orient")); {
	case orient == "auto":
		angle = v.angle()
	case orient == "auto-start-reverse":
		angle = v.angle()
		if first {
			angle += math.Pi
		}
	case orient != "":
		t, ok := m.Style.ParseTransform("rotate("+orient+")", 0, 0)
		if ok {
			angle = math.Atan2(t.B, t.A)
		}
	}
	at := sc.in(geom.Translate(v.at.X, v.at.Y)).in(geom.Rotate(angle))
	if !strings.EqualFold(m.Attr("markerunits"), "userSpaceOnUse") {
		at = at.in(geom.Scale(width, width))
	}
	view := geom.Identity
	vb, hasBox := viewBox(m)
	vw, vh := w, h
	if hasBox {
		view = fit(vb, w, h, m.Attr("preserveaspectratio"))
		vw, vh = vb.W(), vb.H()
	}
	ref := view.Apply(geom.Point{X: length("refx", 0, vw), Y: length("refy", 0, vh)})
	at = at.in(geom.Translate(-ref.X, -ref.Y))
	area := display.Clip{Paths: []display.ClipPath{{Path: geom.RectPath(0, 0, w, h, 0, 0), Matrix: at.matrix}}}
	at = at.in(view)
	at.w, at.h = vw, vh
	var items []display.Item
	r.children(m, at, &items)
	var shown []display.Item
	r.clipped(m, area, items, &shown)
	r.effects(m, at, shown, out)
}
