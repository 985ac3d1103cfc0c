package raster

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// source gives the colour of each pixel.
type source struct {
	colour [4]uint8
	g      *display.Gradient
	back   geom.Matrix // from pixels to the gradient's space
	ramp   []uint8     // premultiplied colours from 0 to 1
}

// rampSize is how many steps a gradient has.
const rampSize = 1024

func premultiplied(c display.Colour) [4]uint8 {
	a := max(0, min(1, c.A))
	v := func(x float64) uint8 { return uint8(max(0, min(1, x))*a*255 + 0.5) }
	return [4]uint8{v(c.R), v(c.G), v(c.B), uint8(a*255 + 0.5)}
}

func newSource(p *display.Paint, scale geom.Matrix) *source {
	if p.Gradient == nil {
		return &source{colour: premultiplied(p.Colour)}
	}
	s := &source{g: p.Gradient, ramp: make([]uint8, 4*rampSize)}
	s.back, _ = scale.Mul(p.Gradient.Matrix).Inverse()
	stops := p.Gradient.Stops
	for i := range rampSize {
		c := premultiplied(colourAt(stops, float64(i)/(rampSize-1)))
		copy(s.ramp[4*i:], c[:])
	}
	return s
}

// colourAt mixes the stops on both sides of t, unpremultiplied, as SVG does.
func colourAt(stops []display.Stop, t float64) display.Colour {
	if t <= stops[0].Offset {
		return stops[0].Colour
	}
	for i := 1; i < len(stops); i++ {
		a, b := stops[i-1], stops[i]
		if t >= b.Offset {
			continue
		}
		k := (t - a.Offset) / (b.Offset - a.Offset)
		mix := func(x, y float64) float64 { return x + (y-x)*k }
		return display.Colour{R: mix(a.Colour.R, b.Colour.R), G: mix(a.Colour.G, b.Colour.G), B: mix(a.Colour.B, b.Colour.B), A: mix(a.Colour.A, b.Colour.A)}
	}
	return stops[len(stops)-1].Colour
}

// over paints onto dst, whose first pixel is at (x, y), as much as cover says.
func (s *source) over(dst []uint8, x, y int, cover []uint8) {
	if s.g != nil {
		for i, a := range cover {
			if a > 0 {
				if c := s.at(x+i, y); c != nil {
					blend(dst[4*i:4*i+4], c[0], c[1], c[2], c[3], a)
				}
			}
		}
		return
	}
	r, g, b, alpha := s.colour[0], s.colour[1], s.colour[2], s.colour[3]
	for i, a := range cover {
		switch {
		case a == 0:
		case a == 255 && alpha == 255:
			d := dst[4*i : 4*i+4 : 4*i+4]
			d[0], d[1], d[2], d[3] = r, g, b, 255
		default:
			blend(dst[4*i:4*i+4], r, g, b, alpha, a)
		}
	}
}

func blend(d []uint8, r, g, b, a, cover uint8) {
	if cover != 255 {
		r, g, b, a = mul(r, cover), mul(g, cover), mul(b, cover), mul(a, cover)
	}
	k := 255 - a
	d = d[:4:4]
	d[0], d[1], d[2], d[3] = r+mul(d[0], k), g+mul(d[1], k), b+mul(d[2], k), a+mul(d[3], k)
}

// at gives the gradient's colour in the middle of a pixel, nil where it has none.
func (s *source) at(x, y int) []uint8 {
	q := s.back.Apply(geom.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})
	g := s.g
	var t float64
	if !g.Radial {
		d := g.P1.Sub(g.P0)
		v := q.Sub(g.P0)
		t = (v.X*d.X + v.Y*d.Y) / (d.X*d.X + d.Y*d.Y)
	} else {
		// The largest t whose circle goes through q (SVG 2 §14.2.3, as canvas does).
		cd, pd := g.P1.Sub(g.P0), q.Sub(g.P0)
		dr := g.R1 - g.R0
		a := cd.X*cd.X + cd.Y*cd.Y - dr*dr
		b := pd.X*cd.X + pd.Y*cd.Y + g.R0*dr
		c := pd.X*pd.X + pd.Y*pd.Y - g.R0*g.R0
		switch disc := b*b - a*c; {
		case a == 0 && b == 0:
			return nil
		case a == 0:
			t = c / (2 * b)
		case disc < 0:
			return nil
		default:
			root := math.Sqrt(disc)
			t = max((b+root)/a, (b-root)/a)
			if g.R0+t*dr < 0 {
				t = min((b+root)/a, (b-root)/a)
			}
		}
		if g.R0+t*dr < 0 {
			return nil
		}
	}
	switch g.Spread {
	case display.Repeat:
		t -= math.Floor(t)
	case display.Reflect:
		t = math.Mod(math.Abs(t), 2)
		if t > 1 {
			t = 2 - t
		}
	}
	i := int(max(0, min(1, t))*(rampSize-1) + 0.5)
	return s.ramp[4*i : 4*i+4]
}
