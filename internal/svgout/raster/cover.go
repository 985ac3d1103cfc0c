package raster

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// coverage finds how much of each pixel polygons cover. It adds up signed areas
// (the method of font-rs and golang.org/x/image/vector), keeping for each row which
// pixels have been touched, so that a thin line across a large picture costs little.
type coverage struct {
	x0, y0, w, h int // the pixels looked at
	stride       int
	acc          []float32
	from, to     []int32 // touched, for each row; from > to for none
	row          []uint8
}

// reset looks at the pixels of r alone. All of acc is zero before and after use.
func (c *coverage) reset(r box) {
	c.x0, c.y0, c.w, c.h = r.x0, r.y0, r.x1-r.x0, r.y1-r.y0
	c.stride = c.w + 2
	if n := c.stride * c.h; len(c.acc) < n {
		c.acc = make([]float32, n)
	}
	if len(c.from) < c.h {
		c.from, c.to = make([]int32, c.h), make([]int32, c.h)
	}
	for i := range c.h {
		c.from[i], c.to[i] = math.MaxInt32, -1
	}
	if len(c.row) < c.w {
		c.row = make([]uint8, c.w)
	}
}

func (c *coverage) polygons(lines []geom.Polyline) {
	for _, l := range lines {
		n := len(l.Pts)
		if n < 2 {
			continue
		}
		for i := range n - 1 {
			c.line(l.Pts[i], l.Pts[i+1])
		}
		c.line(l.Pts[n-1], l.Pts[0])
	}
}

// line adds the edge from a to b. What is left of the area counts at its left side,
// what is right of it behind its right one.
func (c *coverage) line(a, b geom.Point) {
	a.X -= float64(c.x0)
	b.X -= float64(c.x0)
	a.Y -= float64(c.y0)
	b.Y -= float64(c.y0)
	if a.Y == b.Y {
		return
	}
	dir := float32(1)
	if a.Y > b.Y {
		a, b, dir = b, a, -1
	}
	h, w := float64(c.h), float64(c.w)
	if b.Y <= 0 || a.Y >= h {
		return
	}
	slope := (b.X - a.X) / (b.Y - a.Y)
	if a.Y < 0 {
		a.X, a.Y = a.X-slope*a.Y, 0
	}
	if b.Y > h {
		b.X, b.Y = a.X+slope*(h-a.Y), h
	}
	// Cut where it crosses a side.
	sides := [2]float64{0, w}
	if slope < 0 {
		sides = [2]float64{w, 0}
	}
	for _, side := range sides {
		if (a.X < side) != (b.X < side) && a.X != side && b.X != side {
			y := a.Y + (side-a.X)/slope
			if y > a.Y && y < b.Y {
				c.part(a, geom.Point{X: side, Y: y}, dir)
				a = geom.Point{X: side, Y: y}
			}
		}
	}
	c.part(a, b, dir)
}

func (c *coverage) part(a, b geom.Point, dir float32) {
	w := float64(c.w)
	ax, bx := max(0, min(w, a.X)), max(0, min(w, b.X))
	dy := b.Y - a.Y
	if !(dy > 0) {
		return
	}
	slope := (bx - ax) / dy
	x := ax
	last := min(c.h, int(math.Ceil(b.Y)))
	for y := int(a.Y); y < last; y++ {
		top, bottom := max(float64(y), a.Y), min(float64(y+1), b.Y)
		d := bottom - top
		if !(d > 0) {
			continue
		}
		next := x + slope*d
		l, r := x, next
		if l > r {
			l, r = r, l
		}
		l, r = max(0, l), min(w, r)
		li := int(l)
		ri := int(math.Ceil(r))
		row := c.acc[y*c.stride : (y+1)*c.stride]
		cover := dir * float32(d)
		if ri <= li+1 {
			mid := float32((l+r)/2 - float64(li))
			row[li] += cover * (1 - mid)
			row[li+1] += cover * mid
		} else {
			// The edge crosses several pixels: each gets the area right of it.
			s := float32(1 / (r - l))
			f := float32(l - float64(li))
			first := 0.5 * s * (1 - f) * (1 - f)
			g := float32(r - float64(ri) + 1)
			end := 0.5 * s * g * g
			row[li] += cover * first
			if ri == li+2 {
				row[li+1] += cover * (1 - first - end)
			} else {
				second := s * (1.5 - f)
				row[li+1] += cover * (second - first)
				for i := li + 2; i < ri-1; i++ {
					row[i] += cover * s
				}
				all := second + float32(ri-li-3)*s
				row[ri-1] += cover * (1 - all - end)
			}
			row[ri] += cover * end
		}
		c.from[y] = min(c.from[y], int32(li))
		c.to[y] = max(c.to[y], int32(max(ri, li+1)))
		x = next
	}
}

// rule says what is inside.
type rule uint8

const (
	nonZero rule = iota
	evenOdd
)

// rows calls f for each row that is touched with the first pixel and the coverage from
// there on, 0 to 255, and leaves c empty.
func (c *coverage) rows(r rule, crisp bool, f func(x, y int, cover []uint8)) {
	for y := range c.h {
		from, to := int(c.from[y]), int(c.to[y])
		if from > to {
			continue
		}
		acc := c.acc[y*c.stride+from : y*c.stride+to+1]
		n := min(len(acc), c.w-from)
		out := c.row[:max(n, 0)]
		sum := float32(0)
		for i := range out {
			sum += acc[i]
			v := sum
			if v < 0 {
				v = -v
			}
			if r == evenOdd {
				v -= 2 * float32(int(v/2))
				if v > 1 {
					v = 2 - v
				}
			} else if v > 1 {
				v = 1
			}
			if crisp {
				v = float32(int(v + 0.5))
			}
			out[i] = uint8(v*255 + 0.5)
		}
		clear(acc)
		if n > 0 {
			f(c.x0+from, c.y0+y, out)
		}
	}
}
