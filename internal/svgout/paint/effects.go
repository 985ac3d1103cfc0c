package paint

import (
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// effects adds items as e's opacity, clip path, mask and filter let them show.
func (r *reader) effects(e *css.Element, sc scope, items []display.Item, out *[]display.Item) {
	if len(items) == 0 {
		return
	}
	st := e.Style
	opacity := css.Alpha(st.Get(css.Opacity))
	if opacity == 0 {
		return
	}
	g := &display.Group{Opacity: opacity}
	if v := strings.ToLower(st.Get(css.MixBlendMode)); v != "normal" {
		if blendModes[v] {
			g.Blend = v
		} else {
			r.warn("not supported: mix-blend-mode %s", clip(v))
		}
	}
	box := boxIn(sc)
	if !r.filter(e, sc, items, box(items), g) {
		return
	}
	if v := st.Get(css.ClipPath); !strings.EqualFold(v, "none") {
		if id, _, ok := css.URL(v); !ok {
			r.warn("not supported: clip-path %s", clip(v))
		} else if c := r.find(id, "clippath"); c != nil {
			if !r.clip(c, sc, box(items), g, 0) {
				return
			}
		}
	}
	if v := st.Get(css.Mask); !strings.EqualFold(v, "none") {
		if id, _, ok := css.URL(v); !ok {
			r.warn("not supported: mask %s", clip(v))
		} else if m := r.find(id, "mask"); m != nil {
			if g.Mask = r.mask(m, sc, box(items)); g.Mask == nil {
				return
			}
		}
	}
	if opacity < 1 && g.Blend == "" && g.Mask == nil && len(g.Shadows) == 0 && len(g.Clips) == 0 && len(items) == 1 && fade(items[0], opacity) {
		g.Opacity = 1
	}
	if g.Opacity == 1 && g.Blend == "" && g.Mask == nil && len(g.Shadows) == 0 && g.ShadowArea == nil && len(g.Clips) == 0 {
		*out = append(*out, items...)
		return
	}
	g.Items = items
	r.add(out, g)
}

var blendModes = map[string]bool{
	"multiply": true, "screen": true, "overlay": true, "darken": true, "lighten": true, "color-dodge": true,
	"color-burn": true, "hard-light": true, "soft-light": true, "difference": true, "exclusion": true,
}

// fade puts opacity into an item's own paint, false where parts of it overlap.
func fade(it display.Item, opacity float64) bool {
	switch it := it.(type) {
	case *display.Shape:
		if it.Fill != nil && it.Stroke != nil {
			return false
		}
		it.Fill = faded(it.Fill, opacity)
		if it.Stroke != nil {
			it.Stroke.Paint = *faded(&it.Stroke.Paint, opacity)
		}
	case *display.Text:
		if it.Stroke != nil {
			return false
		}
		it.Fill = faded(it.Fill, opacity)
	case *display.Image:
		it.Alpha *= opacity
	default:
		return false
	}
	return true
}

// boxIn gives a function that finds the box of items' geometry, without strokes, in
// the coordinates of sc.
func boxIn(sc scope) func([]display.Item) geom.Rect {
	back, ok := sc.matrix.Inverse()
	var box func(items []display.Item) geom.Rect
	box = func(items []display.Item) geom.Rect {
		r := geom.Nothing
		if !ok {
			return r
		}
		for _, it := range items {
			switch it := it.(type) {
			case *display.Shape:
				m := back.Mul(it.Matrix)
				if m.B == 0 && m.C == 0 {
					r = r.Union(m.Bounds(it.Path.Bounds()))
				} else {
					r = r.Union(it.Path.Transform(m).Bounds())
				}
			case *display.Text:
				r = r.Union(back.Mul(it.Matrix).Bounds(textBox(it)))
			case *display.Group:
				r = r.Union(box(it.Items))
			default:
				r = r.Union(back.Bounds(it.Bounds()))
			}
		}
		return r
	}
	return box
}

func textBox(t *display.Text) geom.Rect {
	r := geom.Nothing
	for _, g := range t.Glyphs {
		a := t.Face.Advance(g.ID) * t.Size * g.Stretch
		box := geom.Rect{Y0: -t.Face.Ascent * t.Size, X1: a, Y1: t.Face.Descent * t.Size}
		r = r.Union(geom.Translate(g.Pos.X, g.Pos.Y).Mul(geom.Rotate(g.Angle)).Bounds(box))
	}
	return r
}

// boxOf is the box of an element that has not been read yet.
func (r *reader) boxOf(e *css.Element, sc scope) geom.Rect {
	if p := r.path(e, sc); p != nil {
		return p.Bounds()
	}
	probe := *r
	probe.warnings, probe.links = nil, nil
	sc.matrix = geom.Identity
	var items []display.Item
	switch e.Name {
	case "g", "a", "svg", "switch":
		if !r.enter(e) {
			return geom.Rect{}
		}
		probe.open = r.open
		probe.children(e, sc, &items)
		r.leave()
	case "text":
		probe.text(e, sc, &items)
	}
	r.count = probe.count
	box := boxIn(sc)(items)
	if box.IsNothing() {
		return geom.Rect{}
	}
	return box
}

// clip adds the area of a <clipPath> to g, false if nothing shows.
func (r *reader) clip(e *css.Element, sc scope, box geom.Rect, g *display.Group, depth int) bool {
	if depth > 8 || !r.enter(e) {
		return true
	}
	defer r.leave()
	inner := sc.in(r.transform(e, sc))
	if strings.EqualFold(e.Attr("clippathunits"), "objectBoundingBox") {
		if box.IsNothing() {
			return false
		}
		inner = inner.in(geom.Matrix{A: box.W(), D: box.H(), E: box.X0, F: box.Y0})
	}
	var area display.Clip
	r.clipContent(e, inner, &area)
	if len(area.Paths) == 0 {
		return false
	}
	g.Clips = append(g.Clips, area)
	if id, _, ok := css.URL(e.Style.Get(css.ClipPath)); ok {
		if c := r.find(id, "clippath"); c != nil {
			return r.clip(c, sc, box, g, depth+1)
		}
	}
	return true
}

func (r *reader) clipContent(e *css.Element, sc scope, area *display.Clip) {
	for _, c := range e.Children {
		if c.Elem == nil || c.Elem.Style.Is(css.Display, "none") || !c.Elem.Style.Is(css.Visibility, "visible") {
			continue
		}
		k := c.Elem
		s := sc.in(r.transform(k, sc))
		if k.Style.Set(css.ClipPath) {
			r.warn("not supported: a clip-path inside a clipPath")
		}
		switch k.Name {
		case "use":
			target := r.byID[strings.TrimPrefix(k.Attr("href"), "#")]
			if target == nil || !r.enter(target) {
				continue
			}
			s = s.in(geom.Translate(k.Style.Length(k.Style.Get(css.X), s.w), k.Style.Length(k.Style.Get(css.Y), s.h)))
			shown := r.cascade.Instance(target, k.Style)
			s = s.in(r.transform(shown, s))
			r.addClip(shown, s, area)
			r.leave()
		default:
			r.addClip(k, s, area)
		}
		if r.count++; r.full() {
			return
		}
	}
}

func (r *reader) addClip(e *css.Element, sc scope, area *display.Clip) {
	if e.Name == "text" {
		var items []display.Item
		r.text(e, sc, &items)
		for _, it := range items {
			if t, ok := it.(*display.Text); ok {
				area.Paths = append(area.Paths, display.ClipPath{Path: t.Outline(), Matrix: t.Matrix})
			}
		}
		return
	}
	if p := r.path(e, sc); p != nil {
		area.Paths = append(area.Paths, display.ClipPath{Path: p, Matrix: sc.matrix, EvenOdd: e.Style.Is(css.ClipRule, "evenodd")})
	}
}

// mask reads a <mask>, nil if it lets nothing show.
func (r *reader) mask(e *css.Element, sc scope, box geom.Rect) *display.Mask {
	if !r.enter(e) {
		return nil
	}
	defer r.leave()
	length := func(name, fallback string, whole float64) float64 {
		v := e.Attr(name)
		if v == "" {
			v = fallback
		}
		return e.Style.Length(v, whole)
	}
	var area geom.Rect
	if strings.EqualFold(e.Attr("maskunits"), "userSpaceOnUse") {
		area = geom.Rect{X0: length("x", "-10%", sc.w), Y0: length("y", "-10%", sc.h)}
		area.X1, area.Y1 = area.X0+length("width", "120%", sc.w), area.Y0+length("height", "120%", sc.h)
	} else {
		if box.IsNothing() {
			return nil
		}
		area = geom.Rect{X0: box.X0 + length("x", "-10%", 1)*box.W(), Y0: box.Y0 + length("y", "-10%", 1)*box.H()}
		area.X1, area.Y1 = area.X0+length("width", "120%", 1)*box.W(), area.Y0+length("height", "120%", 1)*box.H()
	}
	m := &display.Mask{
		Alpha: strings.Contains(strings.ToLower(e.Attr("mask-type")+e.Attr("style")), "alpha"),
		Area:  display.Clip{Paths: []display.ClipPath{{Path: geom.RectPath(area.X0, area.Y0, area.W(), area.H(), 0, 0), Matrix: sc.matrix}}},
	}
	if strings.EqualFold(e.Attr("maskcontentunits"), "objectBoundingBox") {
		sc = sc.in(geom.Matrix{A: box.W(), D: box.H(), E: box.X0, F: box.Y0})
	}
	r.children(e, sc, &m.Items)
	if len(m.Items) == 0 {
		return nil
	}
	return m
}
