package geom

import "math"

// Polyline is a subpath of straight lines.
type Polyline struct {
	Pts    []Point
	Closed bool // with a line from the last point to the first
}

// maxSegments bounds what one curve becomes.
const maxSegments = 1000

// Flatten maps p by m and turns its curves into lines that stay within tolerance.
func Flatten(p *Path, m Matrix, tolerance float64) []Polyline {
	var out []Polyline
	var cur Polyline
	flush := func() {
		if len(cur.Pts) > 0 {
			out = append(out, cur)
		}
		cur = Polyline{}
	}
	p.Each(func(op Op, q []Point) {
		if op != MoveTo && op != Close && len(cur.Pts) == 0 {
			return
		}
		switch op {
		case MoveTo:
			flush()
			cur.Pts = append(cur.Pts, m.Apply(q[0]))
		case LineTo:
			cur.Pts = append(cur.Pts, m.Apply(q[0]))
		case QuadTo:
			a, c, b := cur.Pts[len(cur.Pts)-1], m.Apply(q[0]), m.Apply(q[1])
			cur.Pts = flattenCubic(cur.Pts, a, a.lerp(c, 2.0/3), b.lerp(c, 2.0/3), b, tolerance)
		case CubicTo:
			a := cur.Pts[len(cur.Pts)-1]
			cur.Pts = flattenCubic(cur.Pts, a, m.Apply(q[0]), m.Apply(q[1]), m.Apply(q[2]), tolerance)
		case Close:
			if len(cur.Pts) > 0 {
				start := cur.Pts[0]
				cur.Closed = true
				if n := len(cur.Pts); n > 1 && cur.Pts[n-1] == start {
					cur.Pts = cur.Pts[:n-1]
				}
				flush()
			}
		}
	})
	flush()
	return out
}

// flattenCubic adds evenly spaced points. How many follows from the second
// difference, which bounds the distance from the chords (Wang's formula).
func flattenCubic(to []Point, a, b, c, d Point, tolerance float64) []Point {
	u := Point{a.X - 2*b.X + c.X, a.Y - 2*b.Y + c.Y}.Len()
	v := Point{b.X - 2*c.X + d.X, b.Y - 2*c.Y + d.Y}.Len()
	f := math.Ceil(math.Sqrt(0.75 * max(u, v) / tolerance))
	n := maxSegments
	if f < maxSegments { // false for NaN, too
		n = max(1, int(f))
	}
	for i := 1; i < n; i++ {
		to = append(to, cubicAt(a, b, c, d, float64(i)/float64(n)))
	}
	return append(to, d)
}

// Length is the length of the lines.
func (l Polyline) Length() float64 {
	sum := 0.0
	for i := 1; i < len(l.Pts); i++ {
		sum += l.Pts[i].Sub(l.Pts[i-1]).Len()
	}
	if n := len(l.Pts); l.Closed && n > 1 {
		sum += l.Pts[0].Sub(l.Pts[n-1]).Len()
	}
	return sum
}

// At gives the point so far along lines, and the direction there; false past the ends.
func At(lines []Polyline, distance float64) (p Point, angle float64, ok bool) {
	if distance < 0 {
		return Point{}, 0, false
	}
	for _, l := range lines {
		n := len(l.Pts)
		last := n - 1
		if l.Closed {
			last = n
		}
		for i := range last {
			a, b := l.Pts[i], l.Pts[(i+1)%n]
			d := b.Sub(a)
			if size := d.Len(); distance > size {
				distance -= size
			} else if size > 0 {
				return a.lerp(b, distance/size), math.Atan2(d.Y, d.X), true
			}
		}
	}
	return Point{}, 0, false
}

// maxDashes bounds how many pieces dashing makes of one line.
const maxDashes = 100_000

// Dash cuts lines into dashes. Lengths alternate between drawn and left out; an empty
// pattern, and one that is not a pattern, leaves the lines whole.
func Dash(lines []Polyline, pattern []float64, offset float64) []Polyline {
	total := 0.0
	for _, d := range pattern {
		if !(d >= 0) {
			return lines
		}
		total += d
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return lines
	}
	if len(pattern)%2 == 1 {
		pattern = append(append([]float64{}, pattern...), pattern...)
		total *= 2
	}
	offset = math.Mod(offset, total)
	if offset < 0 {
		offset += total
	}
	var out []Polyline
	for _, l := range lines {
		if l.Length()/total*float64(len(pattern)) > maxDashes {
			out = append(out, l)
			continue
		}
		out = append(out, dashLine(l, pattern, offset)...)
	}
	return out
}

func dashLine(l Polyline, pattern []float64, offset float64) []Polyline {
	i := 0
	for offset >= pattern[i] {
		offset -= pattern[i]
		if i++; i == len(pattern) {
			i = 0
		}
	}
	left := pattern[i] - offset
	on := i%2 == 0
	pts := l.Pts
	if l.Closed {
		pts = append(append([]Point{}, pts...), pts[0])
	}
	var out []Polyline
	var cur []Point
	if on {
		cur = []Point{pts[0]}
	}
	for k := 1; k < len(pts); k++ {
		a, b := pts[k-1], pts[k]
		size := b.Sub(a).Len()
		for done := 0.0; ; {
			if left > size-done {
				left -= size - done
				break
			}
			done += left
			q := b
			if size > 0 {
				q = a.lerp(b, done/size)
			}
			if on {
				out = append(out, Polyline{Pts: append(cur, q)})
				cur = nil
			} else {
				cur = []Point{q}
			}
			on = !on
			if i++; i == len(pattern) {
				i = 0
			}
			left = pattern[i]
		}
		if on && len(cur) > 0 && cur[len(cur)-1] != b {
			cur = append(cur, b)
		}
	}
	if on && len(cur) > 0 {
		// A closed line's last dash runs into its first.
		if l.Closed && len(out) > 0 && out[0].Pts[0] == pts[0] && len(cur) > 1 {
			out[0].Pts = append(cur, out[0].Pts[1:]...)
		} else {
			out = append(out, Polyline{Pts: cur})
		}
	}
	return out
}
