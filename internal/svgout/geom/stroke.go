package geom

import "math"

// Cap and Join are the shapes of a stroke's ends and corners.
type (
	Cap  uint8
	Join uint8
)

const (
	ButtCap Cap = iota
	RoundCap
	SquareCap
)

const (
	MiterJoin Join = iota
	RoundJoin
	BevelJoin
)

// Pen is how a line is drawn. Lengths are in the units of the path.
type Pen struct {
	Width      float64
	Cap        Cap
	Join       Join
	MiterLimit float64
	Dash       []float64
	Offset     float64 // where in Dash it begins
}

// Outline gives, for each line or dash of p, polygons that together cover its stroke,
// mapped by m, for filling with the nonzero rule: they overlap, and all turn the same
// way.
func Outline(p *Path, pen Pen, m Matrix, tolerance float64) [][]Polyline {
	scale := m.Scale()
	if !(pen.Width > 0) || !(scale > 0) {
		return nil
	}
	o := outliner{pen: pen, r: pen.Width / 2, m: m, mirrored: m.Det() < 0}
	// A round part needs as many corners as keep it within tolerance.
	o.step = 2 * math.Acos(max(0.5, 1-tolerance/max(o.r*scale, tolerance)))
	lines := Flatten(p, Identity, tolerance/scale)
	var out [][]Polyline
	for _, l := range Dash(lines, pen.Dash, pen.Offset) {
		o.out = nil
		o.line(l)
		if len(o.out) > 0 {
			out = append(out, o.out)
		}
	}
	return out
}

type outliner struct {
	pen      Pen
	r        float64 // half the width
	m        Matrix
	mirrored bool
	step     float64
	out      []Polyline
}

// add takes a convex polygon that turns clockwise on screen.
func (o *outliner) add(pts ...Point) {
	poly := make([]Point, len(pts))
	for i, p := range pts {
		if o.mirrored {
			i = len(pts) - 1 - i
		}
		poly[i] = o.m.Apply(p)
	}
	o.out = append(o.out, Polyline{Pts: poly, Closed: true})
}

func (o *outliner) line(l Polyline) {
	pts := l.Pts[:0:0]
	for i, p := range l.Pts {
		if i == 0 || p != pts[len(pts)-1] {
			pts = append(pts, p)
		}
	}
	if l.Closed && len(pts) > 1 && pts[0] == pts[len(pts)-1] {
		pts = pts[:len(pts)-1]
	}
	if len(pts) == 1 {
		o.dot(pts[0])
		return
	}
	last := len(pts) - 1
	if l.Closed {
		last++
	}
	dirs := make([]Point, last)
	for i := range dirs {
		a, b := pts[i], pts[(i+1)%len(pts)]
		d, ok := b.Sub(a).unit()
		if !ok {
			return // not finite
		}
		dirs[i] = d
		n := Point{-d.Y * o.r, d.X * o.r} // to the right of the way, y down
		o.add(a.Sub(n), b.Sub(n), b.Add(n), a.Add(n))
	}
	for i := 1; i < len(dirs); i++ {
		o.join(pts[i], dirs[i-1], dirs[i])
	}
	if l.Closed {
		o.join(pts[0], dirs[len(dirs)-1], dirs[0])
		return
	}
	o.cap(pts[0], dirs[0].Mul(-1))
	o.cap(pts[len(pts)-1], dirs[len(dirs)-1])
}

// dot is a line without length: only its caps show (SVG 2 §13.5.4).
func (o *outliner) dot(p Point) {
	switch o.pen.Cap {
	case RoundCap:
		o.fan(p, 0, 2*math.Pi)
	case SquareCap:
		r := o.r
		o.add(Point{p.X - r, p.Y - r}, Point{p.X + r, p.Y - r}, Point{p.X + r, p.Y + r}, Point{p.X - r, p.Y + r})
	}
}

func (o *outliner) cap(p, dir Point) {
	n := Point{-dir.Y * o.r, dir.X * o.r}
	switch o.pen.Cap {
	case RoundCap:
		a := math.Atan2(dir.Y, dir.X)
		o.fan(p, a-math.Pi/2, a+math.Pi/2)
	case SquareCap:
		q := p.Add(dir.Mul(o.r))
		o.add(p.Sub(n), q.Sub(n), q.Add(n), p.Add(n))
	}
}

// fan adds a slice of a disc.
func (o *outliner) fan(c Point, from, to float64) {
	n := max(1, int(math.Ceil((to-from)/o.step)))
	pts := make([]Point, 0, n+2)
	if to-from < 2*math.Pi {
		pts = append(pts, c)
	}
	for i := range n + 1 {
		s, cos := math.Sincos(from + (to-from)*float64(i)/float64(n))
		pts = append(pts, Point{c.X + o.r*cos, c.Y + o.r*s})
	}
	o.add(pts...)
}

func (o *outliner) join(p, a, b Point) {
	cross, dot := a.X*b.Y-a.Y*b.X, a.X*b.X+a.Y*b.Y
	if math.Abs(cross) < 1e-9 && dot > 0 {
		return
	}
	// Between curve pieces the gap is too thin to see, but a fan closes it.
	side := -1.0 // the outer side is on the left of a turn to the right
	if cross < 0 {
		side = 1
	}
	na, nb := Point{-a.Y * o.r * side, a.X * o.r * side}, Point{-b.Y * o.r * side, b.X * o.r * side}
	switch {
	case o.pen.Join == RoundJoin:
		from, to := math.Atan2(na.Y, na.X), math.Atan2(nb.Y, nb.X)
		if side > 0 {
			from, to = to, from
		}
		for to < from {
			to += 2 * math.Pi
		}
		o.fan(p, from, to)
		return
	case o.pen.Join == MiterJoin:
		// The miter is 1/sin(θ/2) long in widths, θ the angle between the lines.
		half := math.Sqrt(max(0, (1+dot)/2)) // cos of half the turn is sin(θ/2)
		if half > 1e-9 && 1/half <= o.pen.MiterLimit {
			mid, ok := na.Add(nb).unit()
			if ok {
				tip := p.Add(mid.Mul(o.r / half))
				if side < 0 {
					o.add(p, p.Add(na), tip, p.Add(nb))
				} else {
					o.add(p, p.Add(nb), tip, p.Add(na))
				}
				return
			}
		}
	}
	if side < 0 {
		o.add(p, p.Add(na), p.Add(nb))
	} else {
		o.add(p, p.Add(nb), p.Add(na))
	}
}
