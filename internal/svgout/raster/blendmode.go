package raster

import "math"

// blendFunctions are the separable blend modes (Compositing 1 §10.1): the colour of a
// source s on a backdrop b, each from 0 to 1.
var blendFunctions = map[string]func(b, s float64) float64{
	"multiply":    func(b, s float64) float64 { return b * s },
	"screen":      func(b, s float64) float64 { return b + s - b*s },
	"overlay":     func(b, s float64) float64 { return hardLight(s, b) },
	"darken":      func(b, s float64) float64 { return min(b, s) },
	"lighten":     func(b, s float64) float64 { return max(b, s) },
	"color-dodge": colourDodge,
	"color-burn":  colourBurn,
	"hard-light":  hardLight,
	"soft-light":  softLight,
	"difference":  func(b, s float64) float64 { return math.Abs(b - s) },
	"exclusion":   func(b, s float64) float64 { return b + s - 2*b*s },
}

func hardLight(b, s float64) float64 {
	if s <= 0.5 {
		return b * 2 * s
	}
	s = 2*s - 1
	return b + s - b*s
}

func softLight(b, s float64) float64 {
	if s <= 0.5 {
		return b - (1-2*s)*b*(1-b)
	}
	d := math.Sqrt(b)
	if b <= 0.25 {
		d = ((16*b-12)*b + 4) * b
	}
	return b + (2*s-1)*(d-b)
}

func colourDodge(b, s float64) float64 {
	switch {
	case b == 0:
		return 0
	case s >= 1:
		return 1
	}
	return min(1, b/(1-s))
}

func colourBurn(b, s float64) float64 {
	switch {
	case b >= 1:
		return 1
	case s <= 0:
		return 0
	}
	return 1 - min(1, (1-b)/s)
}

// blendMode composes premultiplied s onto d.
func blendMode(d, s []uint8, cover uint8, mix func(b, s float64) float64) {
	k := float64(cover) / 255
	sa, ba := float64(s[3])/255*k, float64(d[3])/255
	for i := range 3 {
		cs, cb := float64(s[i])/255*k, float64(d[i])/255
		m := 0.0
		if sa > 0 && ba > 0 {
			m = sa * ba * mix(cb/ba, cs/sa)
		}
		d[i] = uint8(max(0, min(1, cs*(1-ba)+cb*(1-sa)+m))*255 + 0.5)
	}
	d[3] = uint8((sa+ba-sa*ba)*255 + 0.5)
}
