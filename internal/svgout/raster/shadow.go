package raster

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// shadow paints onto c the shadow of what is on layer. What opaque parts of the layer
// will hide is left out.
func (p *painter) shadow(c *canvas, area box, mask *alphaMask, layer *canvas, s *display.Shadow) {
	off := p.scale.Apply(geom.Point{X: s.DX, Y: s.DY})
	dx, dy := int(math.Round(off.X)), int(math.Round(off.Y))
	kernel := gaussian(s.Sigma * p.scale.A)
	r := len(kernel) / 2
	from := layer.box
	// Rows first: into a map of the layer grown by r on both sides.
	w, h := from.x1-from.x0+2*r, from.y1-from.y0
	rows := make([]float32, w*h)
	line := make([]uint8, w+2*r)
	for y := range h {
		src := layer.pix[y*layer.stride:]
		for x := range from.x1 - from.x0 {
			line[x+2*r] = src[4*x+3]
		}
		blurRow(rows[y*w:(y+1)*w], line, kernel)
	}
	colour := premultiplied(s.Colour)
	out := box{from.x0 - r + dx, from.y0 - r + dy, from.x1 + r + dx, from.y1 + r + dy}.intersect(area)
	if out.empty() {
		return
	}
	cover := make([]uint8, out.x1-out.x0)
	sum := make([]float32, len(cover))
	for y := out.y0; y < out.y1; y++ {
		clear(sum)
		top := y - dy - from.y0 // the row of the layer under this one
		for k, weight := range kernel {
			if j := top + k - r; j >= 0 && j < h {
				add := rows[j*w+out.x0-dx-from.x0+r:]
				for i := range sum {
					sum[i] += weight * add[i]
				}
			}
		}
		for i, v := range sum {
			cover[i] = uint8(min(255, v+0.5))
		}
		if mask != nil && !mask.apply(out.x0, y, cover) {
			continue
		}
		if y >= from.y0 && y < from.y1 {
			for x := max(out.x0, from.x0); x < min(out.x1, from.x1); x++ {
				if layer.at(x, y)[3] == 255 {
					cover[x-out.x0] = 0
				}
			}
		}
		(&source{colour: colour}).over(c.at(out.x0, y), out.x0, y, cover)
	}
}

// blurRow folds a line with the kernel. Where nothing changes within the kernel's
// reach, the value is as it was.
func blurRow(out []float32, line []uint8, kernel []float32) {
	n := len(kernel)
	same := 0 // how many values up to the last looked at are equal
	for i := 1; i < n && i < len(line); i++ {
		if line[i] == line[i-1] {
			same++
		} else {
			same = 0
		}
	}
	for x := range out {
		if x > 0 {
			if last := x + n - 1; last < len(line) && line[last] == line[last-1] {
				same++
			} else {
				same = 0
			}
		}
		if same >= n-1 {
			out[x] = float32(line[x])
			continue
		}
		sum := float32(0)
		for k, weight := range kernel {
			if x+k < len(line) {
				sum += weight * float32(line[x+k])
			}
		}
		out[x] = sum
	}
}

// maxRadius bounds a blur, in pixels.
const maxRadius = 100

func gaussian(sigma float64) []float32 {
	if !(sigma > 0.01) {
		return []float32{1}
	}
	r := min(maxRadius, int(math.Ceil(3*sigma)))
	k := make([]float32, 2*r+1)
	sum := 0.0
	for i := range k {
		d := float64(i - r)
		v := math.Exp(-d * d / (2 * sigma * sigma))
		k[i] = float32(v)
		sum += v
	}
	for i := range k {
		k[i] /= float32(sum)
	}
	return k
}
