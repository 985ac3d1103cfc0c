package css

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// Colour is an sRGB colour; channels and alpha are from 0 to 1.
type Colour struct{ R, G, B, A float64 }

// ParseColour reads a CSS colour (CSS Color 4): names, hex, rgb, hsl, hwb and the
// lightness and chroma of oklch and its like mapped to sRGB are not; false for those.
func ParseColour(v string) (Colour, bool) {
	v = strings.ToLower(strings.TrimSpace(v))
	switch {
	case v == "":
		return Colour{}, false
	case v == "transparent":
		return Colour{}, true
	case v[0] == '#':
		return hexColour(v[1:])
	}
	if open := strings.IndexByte(v, '('); open > 0 && strings.HasSuffix(v, ")") {
		return functionColour(v[:open], v[open+1:len(v)-1])
	}
	c, ok := colornames.Map[v]
	if !ok && v == "rebeccapurple" {
		return Colour{0x66 / 255.0, 0x33 / 255.0, 0x99 / 255.0, 1}, true
	}
	return Colour{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255, 1}, ok
}

func hexColour(hex string) (Colour, bool) {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		return Colour{}, false
	}
	f := func(shift uint) float64 { return float64(n>>shift&0xff) / 255 }
	short := func(shift uint) float64 { return float64(n>>shift&0xf) / 15 }
	switch len(hex) {
	case 3:
		return Colour{short(8), short(4), short(0), 1}, true
	case 4:
		return Colour{short(12), short(8), short(4), short(0)}, true
	case 6:
		return Colour{f(16), f(8), f(0), 1}, true
	case 8:
		return Colour{f(24), f(16), f(8), f(0)}, true
	}
	return Colour{}, false
}

func functionColour(name, args string) (Colour, bool) {
	parts := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '/' || r == '\t' || r == '\n' })
	if len(parts) != 3 && len(parts) != 4 {
		return Colour{}, false
	}
	alpha := 1.0
	if len(parts) == 4 {
		a, ok := channel(parts[3], 1)
		if !ok {
			return Colour{}, false
		}
		alpha = clamp(a)
	}
	switch name {
	case "rgb", "rgba":
		var c [3]float64
		for i := range c {
			v, ok := channel(parts[i], 255)
			if !ok {
				return Colour{}, false
			}
			// Browsers keep eight bits a channel.
			c[i] = math.Round(clamp(v/255)*255) / 255
		}
		return Colour{c[0], c[1], c[2], alpha}, true
	case "hsl", "hsla", "hwb":
		h, ok1 := hue(parts[0])
		s, ok2 := channel(parts[1], 100)
		l, ok3 := channel(parts[2], 100)
		if !ok1 || !ok2 || !ok3 {
			return Colour{}, false
		}
		c := fromHSL(h, clamp(s/100), clamp(l/100))
		if name == "hwb" {
			c = fromHWB(h, clamp(s/100), clamp(l/100))
		}
		for _, v := range []*float64{&c.R, &c.G, &c.B} {
			*v = math.Round(*v*255) / 255
		}
		c.A = alpha
		return c, true
	}
	return Colour{}, false
}

// channel reads a number, or a percentage of whole.
func channel(s string, whole float64) (float64, bool) {
	if s == "none" {
		return 0, true
	}
	v, n := geom.ScanNumber(s)
	switch {
	case n == 0:
		return 0, false
	case s[n:] == "%":
		return v / 100 * whole, true
	}
	return v, n == len(s)
}

func hue(s string) (float64, bool) {
	if s == "none" {
		return 0, true
	}
	v, n := geom.ScanNumber(s)
	if n == 0 {
		return 0, false
	}
	switch s[n:] {
	case "", "deg":
	case "turn":
		v *= 360
	case "rad":
		v *= 180 / math.Pi
	case "grad":
		v *= 0.9
	default:
		return 0, false
	}
	v = math.Mod(v, 360)
	if v < 0 {
		v += 360
	}
	return v, true
}

func fromHSL(h, s, l float64) Colour {
	a := s * min(l, 1-l)
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		return l - a*max(-1, min(k-3, 9-k, 1))
	}
	return Colour{f(0), f(8), f(4), 1}
}

func fromHWB(h, white, black float64) Colour {
	if white+black >= 1 {
		g := white / (white + black)
		return Colour{g, g, g, 1}
	}
	c := fromHSL(h, 1, 0.5)
	k := 1 - white - black
	return Colour{c.R*k + white, c.G*k + white, c.B*k + white, 1}
}

func clamp(v float64) float64 { return max(0, min(1, v)) }
