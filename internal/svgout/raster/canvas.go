package raster

import (
	"image"
	"math"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// box is pixels from (x0, y0) up to, without, (x1, y1).
type box struct{ x0, y0, x1, y1 int }

func (b box) empty() bool { return b.x0 >= b.x1 || b.y0 >= b.y1 }

func (b box) intersect(o box) box {
	return box{max(b.x0, o.x0), max(b.y0, o.y0), min(b.x1, o.x1), min(b.y1, o.y1)}
}

// pixels gives those that r touches, of in.
func pixels(r geom.Rect, in box) box {
	at := func(v float64) int { return int(max(math.MinInt32, min(math.MaxInt32, v))) }
	if !(r.X0 <= r.X1 && r.Y0 <= r.Y1) {
		return box{}
	}
	return box{at(math.Floor(r.X0)), at(math.Floor(r.Y0)), at(math.Ceil(r.X1)), at(math.Ceil(r.Y1))}.intersect(in)
}

// canvas is a part of the picture. Pixels are premultiplied RGBA.
type canvas struct {
	box
	stride int
	pix    []uint8
}

func newCanvas(b box) *canvas {
	w, h := b.x1-b.x0, b.y1-b.y0
	return &canvas{box: b, stride: 4 * w, pix: make([]uint8, 4*w*h)}
}

// at gives the pixels of row y from x on.
func (c *canvas) at(x, y int) []uint8 {
	i := (y-c.y0)*c.stride + 4*(x-c.x0)
	return c.pix[i : (y-c.y0+1)*c.stride]
}

// image gives the canvas as Go's drawing knows it, at its place.
func (c *canvas) image() *image.RGBA {
	return &image.RGBA{Pix: c.pix, Stride: c.stride, Rect: image.Rect(c.x0, c.y0, c.x1, c.y1)}
}

// alphaMask is how much shows of each pixel of a part.
type alphaMask struct {
	box
	pix []uint8
}

func newMask(b box) *alphaMask {
	return &alphaMask{b, make([]uint8, (b.x1-b.x0)*(b.y1-b.y0))}
}

func (m *alphaMask) at(x, y int) []uint8 {
	w := m.x1 - m.x0
	i := (y-m.y0)*w + x - m.x0
	return m.pix[i : (y-m.y0+1)*w]
}

// mul is a·b/255, rounded.
func mul(a, b uint8) uint8 {
	t := uint32(a)*uint32(b) + 128
	return uint8((t + t>>8) >> 8)
}
