package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// emit adds the glyphs of a chunk, as few texts as there are changes of style.
func (r *reader) emit(c *chunk, sc scope, out *[]display.Item) {
	var cur *display.Text
	var curEl *css.Element
	var over []display.Item // lines through text, painted on top
	for _, u := range c.runs {
		if !u.el.Style.Is(css.Visibility, "visible") {
			continue
		}
		if u.el.Style.Set(css.TextShadow) && !u.el.Style.Is(css.TextShadow, "none") {
			r.warn("not supported: text-shadow")
		}
		r.decorate(u, sc, out, &over)
		glyphs := u.place(r)
		for i := 0; i < len(glyphs); {
			f := glyphs[i].face
			j := i + 1
			for j < len(glyphs) && glyphs[j].face == f {
				j++
			}
			if cur == nil || cur.Face != f || cur.Size != u.size/u.scale || curEl != u.el && !alike(curEl, u.el) {
				cur = &display.Text{Matrix: sc.matrix, Face: f, Size: u.size / u.scale}
				curEl = u.el
				r.ink(cur, u, sc)
				if cur.Fill != nil || cur.Stroke != nil {
					r.add(out, cur)
				}
			}
			for _, g := range glyphs[i:j] {
				cur.Glyphs = append(cur.Glyphs, g.Glyph)
			}
			i = j
		}
	}
	*out = append(*out, over...)
}

// ink gives a text its colours.
func (r *reader) ink(t *display.Text, u *run, sc scope) {
	st := u.el.Style
	box := geom.Rect{X0: u.x, Y0: u.y - u.face.Ascent*t.Size, X1: u.x + u.w, Y1: u.y + u.face.Descent*t.Size}
	t.Fill = r.paint(st, css.Fill, css.FillOpacity, box, sc)
	t.Stroke = r.stroke(st, box, sc)
	t.StrokeFirst = strokeFirst(st)
}

// alike reports whether text of both elements is painted in the same way. Gradients
// depend on the box, so they are not.
func alike(a, b *css.Element) bool {
	for _, p := range [...]css.Prop{
		css.Fill, css.FillOpacity, css.Stroke, css.StrokeOpacity, css.StrokeWidth, css.PaintOrder, css.Color,
		css.StrokeDasharray, css.StrokeLinejoin,
	} {
		v := a.Style.Get(p)
		if v != b.Style.Get(p) || strings.HasPrefix(v, "url(") {
			return false
		}
	}
	return true
}

type faced struct {
	display.Glyph
	face *face.Face
}

// place gives the glyphs of a run in user space.
func (u *run) place(r *reader) []faced {
	var lines []geom.Polyline
	start := 0.0
	if u.onPath != nil {
		lines, start = r.textPath(u.onPath)
	}
	out := make([]faced, 0, len(u.glyphs))
	for _, g := range u.glyphs {
		if g.none {
			continue
		}
		d := faced{face: g.face, Glyph: display.Glyph{
			ID: g.id, Chars: g.chars, Stretch: 1, Angle: g.rotate * math.Pi / 180,
			Pos: geom.Point{X: u.x + g.x/u.scale, Y: u.y + g.y/u.scale},
		}}
		if natural := g.face.Advance(g.id) * u.size; natural > 0 && g.advance > 0 && math.Abs(g.advance-natural) > 1e-6 && u.stretched() {
			d.Stretch = g.advance / natural
		}
		if u.onPath != nil {
			half := g.advance / u.scale / 2
			p, angle, ok := geom.At(lines, start+d.Pos.X+half)
			if !ok {
				continue
			}
			sin, cos := math.Sincos(angle)
			d.Pos = geom.Point{X: p.X - half*cos - d.Pos.Y*sin, Y: p.Y - half*sin + d.Pos.Y*cos}
			d.Angle += angle
		}
		out = append(out, d)
	}
	return out
}

func (u *run) stretched() bool {
	for e := u.el; e != nil; e = e.Parent {
		if e.Name == "text" {
			return e.Attr("lengthadjust") == "spacingAndGlyphs"
		}
	}
	return false
}

// textPath gives the line that text runs along, and where on it text begins.
func (r *reader) textPath(e *css.Element) ([]geom.Polyline, float64) {
	target := r.byID[strings.TrimPrefix(strings.TrimSpace(e.Attr("href")), "#")]
	if target == nil {
		return nil, 0
	}
	p := r.path(target, scope{matrix: geom.Identity})
	if p == nil {
		return nil, 0
	}
	const fine = 0.02
	lines := geom.Flatten(p.Transform(r.transform(target, scope{})), geom.Identity, fine)
	total := 0.0
	for _, l := range lines {
		total += l.Length()
	}
	return lines, e.Style.Length(e.Attr("startoffset"), total)
}

// decorate adds the lines under, over and through a run.
func (r *reader) decorate(u *run, sc scope, below, above *[]display.Item) {
	if u.onPath != nil || u.w == 0 {
		return
	}
	for e := u.el; e != nil; e = e.Parent {
		v := strings.ToLower(e.Style.Get(css.TextDecoration))
		if v == "none" {
			continue
		}
		size := u.size / u.scale
		thick := max(1/u.scale, size/10)
		line := func(y float64, out *[]display.Item) {
			box := geom.Rect{X0: u.x, Y0: y - thick/2, X1: u.x + u.w, Y1: y + thick/2}
			fill := r.paint(u.el.Style, css.Fill, css.FillOpacity, box, sc)
			if fill != nil {
				r.add(out, &display.Shape{Path: geom.RectPath(box.X0, box.Y0, box.W(), box.H(), 0, 0), Matrix: sc.matrix, Fill: fill})
			}
		}
		if strings.Contains(v, "underline") {
			gap := max(1, math.Ceil(thick*u.scale/2)) / u.scale
			line(u.y+gap+thick/2, below)
		}
		if strings.Contains(v, "overline") {
			line(u.y-math.Round(u.face.Ascent*u.size)/u.scale+thick/2, below)
		}
		if strings.Contains(v, "line-through") {
			line(u.y-u.face.Ascent*size/3+thick/2, above)
		}
	}
}
