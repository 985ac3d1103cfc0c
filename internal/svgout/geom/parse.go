package geom

import (
	"fmt"
	"math"
	"strconv"
)

// ParsePath reads SVG path data (SVG 2 §9.3). Where it is broken, what came before is
// given together with an error, since browsers draw that much.
func ParsePath(d string) (*Path, error) {
	s := pathScanner{src: d, path: &Path{}}
	for {
		s.space()
		if s.pos == len(s.src) {
			return s.path, nil
		}
		if err := s.command(); err != nil {
			return s.path, err
		}
	}
}

type pathScanner struct {
	src  string
	pos  int
	path *Path

	last       byte  // the command before, in upper case
	at, start  Point // where we are, and where the subpath began
	control    Point // the last control point, for S and T
	wantsStart bool  // after Z a drawing command begins a subpath where the last one did
}

func (s *pathScanner) space() {
	for s.pos < len(s.src) && isSeparator(s.src[s.pos]) {
		s.pos++
	}
}

func isSeparator(c byte) bool {
	return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// ScanNumber reads the number that src begins with, and gives its length: 0 if there
// is none.
func ScanNumber(src string) (float64, int) {
	i := 0
	if i < len(src) && (src[i] == '-' || src[i] == '+') {
		i++
	}
	digits := i
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	n := i - digits
	if i < len(src) && src[i] == '.' {
		dot := i
		i++
		for i < len(src) && isDigit(src[i]) {
			i++
		}
		if i == dot+1 && n == 0 {
			return 0, 0
		}
		n += i - dot - 1
		if i == dot+1 { // "1." is a number, and the point not part of it
			i = dot
		}
	}
	if n == 0 {
		return 0, 0
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		j := i + 1
		if j < len(src) && (src[j] == '-' || src[j] == '+') {
			j++
		}
		if j < len(src) && isDigit(src[j]) {
			for j < len(src) && isDigit(src[j]) {
				j++
			}
			i = j
		}
	}
	v, err := strconv.ParseFloat(src[:i], 64)
	if err != nil && (math.IsInf(v, 0) || v != v) {
		return 0, 0
	}
	return v, i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *pathScanner) number() (float64, bool) {
	s.space()
	v, n := ScanNumber(s.src[s.pos:])
	s.pos += n
	return v, n > 0
}

// flag reads an arc's flag, which needs no separator behind it.
func (s *pathScanner) flag() (float64, bool) {
	s.space()
	if s.pos < len(s.src) && (s.src[s.pos] == '0' || s.src[s.pos] == '1') {
		s.pos++
		return float64(s.src[s.pos-1] - '0'), true
	}
	return 0, false
}

var arguments = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

func (s *pathScanner) command() error {
	letter := s.src[s.pos]
	upper := letter &^ 0x20
	n, known := arguments[upper]
	if !known || len(s.path.Ops) == 0 && upper != 'M' {
		return fmt.Errorf("path data: unexpected %q at %d", letter, s.pos)
	}
	s.pos++
	if upper == 'Z' {
		if !s.wantsStart {
			s.path.Close()
		}
		s.at, s.wantsStart, s.last = s.start, true, 'Z'
		return nil
	}
	var v [7]float64
	relative := letter != upper
	for first := true; ; first = false {
		begin := s.pos
		for i := range n {
			var ok bool
			if upper == 'A' && (i == 3 || i == 4) {
				v[i], ok = s.flag()
			} else {
				v[i], ok = s.number()
			}
			if ok {
				continue
			}
			if i == 0 && !first { // no further set of arguments
				s.pos = begin
				return nil
			}
			return fmt.Errorf("path data: %c takes %d numbers, at %d", letter, n, s.pos)
		}
		s.step(upper, relative, v[:n])
		if upper == 'M' { // further pairs are lines
			upper = 'L'
		}
	}
}

func (s *pathScanner) step(cmd byte, relative bool, v []float64) {
	var base Point
	if relative {
		base = s.at
	}
	point := func(i int) Point { return Point{base.X + v[i], base.Y + v[i+1]} }
	if cmd != 'M' && s.wantsStart {
		s.path.MoveTo(s.start)
	}
	s.wantsStart = false
	from := s.at
	switch cmd {
	case 'M':
		s.at = point(0)
		s.start = s.at
		s.path.MoveTo(s.at)
	case 'L', 'H', 'V':
		switch cmd {
		case 'L':
			s.at = point(0)
		case 'H':
			s.at.X = base.X + v[0]
		case 'V':
			s.at.Y = base.Y + v[0]
		}
		s.path.LineTo(s.at)
	case 'C', 'S':
		c1 := s.at
		if cmd == 'C' {
			c1 = point(0)
			v = v[2:]
		} else if s.last == 'C' || s.last == 'S' {
			c1 = s.at.Mul(2).Sub(s.control)
		}
		s.control, s.at = point(0), point(2)
		s.path.CubicTo(c1, s.control, s.at)
	case 'Q', 'T':
		c := s.at
		if cmd == 'Q' {
			c = point(0)
			v = v[2:]
		} else if s.last == 'Q' || s.last == 'T' {
			c = s.at.Mul(2).Sub(s.control)
		}
		s.control, s.at = c, point(0)
		s.path.QuadTo(c, s.at)
	case 'A':
		s.at = point(5)
		s.path.arcTo(from, v[0], v[1], v[2]*math.Pi/180, v[3] == 1, v[4] == 1, s.at)
	}
	s.last = cmd
}

// arcTo draws an elliptical arc as cubics (SVG 2 §B.2.4, §B.2.5).
func (p *Path) arcTo(from Point, rx, ry, phi float64, large, sweep bool, to Point) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if from == to {
		return
	}
	if rx == 0 || ry == 0 {
		p.LineTo(to)
		return
	}
	sin, cos := math.Sincos(phi)
	dx, dy := (from.X-to.X)/2, (from.Y-to.Y)/2
	x1, y1 := cos*dx+sin*dy, -sin*dx+cos*dy
	if l := x1*x1/(rx*rx) + y1*y1/(ry*ry); l > 1 {
		rx, ry = rx*math.Sqrt(l), ry*math.Sqrt(l)
	}
	num := rx*rx*ry*ry - rx*rx*y1*y1 - ry*ry*x1*x1
	den := rx*rx*y1*y1 + ry*ry*x1*x1
	k := 0.0
	if num > 0 && den > 0 {
		k = math.Sqrt(num / den)
	}
	if large == sweep {
		k = -k
	}
	cx, cy := k*rx*y1/ry, -k*ry*x1/rx
	m := Matrix{cos * rx, sin * rx, -sin * ry, cos * ry, cos*cx - sin*cy + (from.X+to.X)/2, sin*cx + cos*cy + (from.Y+to.Y)/2}
	a := math.Atan2((y1-cy)/ry, (x1-cx)/rx)
	sweepBy := math.Atan2((-y1-cy)/ry, (-x1-cx)/rx) - a
	if sweep && sweepBy < 0 {
		sweepBy += 2 * math.Pi
	} else if !sweep && sweepBy > 0 {
		sweepBy -= 2 * math.Pi
	}
	n := max(1, int(math.Ceil(math.Abs(sweepBy)/(math.Pi/2)-1e-9)))
	step := sweepBy / float64(n)
	t := 4.0 / 3 * math.Tan(step/4)
	for i := range n {
		s0, c0 := math.Sincos(a + step*float64(i))
		s1, c1 := math.Sincos(a + step*float64(i+1))
		end := m.Apply(Point{c1, s1})
		if i == n-1 {
			end = to
		}
		p.CubicTo(m.Apply(Point{c0 - t*s0, s0 + t*c0}), m.Apply(Point{c1 + t*s1, s1 - t*c1}), end)
	}
}
