package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// path gives the outline of a basic shape, nil if it shows nothing.
func (r *reader) path(e *css.Element, sc scope) *geom.Path {
	st := e.Style
	diagonal := math.Hypot(sc.w, sc.h) / math.Sqrt2
	get := func(p css.Prop, whole float64) float64 { return st.Length(st.Get(p), whole) }
	attr := func(name string, whole float64) float64 { return st.Length(e.Attr(name), whole) }
	var p *geom.Path
	switch e.Name {
	case "path":
		p = r.pathData(st.Get(css.D))
	case "rect":
		w, h := get(css.Width, sc.w), get(css.Height, sc.h)
		if !(w > 0 && h > 0) {
			return nil
		}
		rx, ry := radii(st, w, h, sc)
		p = geom.RectPath(get(css.X, sc.w), get(css.Y, sc.h), w, h, rx, ry)
	case "circle":
		radius := get(css.R, diagonal)
		if !(radius > 0) {
			return nil
		}
		p = geom.EllipsePath(get(css.Cx, sc.w), get(css.Cy, sc.h), radius, radius)
	case "ellipse":
		rx, okX := st.ParseLength(st.Get(css.Rx), sc.w)
		ry, okY := st.ParseLength(st.Get(css.Ry), sc.h)
		if !okX {
			rx = ry
		}
		if !okY {
			ry = rx
		}
		if !(rx > 0 && ry > 0) {
			return nil
		}
		p = geom.EllipsePath(get(css.Cx, sc.w), get(css.Cy, sc.h), rx, ry)
	case "line":
		p = &geom.Path{}
		p.MoveTo(geom.Point{X: attr("x1", sc.w), Y: attr("y1", sc.h)})
		p.LineTo(geom.Point{X: attr("x2", sc.w), Y: attr("y2", sc.h)})
	case "polyline", "polygon":
		p = polygon(e.Attr("points"))
		if e.Name == "polygon" && len(p.Ops) > 0 {
			p.Close()
		}
	}
	if p.Empty() || !p.Finite() {
		return nil
	}
	return p
}

func (r *reader) pathData(d string) *geom.Path {
	if strings.EqualFold(d, "none") {
		return nil
	}
	if inner, ok := strings.CutPrefix(d, "path("); ok { // as CSS writes it
		d = strings.Trim(strings.TrimSuffix(strings.TrimSpace(inner), ")"), `"' `)
	}
	p, err := geom.ParsePath(d)
	if err != nil {
		r.warn("%v", err)
	}
	return p
}

// radii gives a rectangle's (SVG 2 §10.2): one that is auto follows the other.
func radii(st *css.Style, w, h float64, sc scope) (rx, ry float64) {
	rx, okX := st.ParseLength(st.Get(css.Rx), sc.w)
	ry, okY := st.ParseLength(st.Get(css.Ry), sc.h)
	okX, okY = okX && rx >= 0, okY && ry >= 0
	switch {
	case !okX && !okY:
		return 0, 0
	case !okX:
		rx = ry
	case !okY:
		ry = rx
	}
	return min(rx, w/2), min(ry, h/2)
}

func polygon(points string) *geom.Path {
	p := &geom.Path{}
	list := css.Numbers(points)
	// Numbers may run into each other, as in 1-2.
	var v []float64
	for _, s := range list {
		for s != "" {
			n, size := geom.ScanNumber(s)
			if size == 0 {
				return p
			}
			v, s = append(v, n), s[size:]
		}
	}
	for i := 0; i+1 < len(v); i += 2 {
		q := geom.Point{X: v[i], Y: v[i+1]}
		if i == 0 {
			p.MoveTo(q)
		} else {
			p.LineTo(q)
		}
	}
	return p
}

// shape adds a basic shape with its markers.
func (r *reader) shape(e *css.Element, sc scope, out *[]display.Item) {
	p := r.path(e, sc)
	if p == nil {
		return
	}
	st := e.Style
	if st.Is(css.Visibility, "visible") {
		r.painted(e, p, sc, out)
	}
	switch e.Name {
	case "path", "line", "polyline", "polygon":
		r.markers(e, p, sc, out)
	}
}

// painted adds a path with the fill and stroke of e.
func (r *reader) painted(e *css.Element, p *geom.Path, sc scope, out *[]display.Item) {
	st := e.Style
	box := p.Bounds()
	s := &display.Shape{
		Path: p, Matrix: sc.matrix,
		EvenOdd: st.Is(css.FillRule, "evenodd"),
		Crisp:   st.Is(css.ShapeRendering, "crispedges") || st.Is(css.ShapeRendering, "optimizespeed"),
	}
	s.StrokeFirst = strokeFirst(st)
	if e.Name != "line" {
		if tiles := r.pattern(e, css.Fill, p, box, sc); tiles != nil {
			r.add(out, tiles)
		} else {
			s.Fill = r.paint(st, css.Fill, css.FillOpacity, box, sc)
		}
	}
	s.Stroke = r.stroke(st, box, sc)
	if s.Fill != nil || s.Stroke != nil {
		r.add(out, s)
	}
}

// strokeFirst reads paint-order: fill, stroke, markers unless said otherwise.
func strokeFirst(st *css.Style) bool {
	v := strings.ToLower(st.Get(css.PaintOrder))
	s, f := strings.Index(v, "stroke"), strings.Index(v, "fill")
	return s >= 0 && (f < 0 || s < f)
}

// stroke gives how e's lines are drawn, nil if not at all.
func (r *reader) stroke(st *css.Style, box geom.Rect, sc scope) *display.Stroke {
	if st.Is(css.Stroke, "none") {
		return nil
	}
	diagonal := math.Hypot(sc.w, sc.h) / math.Sqrt2
	width := st.Length(st.Get(css.StrokeWidth), diagonal)
	if !(width > 0) {
		return nil
	}
	paint := r.paint(st, css.Stroke, css.StrokeOpacity, box, sc)
	if paint == nil {
		return nil
	}
	pen := geom.Pen{Width: width, MiterLimit: 4}
	if m, n := geom.ScanNumber(st.Get(css.StrokeMiterlimit)); n > 0 {
		pen.MiterLimit = max(1, m)
	}
	switch strings.ToLower(st.Get(css.StrokeLinecap)) {
	case "round":
		pen.Cap = geom.RoundCap
	case "square":
		pen.Cap = geom.SquareCap
	}
	switch strings.ToLower(st.Get(css.StrokeLinejoin)) {
	case "round":
		pen.Join = geom.RoundJoin
	case "bevel":
		pen.Join = geom.BevelJoin
	}
	pen.Dash, pen.Offset = dashes(st, diagonal)
	if st.Is(css.VectorEffect, "non-scaling-stroke") {
		if k := sc.base / sc.matrix.Scale(); k > 0 && !math.IsInf(k, 0) {
			pen.Width *= k
			pen.Offset *= k
			for i := range pen.Dash {
				pen.Dash[i] *= k
			}
		}
	}
	return &display.Stroke{Paint: *paint, Pen: pen}
}

func dashes(st *css.Style, diagonal float64) ([]float64, float64) {
	v := st.Get(css.StrokeDasharray)
	if strings.EqualFold(v, "none") {
		return nil, 0
	}
	var list []float64
	sum := 0.0
	for _, s := range css.Numbers(v) {
		d, ok := st.ParseLength(s, diagonal)
		if !ok || d < 0 {
			return nil, 0
		}
		list = append(list, d)
		sum += d
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, 0
	}
	// Zero gaps in between make a solid line.
	solid := len(list)%2 == 0
	for i := 1; i < len(list); i += 2 {
		solid = solid && list[i] == 0
	}
	if solid {
		return nil, 0
	}
	return list, st.Length(st.Get(css.StrokeDashoffset), diagonal)
}
