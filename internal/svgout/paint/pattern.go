package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// maxTiles bounds how often a pattern is repeated in one shape.
const maxTiles = 10_000

// pattern gives the tiles that fill a path, within it; nil if it is not filled with a
// pattern.
func (r *reader) pattern(e *css.Element, p css.Prop, path *geom.Path, box geom.Rect, sc scope) *display.Group {
	id, _, ok := css.URL(e.Style.Get(p))
	if !ok {
		return nil
	}
	pat := r.find(id, "pattern")
	if pat == nil {
		return nil
	}
	out := &display.Group{
		Opacity: css.Alpha(e.Style.Get(css.FillOpacity)),
		Clips:   []display.Clip{{Paths: []display.ClipPath{{Path: path, Matrix: sc.matrix, EvenOdd: e.Style.Is(css.FillRule, "evenodd")}}}},
	}
	if !r.enter(pat) {
		return out
	}
	defer r.leave()
	chain := r.chain(pat)
	units := func(name string) bool { return strings.EqualFold(lookup(chain, name), "userSpaceOnUse") }
	at := func(name string, whole float64) float64 { return pat.Style.Length(lookup(chain, name), whole) }
	var tile geom.Rect
	if units("patternunits") {
		tile = geom.Rect{X0: at("x", sc.w), Y0: at("y", sc.h)}
		tile.X1, tile.Y1 = tile.X0+at("width", sc.w), tile.Y0+at("height", sc.h)
	} else {
		tile = geom.Rect{X0: box.X0 + at("x", 1)*box.W(), Y0: box.Y0 + at("y", 1)*box.H()}
		tile.X1, tile.Y1 = tile.X0+at("width", 1)*box.W(), tile.Y0+at("height", 1)*box.H()
	}
	if !(tile.W() > 0 && tile.H() > 0) {
		return out
	}
	inner := sc
	if t := lookup(chain, "patterntransform"); t != "" {
		m, ok := pat.Style.ParseTransform(t, sc.w, sc.h)
		if !ok {
			r.warn("not supported: patternTransform %s", clip(t))
		}
		inner = inner.in(m)
	}
	back, ok := inner.matrix.Inverse()
	if !ok {
		return out
	}
	content := chain[0]
	for _, c := range chain {
		if len(c.Children) > 0 {
			content = c
			break
		}
	}
	// The box, seen from the pattern: which columns and rows show.
	seen := back.Mul(sc.matrix).Bounds(box)
	c0, c1 := math.Floor((seen.X0-tile.X0)/tile.W()), math.Ceil((seen.X1-tile.X0)/tile.W())
	r0, r1 := math.Floor((seen.Y0-tile.Y0)/tile.H()), math.Ceil((seen.Y1-tile.Y0)/tile.H())
	if (c1-c0)*(r1-r0) > maxTiles {
		r.warn("a pattern of more than %d tiles was left out", maxTiles)
		return out
	}
	for row := r0; row < r1; row++ {
		for col := c0; col < c1 && !r.full(); col++ {
			s := inner.in(geom.Translate(tile.X0+col*tile.W(), tile.Y0+row*tile.H()))
			area := display.Clip{Paths: []display.ClipPath{{Path: geom.RectPath(0, 0, tile.W(), tile.H(), 0, 0), Matrix: s.matrix}}}
			if vb, ok := viewBox(pat); ok {
				s = s.in(fit(vb, tile.W(), tile.H(), lookup(chain, "preserveaspectratio")))
			} else if strings.EqualFold(lookup(chain, "patterncontentunits"), "objectBoundingBox") {
				s = s.in(geom.Scale(box.W(), box.H()))
			} else {
				s = s.in(geom.Translate(-tile.X0, -tile.Y0))
			}
			var items []display.Item
			r.children(content, s, &items)
			r.clipped(pat, area, items, &out.Items)
		}
	}
	return out
}
