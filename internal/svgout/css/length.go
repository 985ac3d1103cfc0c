package css

import (
	"strings"

	"github.com/webodar/webodar/internal/svgout/geom"
	"github.com/webodar/webodar/internal/svgout/markup"
)

// Length gives a length in px; whole is what 100 % is. What is not a length is 0.
func (s *Style) Length(v string, whole float64) float64 {
	px, _ := s.ParseLength(v, whole)
	return px
}

// ParseLength gives a length in px, false if v is none.
func (s *Style) ParseLength(v string, whole float64) (float64, bool) {
	v = strings.TrimSpace(v)
	if isCalc(v) && strings.HasSuffix(v, ")") {
		return s.calc(v[len("calc("):len(v)-1], whole, 0)
	}
	n, size := geom.ScanNumber(v)
	if size == 0 {
		return 0, false
	}
	k, ok := s.unit(v[size:], whole)
	return n * k, ok
}

// An ex and a ch, in ems: those of Liberation Sans, which text is set in mostly.
const (
	exHeight = 1082.0 / 2048
	chWidth  = 1139.0 / 2048
)

// unit gives the px in one of a unit. Views are 800 × 600, as diagrams are laid out.
func (s *Style) unit(u string, whole float64) (float64, bool) {
	switch strings.ToLower(u) {
	case "", "px":
		return 1, true
	case "%":
		return whole / 100, true
	case "em":
		return s.FontSize, true
	case "rem":
		return s.rootSize, true
	case "ex":
		return s.FontSize * exHeight, true
	case "ch":
		return s.FontSize * chWidth, true
	case "pt":
		return 96.0 / 72, true
	case "pc":
		return 16, true
	case "in":
		return 96, true
	case "cm":
		return 96 / 2.54, true
	case "mm":
		return 96 / 25.4, true
	case "q":
		return 96 / 101.6, true
	case "vw", "vmax":
		return 8, true
	case "vh", "vmin":
		return 6, true
	}
	return 0, false
}

// maxCalc bounds how deep calc() nests.
const maxCalc = 8

// calc reads sums and products of lengths.
func (s *Style) calc(v string, whole float64, depth int) (float64, bool) {
	if depth > maxCalc {
		return 0, false
	}
	sum, sign := 0.0, 1.0
	rest := strings.TrimSpace(v)
	for {
		end := len(rest)
		// A sign is an operator only with space around it.
		for i := 0; i < len(rest); {
			j := i + markup.Stop(rest[i:], "+-")
			if j >= len(rest) {
				break
			}
			if j > 0 && rest[j-1] == ' ' && j+1 < len(rest) && rest[j+1] == ' ' {
				end = j
				break
			}
			i = j + 1
		}
		p, ok := s.product(rest[:end], whole, depth)
		if !ok {
			return 0, false
		}
		sum += sign * p
		if end == len(rest) {
			return sum, true
		}
		sign = 1
		if rest[end] == '-' {
			sign = -1
		}
		rest = strings.TrimSpace(rest[end+1:])
	}
}

func (s *Style) product(v string, whole float64, depth int) (float64, bool) {
	out, divide := 1.0, false
	for {
		end := markup.Stop(v, "*/")
		factor := strings.TrimSpace(v[:end])
		var f float64
		ok := true
		if strings.HasPrefix(factor, "(") && strings.HasSuffix(factor, ")") {
			f, ok = s.calc(factor[1:len(factor)-1], whole, depth+1)
		} else {
			f, ok = s.ParseLength(factor, whole)
		}
		if !ok {
			return 0, false
		}
		if divide {
			if f == 0 {
				return 0, false
			}
			f = 1 / f
		}
		out *= f
		if end == len(v) {
			return out, true
		}
		divide = v[end] == '/'
		v = v[end+1:]
	}
}

// Alpha reads an opacity: a number or a percentage, between 0 and 1.
func Alpha(v string) float64 {
	a, ok := channel(strings.TrimSpace(v), 1)
	if !ok {
		return 1
	}
	return clamp(a)
}

// URL gives the id that url(#id) refers to, and what follows it; false if v does not
// begin so.
func URL(v string) (id, rest string, ok bool) {
	v = strings.TrimSpace(v)
	if len(v) < 5 || !strings.EqualFold(v[:4], "url(") {
		return "", "", false
	}
	end := strings.IndexByte(v, ')')
	if end < 0 {
		return "", "", false
	}
	ref := strings.Trim(strings.TrimSpace(v[4:end]), `"'`)
	if i := strings.LastIndexByte(ref, '#'); i >= 0 {
		return ref[i+1:], strings.TrimSpace(v[end+1:]), true
	}
	return "", "", false
}
