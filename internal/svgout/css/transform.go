package css

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// ParseTransform reads a list of transform functions, as attribute and as CSS; w and h
// are what percentages of translate() are of. False if any is broken: then there is no
// transform at all.
func (s *Style) ParseTransform(v string, w, h float64) (geom.Matrix, bool) {
	m := geom.Identity
	v = strings.TrimSpace(v)
	if v == "" || strings.EqualFold(v, "none") {
		return m, true
	}
	for v != "" {
		open := strings.IndexByte(v, '(')
		end := strings.IndexByte(v, ')')
		if open < 0 || end < open {
			return geom.Identity, false
		}
		f, ok := s.transformFunction(strings.ToLower(strings.TrimSpace(v[:open])), Numbers(v[open+1:end]), w, h)
		if !ok {
			return geom.Identity, false
		}
		m = m.Mul(f)
		v = strings.TrimLeft(v[end+1:], " ,\t\r\n")
	}
	if !m.Finite() {
		return geom.Matrix{}, true // too large to show anything
	}
	return m, true
}

func (s *Style) transformFunction(name string, args []string, w, h float64) (geom.Matrix, bool) {
	n := len(args)
	ok := true
	num := func(i int) float64 {
		v, good := channel(args[i], 1)
		ok = ok && good
		return v
	}
	length := func(i int, whole float64) float64 {
		v, good := s.ParseLength(args[i], whole)
		ok = ok && good
		return v
	}
	angle := func(i int) float64 {
		v, good := parseAngle(args[i])
		ok = ok && good
		return v
	}
	var m geom.Matrix
	switch {
	case name == "matrix" && n == 6:
		m = geom.Matrix{A: num(0), B: num(1), C: num(2), D: num(3), E: length(4, w), F: length(5, h)}
	case name == "translate" && n == 1, name == "translatex" && n == 1:
		m = geom.Translate(length(0, w), 0)
	case name == "translate" && n == 2, name == "translate3d" && n == 3:
		m = geom.Translate(length(0, w), length(1, h))
	case name == "translatey" && n == 1:
		m = geom.Translate(0, length(0, h))
	case name == "scale" && n == 1:
		m = geom.Scale(num(0), num(0))
	case name == "scale" && n == 2, name == "scale3d" && n == 3:
		m = geom.Scale(num(0), num(1))
	case name == "scalex" && n == 1:
		m = geom.Scale(num(0), 1)
	case name == "scaley" && n == 1:
		m = geom.Scale(1, num(0))
	case name == "rotate" && n == 1, name == "rotatez" && n == 1:
		m = geom.Rotate(angle(0))
	case name == "rotate" && n == 3:
		x, y := length(1, w), length(2, h)
		m = geom.Translate(x, y).Mul(geom.Rotate(angle(0))).Mul(geom.Translate(-x, -y))
	case name == "skewx" && n == 1:
		m = geom.Matrix{A: 1, C: math.Tan(angle(0)), D: 1}
	case name == "skewy" && n == 1:
		m = geom.Matrix{A: 1, B: math.Tan(angle(0)), D: 1}
	case name == "skew" && n == 2:
		m = geom.Matrix{A: 1, B: math.Tan(angle(1)), C: math.Tan(angle(0)), D: 1}
	default:
		return m, false
	}
	return m, ok
}

// parseAngle gives radians; a bare number is degrees.
func parseAngle(s string) (float64, bool) {
	v, n := geom.ScanNumber(s)
	if n == 0 {
		return 0, false
	}
	switch strings.ToLower(s[n:]) {
	case "", "deg":
		return v * math.Pi / 180, true
	case "rad":
		return v, true
	case "turn":
		return v * 2 * math.Pi, true
	case "grad":
		return v * math.Pi / 200, true
	}
	return 0, false
}
