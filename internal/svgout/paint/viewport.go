package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// maxSide is the longest side of a page, in px. PDF viewers take 14,400 pt as it is,
// and more with a larger unit.
const maxSide = 1_000_000

// root reads the outermost svg. Its size is its own width and height where those are
// lengths, else its max-width, else that of its viewBox; 300 × 150 without any.
func (r *reader) root(e *css.Element, p *Picture) error {
	st := e.Style
	vb, hasBox := viewBox(e)
	w, hasW := absolute(st, css.Width)
	h, hasH := absolute(st, css.Height)
	if !hasW {
		if most, ok := absolute(st, css.MaxWidth); ok {
			w, hasW = most, true
		}
	}
	switch {
	case hasW && hasH:
	case hasBox && hasW:
		h = w * vb.H() / vb.W()
	case hasBox && hasH:
		w = h * vb.W() / vb.H()
	case hasBox:
		w, h = vb.W(), vb.H()
	default:
		if !hasW {
			w = 300
		}
		if !hasH {
			h = 150
		}
	}
	if !(w > 0 && h > 0) {
		return ErrSize
	}
	if w > maxSide || h > maxSide {
		return &LimitError{What: "px on a side of the picture", Max: maxSide}
	}
	p.Width, p.Height = w, h
	sc := scope{matrix: geom.Identity, w: w, h: h, base: 1}
	if hasBox {
		sc.matrix = fit(vb, w, h, e.Attr("preserveaspectratio"))
		sc.w, sc.h = vb.W(), vb.H()
		sc.base = sc.matrix.Scale()
	}
	sc.keep = e.Attr("xml:space") == "preserve"
	var items []display.Item
	if !st.Is(css.Display, "none") {
		r.children(e, sc, &items)
	}
	r.effects(e, sc, items, &p.list.Items)
	if r.count > maxItems {
		return &LimitError{What: "things to paint", Max: maxItems}
	}
	if r.copied > maxCopies {
		return &LimitError{What: "elements that <use> repeats", Max: maxCopies}
	}
	r.boxWarning()
	p.list.Width, p.list.Height, p.list.Links = w, h, r.links
	for _, c := range e.Children {
		switch {
		case c.Elem == nil:
		case c.Elem.Name == "title" && p.Title == "":
			p.Title = strings.Join(strings.Fields(c.Elem.TextContent()), " ")
		case c.Elem.Name == "desc" && p.Description == "":
			p.Description = strings.Join(strings.Fields(c.Elem.TextContent()), " ")
		}
	}
	p.background, _ = css.ParseColour(st.Get(css.BackgroundColor))
	return nil
}

// absolute gives a length that is not relative to what is around the picture.
func absolute(st *css.Style, p css.Prop) (float64, bool) {
	v := st.Get(p)
	if strings.Contains(v, "%") {
		return 0, false
	}
	return st.ParseLength(v, 0)
}

func viewBox(e *css.Element) (geom.Rect, bool) {
	list := css.Numbers(e.Attr("viewbox"))
	if len(list) != 4 {
		return geom.Rect{}, false
	}
	var v [4]float64
	for i, s := range list {
		n, size := geom.ScanNumber(s)
		if size != len(s) {
			return geom.Rect{}, false
		}
		v[i] = n
	}
	return geom.Rect{X0: v[0], Y0: v[1], X1: v[0] + v[2], Y1: v[1] + v[3]}, v[2] > 0 && v[3] > 0
}

// fit maps a viewBox into a viewport of w × h (SVG 2 §8.2).
func fit(vb geom.Rect, w, h float64, how string) geom.Matrix {
	sx, sy := w/vb.W(), h/vb.H()
	words := strings.Fields(how)
	align, slice := "xMidYMid", false
	if len(words) > 0 && words[0] == "defer" {
		words = words[1:]
	}
	if len(words) > 0 {
		align = words[0]
	}
	if len(words) > 1 {
		slice = words[1] == "slice"
	}
	if align == "none" {
		return geom.Scale(sx, sy).Mul(geom.Translate(-vb.X0, -vb.Y0))
	}
	s := min(sx, sy)
	if slice {
		s = max(sx, sy)
	}
	x, y := (w-vb.W()*s)/2, (h-vb.H()*s)/2
	switch {
	case strings.Contains(align, "xMin"):
		x = 0
	case strings.Contains(align, "xMax"):
		x *= 2
	}
	switch {
	case strings.Contains(align, "YMin"):
		y = 0
	case strings.Contains(align, "YMax"):
		y *= 2
	}
	return geom.Translate(x, y).Mul(geom.Scale(s, s)).Mul(geom.Translate(-vb.X0, -vb.Y0))
}

// viewport shows an inner svg, or a symbol that the <use> sized shows.
func (r *reader) viewport(e, sized *css.Element, sc scope, out *[]display.Item) {
	length := func(p css.Prop, whole float64) (float64, bool) {
		if sized != e {
			if v := sized.Style.Get(p); v != "auto" {
				return sized.Style.ParseLength(v, whole)
			}
		}
		return e.Style.ParseLength(e.Style.Get(p), whole)
	}
	w, ok := length(css.Width, sc.w)
	if !ok {
		w = sc.w
	}
	h, ok := length(css.Height, sc.h)
	if !ok {
		h = sc.h
	}
	if !(w > 0 && h > 0) {
		return
	}
	if e.Name == "svg" {
		sc = sc.in(geom.Translate(e.Style.Length(e.Style.Get(css.X), sc.w), e.Style.Length(e.Style.Get(css.Y), sc.h)))
	}
	area := display.Clip{Paths: []display.ClipPath{{Path: geom.RectPath(0, 0, w, h, 0, 0), Matrix: sc.matrix}}}
	sc.w, sc.h = w, h
	if vb, ok := viewBox(e); ok {
		sc = sc.in(fit(vb, w, h, e.Attr("preserveaspectratio")))
		sc.w, sc.h = vb.W(), vb.H()
	}
	var items []display.Item
	r.children(e, sc, &items)
	r.clipped(e, area, items, out)
}

// clipped adds items, and only what is in area of them where e does not let them
// overflow.
func (r *reader) clipped(e *css.Element, area display.Clip, items []display.Item, out *[]display.Item) {
	if len(items) == 0 {
		return
	}
	if o := e.Style.Get(css.Overflow); o == "visible" || o == "auto" || inside(display.BoundsOf(items), area.Bounds()) {
		*out = append(*out, items...)
		return
	}
	r.add(out, &display.Group{Opacity: 1, Clips: []display.Clip{area}, Items: items})
}

func inside(r, in geom.Rect) bool {
	const slack = 1e-6
	return r.X0 >= in.X0-slack && r.Y0 >= in.Y0-slack && r.X1 <= in.X1+slack && r.Y1 <= in.Y1+slack
}

func (r *reader) use(e *css.Element, sc scope, out *[]display.Item) {
	target := r.byID[strings.TrimPrefix(strings.TrimSpace(e.Attr("href")), "#")]
	if target == nil || !r.enter(target) {
		return
	}
	defer r.leave()
	target.Elements(func(*css.Element) { r.copied++ })
	if r.full() {
		return
	}
	st := e.Style
	sc = sc.in(geom.Translate(st.Length(st.Get(css.X), sc.w), st.Length(st.Get(css.Y), sc.h)))
	shown := r.cascade.Instance(target, st)
	switch shown.Name {
	case "symbol", "svg":
		if shown.Style.Is(css.Display, "none") {
			return
		}
		var items []display.Item
		r.viewport(shown, e, sc, &items)
		r.effects(shown, sc, items, out)
	default:
		r.element(shown, sc, out)
	}
}

// transform gives the matrix of an element's transform properties (CSS Transforms 2).
func (r *reader) transform(e *css.Element, sc scope) geom.Matrix {
	st := e.Style
	plain := !st.Set(css.TranslateProp) && !st.Set(css.Rotate) && !st.Set(css.ScaleProp)
	if plain && !st.Set(css.Transform) {
		return geom.Identity
	}
	ref := geom.Rect{X1: sc.w, Y1: sc.h}
	if st.Is(css.TransformBox, "fill-box") || st.Is(css.TransformBox, "content-box") {
		ref = r.boxOf(e, sc)
	}
	m, ok := st.ParseTransform(st.Get(css.Transform), ref.W(), ref.H())
	if !ok {
		m = geom.Identity
		r.warn("not supported: transform %s", clip(st.Get(css.Transform)))
	}
	if !plain {
		m = r.individual(st, ref).Mul(m)
	}
	if v := st.Get(css.TransformOrigin); v != "" || ref.X0 != 0 || ref.Y0 != 0 {
		x, y := origin(st, v, ref)
		m = geom.Translate(x, y).Mul(m).Mul(geom.Translate(-x, -y))
	}
	return m
}

func (r *reader) individual(st *css.Style, ref geom.Rect) geom.Matrix {
	m := geom.Identity
	for _, f := range [...]struct {
		p    css.Prop
		name string
	}{{css.TranslateProp, "translate"}, {css.Rotate, "rotate"}, {css.ScaleProp, "scale"}} {
		if v := st.Get(f.p); !strings.EqualFold(v, "none") {
			n, ok := st.ParseTransform(f.name+"("+strings.Join(css.Numbers(v), ",")+")", ref.W(), ref.H())
			if !ok {
				r.warn("not supported: %s: %s", f.name, clip(v))
			}
			m = m.Mul(n)
		}
	}
	return m
}

// origin reads transform-origin; without one it is the middle of a fill-box.
func origin(st *css.Style, v string, ref geom.Rect) (x, y float64) {
	x, y = math.NaN(), math.NaN()
	for _, word := range css.Numbers(v) {
		switch word {
		case "left":
			x = 0
		case "right":
			x = ref.W()
		case "top":
			y = 0
		case "bottom":
			y = ref.H()
		case "center":
			if math.IsNaN(x) {
				x = ref.W() / 2
			} else {
				y = ref.H() / 2
			}
		default:
			if math.IsNaN(x) {
				x = st.Length(word, ref.W())
			} else if math.IsNaN(y) {
				y = st.Length(word, ref.H())
			}
		}
	}
	if math.IsNaN(x) {
		x = ref.W() / 2
	}
	if math.IsNaN(y) {
		y = ref.H() / 2
	}
	return ref.X0 + x, ref.Y0 + y
}
