package paint

import (
	"math"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// colourMatrix maps red, green, blue and 1 to red, green and blue, and multiplies
// alpha.
type colourMatrix struct {
	m     [3][4]float64
	alpha float64
}

// colourFilter reads the filter functions that change colours alone (Filter Effects 1
// §13.1), false for others.
func colourFilter(name, args string) (colourMatrix, bool) {
	amount := 1.0
	if name == "hue-rotate" {
		t, ok := (&css.Style{}).ParseTransform("rotate("+args+")", 0, 0)
		if args != "" && !ok {
			return colourMatrix{}, false
		}
		amount = math.Atan2(t.B, t.A)
	} else if v, n := geom.ScanNumber(args); n > 0 {
		amount = v
		if args[n:] == "%" {
			amount /= 100
		}
	} else if args != "" {
		return colourMatrix{}, false
	}
	c := colourMatrix{alpha: 1}
	// mix goes from the identity to rows of which each sums up to 1.
	mix := func(k float64, rows [3][3]float64) {
		for i := range 3 {
			for j := range 3 {
				v := rows[i][j] * k
				if i == j {
					v += 1 - k
				}
				c.m[i][j] = v
			}
		}
	}
	const r, g, b = 0.2126, 0.7152, 0.0722
	grey := [3][3]float64{{r, g, b}, {r, g, b}, {r, g, b}}
	diagonal := func(k, add float64) {
		for i := range 3 {
			c.m[i][i], c.m[i][3] = k, add
		}
	}
	switch name {
	case "brightness":
		diagonal(max(0, amount), 0)
	case "contrast":
		diagonal(max(0, amount), 0.5-0.5*max(0, amount))
	case "invert":
		k := max(0, min(1, amount))
		diagonal(1-2*k, k)
	case "opacity":
		diagonal(1, 0)
		c.alpha = max(0, min(1, amount))
	case "grayscale":
		mix(max(0, min(1, amount)), grey)
	case "saturate":
		mix(1-max(0, amount), grey)
	case "sepia":
		mix(max(0, min(1, amount)), [3][3]float64{{0.393, 0.769, 0.189}, {0.349, 0.686, 0.168}, {0.272, 0.534, 0.131}})
	case "hue-rotate":
		sin, cos := math.Sincos(amount)
		for i, row := range [3][3][3]float64{
			{{0.213, 0.787, -0.213}, {0.715, -0.715, -0.715}, {0.072, -0.072, 0.928}},
			{{0.213, -0.213, 0.143}, {0.715, 0.285, 0.140}, {0.072, -0.072, -0.283}},
			{{0.213, -0.213, -0.787}, {0.715, -0.715, 0.715}, {0.072, 0.928, 0.072}},
		} {
			for j, k := range row {
				c.m[i][j] = k[0] + cos*k[1] + sin*k[2]
			}
		}
	default:
		return c, false
	}
	return c, true
}

func (c *colourMatrix) apply(in css.Colour) css.Colour {
	v := func(i int) float64 {
		return max(0, min(1, c.m[i][0]*in.R+c.m[i][1]*in.G+c.m[i][2]*in.B+c.m[i][3]))
	}
	return css.Colour{R: v(0), G: v(1), B: v(2), A: in.A * c.alpha}
}

// recolour applies a colour filter to what items are painted with, which gives what
// filtering their pixels would but where translucent colours are cut off at white.
func (r *reader) recolour(items []display.Item, m colourMatrix) {
	change := func(p *display.Paint) {
		if p == nil {
			return
		}
		p.Colour = m.apply(p.Colour)
		if p.Gradient != nil {
			g := *p.Gradient
			g.Stops = append([]display.Stop{}, g.Stops...)
			for i := range g.Stops {
				g.Stops[i].Colour = m.apply(g.Stops[i].Colour)
			}
			p.Gradient = &g
		}
	}
	for _, it := range items {
		switch it := it.(type) {
		case *display.Shape:
			change(it.Fill)
			if it.Stroke != nil {
				change(&it.Stroke.Paint)
			}
		case *display.Text:
			change(it.Fill)
			if it.Stroke != nil {
				change(&it.Stroke.Paint)
			}
		case *display.Group:
			for i := range it.Shadows {
				it.Shadows[i].Colour = m.apply(it.Shadows[i].Colour)
			}
			r.recolour(it.Items, m)
		case *display.Image:
			r.warn("not supported: a colour filter on an image")
		}
	}
}
