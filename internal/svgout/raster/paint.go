package raster

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// Options say how large a picture becomes.
type Options struct {
	Scale      float64 // pixels per px
	Background display.Colour
	MaxPixels  int // a picture with more is refused
}

// maxLayers is how many times MaxPixels groups may take at once, inside each other.
const maxLayers = 4

// flatness is how far a line may be from its curve, in pixels.
const flatness = 0.08

// Paint paints a list. A picture that is too large is a *css.LimitError.
func Paint(ctx context.Context, l *display.List, o Options) (*image.RGBA, error) {
	w, h := math.Ceil(l.Width*o.Scale-1e-6), math.Ceil(l.Height*o.Scale-1e-6)
	if !(w >= 1 && h >= 1) {
		w, h = max(1, w), max(1, h)
	}
	if !(w*h <= float64(o.MaxPixels)) {
		return nil, &css.LimitError{What: fmt.Sprintf("pixels (%.0f × %.0f)", w, h), Max: o.MaxPixels}
	}
	c := newCanvas(box{0, 0, int(w), int(h)})
	p := &painter{ctx: ctx, scale: geom.Scale(o.Scale, o.Scale), budget: maxLayers * o.MaxPixels, maxPixels: o.MaxPixels}
	if bg := premultiplied(o.Background); bg[3] > 0 {
		for i := 0; i < len(c.pix); i += 4 {
			copy(c.pix[i:i+4], bg[:])
		}
	}
	p.items(c, c.box, nil, l.Items)
	if p.err != nil {
		return nil, p.err
	}
	return c.image(), nil
}

type painter struct {
	ctx       context.Context
	scale     geom.Matrix
	cover     coverage
	budget    int // pixels that layers may still take
	maxPixels int
	count     int
	err       error
}

// items paints onto c what shows within area and mask.
func (p *painter) items(c *canvas, area box, mask *alphaMask, items []display.Item) {
	for _, it := range items {
		if p.count++; p.count%64 == 0 && p.err == nil {
			p.err = context.Cause(p.ctx)
		}
		if p.err != nil {
			return
		}
		if pixels(p.scale.Bounds(it.Bounds()), area).empty() {
			continue
		}
		switch it := it.(type) {
		case *display.Shape:
			p.shape(c, area, mask, it)
		case *display.Text:
			p.text(c, area, mask, it)
		case *display.Image:
			p.image(c, area, mask, it)
		case *display.Group:
			p.group(c, area, mask, it)
		}
	}
}

func (p *painter) shape(c *canvas, area box, mask *alphaMask, s *display.Shape) {
	fill := func() {
		if s.Fill != nil {
			r := nonZero
			if s.EvenOdd {
				r = evenOdd
			}
			p.fill(c, area, mask, geom.Flatten(s.Path, p.scale.Mul(s.Matrix), flatness), r, s.Crisp, s.Fill)
		}
	}
	if !s.StrokeFirst {
		fill()
	}
	if s.Stroke != nil {
		p.stroke(c, area, mask, s.Path, s.Matrix, s.Stroke, s.Crisp)
	}
	if s.StrokeFirst {
		fill()
	}
}

func (p *painter) stroke(c *canvas, area box, mask *alphaMask, path *geom.Path, m geom.Matrix, s *display.Stroke, crisp bool) {
	parts := geom.Outline(path, s.Pen, p.scale.Mul(m), flatness)
	if len(parts) > 1 && len(s.Pen.Dash) == 0 {
		p.union(c, area, mask, parts, &s.Paint)
		return
	}
	p.fill(c, area, mask, slices.Concat(parts...), nonZero, crisp, &s.Paint)
}

// fine is how many times finer the grid is on which lines of one stroke are united.
const fine = 3

// union paints what any of several lines covers, such as those of a sketched filling.
// Where two run through one pixel, their shares of it overlap or do not: on a finer
// grid that matters less.
func (p *painter) union(c *canvas, area box, mask *alphaMask, parts [][]geom.Polyline, paint *display.Paint) {
	lines := slices.Concat(parts...)
	area = pixels(boundsOf(lines), area)
	if area.empty() {
		return
	}
	for _, l := range lines {
		for i := range l.Pts {
			l.Pts[i] = l.Pts[i].Mul(fine)
		}
	}
	p.cover.reset(box{area.x0 * fine, area.y0 * fine, area.x1 * fine, area.y1 * fine})
	p.cover.polygons(lines)
	src := newSource(paint, p.scale)
	sum := make([]uint16, area.x1-area.x0)
	cover := make([]uint8, len(sum))
	at := area.y0
	flush := func() {
		for i, v := range sum {
			cover[i] = uint8((int(v) + fine*fine/2) / (fine * fine))
		}
		clear(sum)
		if mask == nil || mask.apply(area.x0, at, cover) {
			src.over(c.at(area.x0, at), area.x0, at, cover)
		}
	}
	p.cover.rows(nonZero, false, func(x, y int, row []uint8) {
		if y/fine != at && y >= 0 {
			flush()
			at = y / fine
		}
		x -= area.x0 * fine
		for i, v := range row {
			sum[(x+i)/fine] += uint16(v)
		}
	})
	flush()
}

func (p *painter) text(c *canvas, area box, mask *alphaMask, t *display.Text) {
	var outline *geom.Path
	if t.Stroke != nil {
		outline = t.Outline()
	}
	if t.Stroke != nil && t.StrokeFirst {
		p.stroke(c, area, mask, outline, t.Matrix, t.Stroke, false)
	}
	if t.Fill != nil {
		var lines []geom.Polyline
		m := p.scale.Mul(t.Matrix)
		for i := range t.Glyphs {
			g := m.Mul(t.GlyphMatrix(i))
			if g.B == 0 && g.C == 0 {
				// Level text stands on whole pixels, as in browsers: it is sharper.
				g.F = math.Floor(g.F + 0.5)
			}
			lines = append(lines, geom.Flatten(t.Face.Outline(t.Glyphs[i].ID), g, flatness)...)
		}
		p.fill(c, area, mask, lines, nonZero, false, t.Fill)
	}
	if t.Stroke != nil && !t.StrokeFirst {
		p.stroke(c, area, mask, outline, t.Matrix, t.Stroke, false)
	}
}

// fill paints what polygons cover.
func (p *painter) fill(c *canvas, area box, mask *alphaMask, lines []geom.Polyline, r rule, crisp bool, paint *display.Paint) {
	area = pixels(boundsOf(lines), area)
	if area.empty() {
		return
	}
	p.cover.reset(area)
	p.cover.polygons(lines)
	src := newSource(paint, p.scale)
	p.cover.rows(r, crisp, func(x, y int, cover []uint8) {
		if mask != nil {
			if !mask.apply(x, y, cover) {
				return
			}
		}
		src.over(c.at(x, y), x, y, cover)
	})
}

// add unites the mask with cover.
func (m *alphaMask) add(x, y int, cover []uint8) {
	row := m.at(x, y)
	for i, v := range cover {
		row[i] = 255 - mul(255-row[i], 255-v)
	}
}

// apply takes from cover what the mask hides, false if that is all of it.
func (m *alphaMask) apply(x, y int, cover []uint8) bool {
	any := false
	for i, v := range m.at(x, y)[:len(cover)] {
		cover[i] = mul(cover[i], v)
		any = any || cover[i] > 0
	}
	return any
}

func boundsOf(lines []geom.Polyline) geom.Rect {
	r := geom.Nothing
	for _, l := range lines {
		for _, q := range l.Pts {
			r.X0, r.Y0, r.X1, r.Y1 = min(r.X0, q.X), min(r.Y0, q.Y), max(r.X1, q.X), max(r.Y1, q.Y)
		}
	}
	return r
}

// image paints a bitmap onto a layer, and that onto c.
func (p *painter) image(c *canvas, area box, mask *alphaMask, img *display.Image) {
	area = pixels(p.scale.Bounds(img.Bounds()), area)
	layer := p.layer(area)
	if layer == nil {
		return
	}
	defer p.release(layer)
	size := img.Pix.Bounds()
	m := p.scale.Mul(img.Matrix).Mul(geom.Scale(1/float64(size.Dx()), 1/float64(size.Dy()))).Mul(geom.Translate(-float64(size.Min.X), -float64(size.Min.Y)))
	draw.ApproxBiLinear.Transform(layer.image(), f64.Aff3{m.A, m.C, m.E, m.B, m.D, m.F}, img.Pix, size, draw.Over, nil)
	c.compose(layer, area, mask, img.Alpha, "")
}

// layer gives an empty canvas for a group, nil if there is no room.
func (p *painter) layer(b box) *canvas {
	if b.empty() {
		return nil
	}
	n := (b.x1 - b.x0) * (b.y1 - b.y0)
	if n > p.budget {
		p.err = &css.LimitError{What: "pixels in groups inside each other", Max: maxLayers * p.maxPixels}
		return nil
	}
	p.budget -= n
	return newCanvas(b)
}

func (p *painter) release(c *canvas) { p.budget += len(c.pix) / 4 }
