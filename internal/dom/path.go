package dom

import "math"

// This file reads SVG path data (SVG 2 §9.3) into lines and cubic curves and
// measures them: the exact box, the length, the point at a length.

type point struct{ x, y float64 }

// segment is a line (curve false: only a and d count) or a cubic from a to d.
// A bare move has a == d and is kept, for it counts in the box.
type segment struct {
	a, b, c, d point
	curve      bool
	move       bool
}

// parsePath reads as far as the data is well formed, as a browser draws it.
func parsePath(d string) []segment {
	s := scanner{text: d}
	var segs []segment
	var cur, start, ctrl point
	var cmd, last byte
	line := func(p point) { segs = append(segs, segment{a: cur, d: p}); cur = p }
	cubic := func(b, c, p point) { segs = append(segs, segment{a: cur, b: b, c: c, d: p, curve: true}); cur = p }
	for {
		s.space()
		if s.done() {
			return segs
		}
		if c := s.peek(); isCommand(c) {
			cmd = c
			s.pos++
		} else if cmd == 0 || cmd == 'z' || cmd == 'Z' {
			return segs
		}
		if len(segs) == 0 && cmd != 'm' && cmd != 'M' {
			return segs
		}
		rel := cmd >= 'a'
		base := point{}
		if rel {
			base = cur
		}
		n, ok := s.args(cmd)
		if !ok {
			return segs
		}
		at := func(i int) point { return point{base.x + n[i], base.y + n[i+1]} }
		prev := last
		last = cmd &^ 0x20
		switch last {
		case 'M':
			cur = at(0)
			start = cur
			segs = append(segs, segment{a: cur, d: cur, move: true})
			if cmd = 'L'; rel {
				cmd = 'l'
			}
		case 'L':
			line(at(0))
		case 'H':
			line(point{base.x + n[0], cur.y})
		case 'V':
			line(point{cur.x, base.y + n[0]})
		case 'C':
			ctrl = at(2)
			cubic(at(0), ctrl, at(4))
		case 'S':
			b := cur
			if prev == 'C' || prev == 'S' {
				b = point{2*cur.x - ctrl.x, 2*cur.y - ctrl.y}
			}
			ctrl = at(0)
			cubic(b, ctrl, at(2))
		case 'Q', 'T':
			var q, p point
			if last == 'Q' {
				q, p = at(0), at(2)
			} else {
				q, p = cur, at(0)
				if prev == 'Q' || prev == 'T' {
					q = point{2*cur.x - ctrl.x, 2*cur.y - ctrl.y}
				}
			}
			ctrl = q
			cubic(point{(cur.x + 2*q.x) / 3, (cur.y + 2*q.y) / 3}, point{(p.x + 2*q.x) / 3, (p.y + 2*q.y) / 3}, p)
		case 'A':
			arc(cur, at(5), n[0], n[1], n[2], n[3] != 0, n[4] != 0, line, cubic)
		case 'Z':
			line(start)
		}
	}
}

// arc breaks an elliptical arc into cubics (SVG 2 appendix B.2), short enough
// that nothing measured on them differs from the arc itself.
func arc(from, to point, rx, ry, angle float64, large, sweep bool, line func(point), cubic func(b, c, p point)) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if from == to {
		return
	}
	if rx == 0 || ry == 0 {
		line(to)
		return
	}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	mx, my := (from.x-to.x)/2, (from.y-to.y)/2
	px, py := cos*mx+sin*my, -sin*mx+cos*my
	if k := px*px/(rx*rx) + py*py/(ry*ry); k > 1 {
		rx, ry = rx*math.Sqrt(k), ry*math.Sqrt(k)
	}
	// Unit circle space.
	p1 := point{(cos*from.x + sin*from.y) / rx, (-sin*from.x + cos*from.y) / ry}
	p2 := point{(cos*to.x + sin*to.y) / rx, (-sin*to.x + cos*to.y) / ry}
	dx, dy := p2.x-p1.x, p2.y-p1.y
	f := math.Sqrt(max(1/(dx*dx+dy*dy)-0.25, 0))
	if large == sweep {
		f = -f
	}
	c := point{(p1.x+p2.x)/2 - dy*f, (p1.y+p2.y)/2 + dx*f}
	t1, t2 := math.Atan2(p1.y-c.y, p1.x-c.x), math.Atan2(p2.y-c.y, p2.x-c.x)
	turn := t2 - t1
	if turn < 0 && sweep {
		turn += 2 * math.Pi
	} else if turn > 0 && !sweep {
		turn -= 2 * math.Pi
	}
	back := func(x, y float64) point { return point{cos*x*rx - sin*y*ry, sin*x*rx + cos*y*ry} }
	n := int(math.Ceil(math.Abs(turn) / (math.Pi / 12)))
	for i := range n {
		a, b := t1+float64(i)*turn/float64(n), t1+float64(i+1)*turn/float64(n)
		t := 4.0 / 3 * math.Tan((b-a)/4)
		sa, ca := math.Sincos(a)
		sb, cb := math.Sincos(b)
		end := back(c.x+cb, c.y+sb)
		if i == n-1 {
			end = to
		}
		cubic(back(c.x+ca-t*sa, c.y+sa+t*ca), back(c.x+cb+t*sb, c.y+sb-t*cb), end)
	}
}

// pathBox gives the tight box, and false when the path draws nothing at all.
func pathBox(segs []segment) (x0, y0, x1, y1 float64, ok bool) {
	if len(segs) == 0 {
		return 0, 0, 0, 0, false
	}
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	add := func(p point) {
		x0, y0, x1, y1 = min(x0, p.x), min(y0, p.y), max(x1, p.x), max(y1, p.y)
	}
	drawn := false
	for _, s := range segs {
		if s.move {
			continue // counts by the segment that starts there
		}
		drawn = true
		add(s.a)
		add(s.d)
		if !s.curve {
			continue
		}
		for _, t := range extrema(s.a.x, s.b.x, s.c.x, s.d.x) {
			add(s.at(t))
		}
		for _, t := range extrema(s.a.y, s.b.y, s.c.y, s.d.y) {
			add(s.at(t))
		}
	}
	if !drawn {
		add(segs[len(segs)-1].a) // nothing but moves: the last
	}
	// Coordinates that grew past what a number holds draw nothing.
	size := (x1 - x0) + (y1 - y0)
	return x0, y0, x1, y1, !math.IsNaN(size) && !math.IsInf(size, 0)
}

// extrema gives where in (0,1) a cubic's coordinate turns.
func extrema(a, b, c, d float64) []float64 {
	qa, qb, qc := -a+3*b-3*c+d, 2*(a-2*b+c), b-a
	var ts []float64
	add := func(t float64) {
		if t > 0 && t < 1 {
			ts = append(ts, t)
		}
	}
	if math.Abs(qa) < 1e-12 {
		if qb != 0 {
			add(-qc / qb)
		}
		return ts
	}
	if disc := qb*qb - 4*qa*qc; disc >= 0 {
		r := math.Sqrt(disc)
		add((-qb + r) / (2 * qa))
		add((-qb - r) / (2 * qa))
	}
	return ts
}

func (s segment) at(t float64) point {
	if !s.curve {
		return point{s.a.x + (s.d.x-s.a.x)*t, s.a.y + (s.d.y-s.a.y)*t}
	}
	u := 1 - t
	k0, k1, k2, k3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return point{k0*s.a.x + k1*s.b.x + k2*s.c.x + k3*s.d.x, k0*s.a.y + k1*s.b.y + k2*s.c.y + k3*s.d.y}
}

// curveSteps cuts a cubic for length: chords this short are within a
// thousandth of a unit of the curve at a diagram's sizes.
const curveSteps = 64

// length gives the length of the segment up to t.
func (s segment) length() float64 {
	if s.move {
		return 0
	}
	if !s.curve {
		return math.Hypot(s.d.x-s.a.x, s.d.y-s.a.y)
	}
	sum, p := 0.0, s.a
	for i := 1; i <= curveSteps; i++ {
		q := s.at(float64(i) / curveSteps)
		sum += math.Hypot(q.x-p.x, q.y-p.y)
		p = q
	}
	return sum
}

func pathLength(segs []segment) float64 {
	sum := 0.0
	for _, s := range segs {
		sum += s.length()
	}
	return sum
}

// pointAt walks along the path; before its start and past its end it stays on
// the ends.
func pointAt(segs []segment, dist float64) point {
	if len(segs) == 0 {
		return point{}
	}
	end := segs[0].a
	dist = max(dist, 0)
	for _, s := range segs {
		l := s.length()
		if s.move || l == 0 {
			end = s.d
			continue
		}
		if dist > l {
			dist -= l
			end = s.d
			continue
		}
		if !s.curve {
			return s.at(dist / l)
		}
		p := s.a
		for i := 1; i <= curveSteps; i++ {
			q := s.at(float64(i) / curveSteps)
			step := math.Hypot(q.x-p.x, q.y-p.y)
			if dist <= step && step > 0 {
				k := dist / step
				return point{p.x + (q.x-p.x)*k, p.y + (q.y-p.y)*k}
			}
			dist -= step
			p = q
		}
		return s.d
	}
	return end
}
