package paint_test

import (
	"image"
	"image/color"
	"math"
)

// tolerance is how far apart two colours look alike: a share of the distance from
// black to white in YIQ, weighted as eyes see (Kotsarenko and Ramos, 2010). It is
// pixelmatch's measure; pixelmatch itself defaults to 0.1, Playwright's snapshots to 0.2.
const tolerance = 0.15

// likeness compares two pictures by the smaller of their sizes. strict is the share of
// pixels whose colours do not look alike. moved leaves out those that look like a
// neighbour, in either picture, of where they should be: edges that are smoothed
// otherwise, or are off by less than a pixel.
func likeness(a, b image.Image) (moved, strict float64) {
	w, h := min(a.Bounds().Dx(), b.Bounds().Dx()), min(a.Bounds().Dy(), b.Bounds().Dy())
	x, y := yiq(a, w, h), yiq(b, w, h)
	nMoved, nStrict := 0, 0
	for i := range x {
		if alike(x[i], y[i]) {
			continue
		}
		nStrict++
		if !nearby(x[i], y, i, w, h) || !nearby(y[i], x, i, w, h) {
			nMoved++
		}
	}
	return float64(nMoved) / float64(len(x)), float64(nStrict) / float64(len(x))
}

type seen [3]float64

func yiq(img image.Image, w, h int) []seen {
	out := make([]seen, 0, w*h)
	o := img.Bounds().Min
	for y := range h {
		for x := range w {
			c := color.NRGBAModel.Convert(img.At(o.X+x, o.Y+y)).(color.NRGBA)
			k := float64(c.A) / 255
			r, g, b := 255+(float64(c.R)-255)*k, 255+(float64(c.G)-255)*k, 255+(float64(c.B)-255)*k
			out = append(out, seen{
				r*0.29889531 + g*0.58662247 + b*0.11448223,
				r*0.59597799 - g*0.27417610 - b*0.32180189,
				r*0.21147017 - g*0.52261711 + b*0.31114694,
			})
		}
	}
	return out
}

func alike(a, b seen) bool {
	y, i, q := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	const most = 35215 // black from white
	return 0.5053*y*y+0.299*i*i+0.1957*q*q <= most*tolerance*tolerance
}

func nearby(c seen, in []seen, at, w, h int) bool {
	x, y := at%w, at/w
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if nx, ny := x+dx, y+dy; nx >= 0 && ny >= 0 && nx < w && ny < h && alike(c, in[ny*w+nx]) {
				return true
			}
		}
	}
	return false
}

func ceil(v float64) int { return int(math.Ceil(v - 1e-6)) }
