package raster

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// group paints a group: straight onto c where it only clips, else on a layer first.
func (p *painter) group(c *canvas, area box, mask *alphaMask, g *display.Group) {
	for i := range g.Clips {
		area, mask = p.clip(area, mask, &g.Clips[i])
		if area.empty() {
			return
		}
	}
	if g.Opacity == 1 && g.Blend == "" && g.Mask == nil && len(g.Shadows) == 0 {
		if g.ShadowArea != nil {
			area, mask = p.clip(area, mask, g.ShadowArea)
		}
		if !area.empty() {
			p.items(c, area, mask, g.Items)
		}
		return
	}
	// A shadow falls on the area from items outside of it, too.
	inner := area
	for _, s := range g.Shadows {
		by := 3*s.Sigma + 1
		b := p.scale.Bounds(geom.Rect{X0: -s.DX - by, Y0: -s.DY - by, X1: -s.DX + by, Y1: -s.DY + by})
		grown := pixels(geom.Rect{X0: float64(area.x0) + b.X0, Y0: float64(area.y0) + b.Y0, X1: float64(area.x1) + b.X1, Y1: float64(area.y1) + b.Y1}, box{math.MinInt32, math.MinInt32, math.MaxInt32, math.MaxInt32})
		inner = box{min(inner.x0, grown.x0), min(inner.y0, grown.y0), max(inner.x1, grown.x1), max(inner.y1, grown.y1)}
	}
	layer := p.layer(pixels(p.scale.Bounds(display.BoundsOf(g.Items)), inner))
	if layer == nil {
		return
	}
	defer p.release(layer)
	p.items(layer, layer.box, nil, g.Items)
	if len(g.Shadows) > 0 || g.ShadowArea != nil {
		under := p.layer(pixels(p.scale.Bounds(g.Bounds()), area))
		if under == nil {
			return
		}
		defer p.release(under)
		inside, show := under.box, (*alphaMask)(nil)
		if g.ShadowArea != nil {
			if inside, show = p.clip(inside, nil, g.ShadowArea); inside.empty() {
				return
			}
		}
		for i := range g.Shadows {
			p.shadow(under, inside, show, layer, &g.Shadows[i])
		}
		under.compose(layer, inside, show, 1, "")
		layer = under
	}
	if g.Mask != nil {
		area, mask = p.mask(area, mask, g.Mask)
		if area.empty() {
			return
		}
	}
	c.compose(layer, area, mask, g.Opacity, g.Blend)
}

// clip narrows area and mask to a clip path.
func (p *painter) clip(area box, mask *alphaMask, cl *display.Clip) (box, *alphaMask) {
	area = pixels(p.scale.Bounds(cl.Bounds()), area)
	if area.empty() {
		return area, nil
	}
	if len(cl.Paths) == 1 {
		if r, ok := p.wholePixels(&cl.Paths[0]); ok {
			return area.intersect(r), mask
		}
	}
	out := newMask(area)
	for _, path := range cl.Paths {
		lines := geom.Flatten(path.Path, p.scale.Mul(path.Matrix), flatness)
		b := pixels(boundsOf(lines), area)
		if b.empty() {
			continue
		}
		p.cover.reset(b)
		p.cover.polygons(lines)
		r := nonZero
		if path.EvenOdd {
			r = evenOdd
		}
		p.cover.rows(r, false, out.add)
	}
	if mask != nil {
		for y := area.y0; y < area.y1; y++ {
			mask.apply(area.x0, y, out.at(area.x0, y)[:area.x1-area.x0])
		}
	}
	return area, out
}

// wholePixels reports whether a path is a rectangle of whole pixels, which needs no
// mask.
func (p *painter) wholePixels(c *display.ClipPath) (box, bool) {
	m := p.scale.Mul(c.Matrix)
	if len(c.Path.Ops) != 5 || len(c.Path.Pts) != 4 || m.B != 0 || m.C != 0 {
		return box{}, false
	}
	r := m.Bounds(c.Path.Bounds())
	for _, q := range c.Path.Pts {
		q = m.Apply(q)
		if q.X != r.X0 && q.X != r.X1 || q.Y != r.Y0 && q.Y != r.Y1 {
			return box{}, false
		}
	}
	for _, v := range [...]float64{r.X0, r.Y0, r.X1, r.Y1} {
		if math.Abs(v-math.Round(v)) > 1e-6 || math.Abs(v) > math.MaxInt32 {
			return box{}, false
		}
	}
	return box{int(math.Round(r.X0)), int(math.Round(r.Y0)), int(math.Round(r.X1)), int(math.Round(r.Y1))}, true
}

// mask narrows area and mask to what a <mask> lets show.
func (p *painter) mask(area box, mask *alphaMask, m *display.Mask) (box, *alphaMask) {
	area, show := p.clip(area, nil, &m.Area)
	layer := p.layer(area)
	if layer == nil {
		return box{}, nil
	}
	defer p.release(layer)
	p.items(layer, area, show, m.Items)
	out := newMask(area)
	for i := range out.pix {
		q := layer.pix[4*i : 4*i+4]
		if m.Alpha {
			out.pix[i] = q[3]
		} else {
			out.pix[i] = uint8((2126*int(q[0]) + 7152*int(q[1]) + 722*int(q[2]) + 5000) / 10000)
		}
	}
	if mask != nil {
		for y := area.y0; y < area.y1; y++ {
			mask.apply(area.x0, y, out.at(area.x0, y)[:area.x1-area.x0])
		}
	}
	return area, out
}

// compose paints a layer onto c, within area and mask.
func (c *canvas) compose(layer *canvas, area box, mask *alphaMask, opacity float64, mode string) {
	area = area.intersect(layer.box).intersect(c.box)
	if area.empty() {
		return
	}
	alpha := uint8(max(0, min(1, opacity))*255 + 0.5)
	mix := blendFunctions[mode]
	cover := make([]uint8, area.x1-area.x0)
	for y := area.y0; y < area.y1; y++ {
		for i := range cover {
			cover[i] = alpha
		}
		if mask != nil && !mask.apply(area.x0, y, cover) {
			continue
		}
		src, dst := layer.at(area.x0, y), c.at(area.x0, y)
		for i, a := range cover {
			s := src[4*i : 4*i+4 : 4*i+4]
			if a == 0 || s[3] == 0 {
				continue
			}
			if mix != nil {
				blendMode(dst[4*i:4*i+4], s, a, mix)
			} else {
				blend(dst[4*i:4*i+4], s[0], s[1], s[2], s[3], a)
			}
		}
	}
}
