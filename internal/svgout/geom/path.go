package geom

import "math"

// Op is a step of a path. Each takes its points from Path.Pts.
type Op uint8

// The steps, and how many points each takes.
const (
	MoveTo  Op = iota // 1
	LineTo            // 1
	QuadTo            // 2: control, end
	CubicTo           // 3: two controls, end
	Close             // 0
)

var opPoints = [...]int{MoveTo: 1, LineTo: 1, QuadTo: 2, CubicTo: 3, Close: 0}

// Path is a sequence of steps; the first is a MoveTo.
type Path struct {
	Ops []Op
	Pts []Point
}

// Empty reports whether there is nothing in p.
func (p *Path) Empty() bool { return p == nil || len(p.Ops) == 0 }

func (p *Path) MoveTo(q Point) { p.Ops, p.Pts = append(p.Ops, MoveTo), append(p.Pts, q) }
func (p *Path) LineTo(q Point) { p.Ops, p.Pts = append(p.Ops, LineTo), append(p.Pts, q) }
func (p *Path) QuadTo(c, q Point) {
	p.Ops, p.Pts = append(p.Ops, QuadTo), append(p.Pts, c, q)
}

func (p *Path) CubicTo(c, d, q Point) {
	p.Ops, p.Pts = append(p.Ops, CubicTo), append(p.Pts, c, d, q)
}
func (p *Path) Close() { p.Ops = append(p.Ops, Close) }

// Each calls f with each step and its points.
func (p *Path) Each(f func(op Op, pts []Point)) {
	if p == nil {
		return
	}
	at := 0
	for _, op := range p.Ops {
		n := opPoints[op]
		f(op, p.Pts[at:at+n])
		at += n
	}
}

// Append adds q's steps, mapped by m.
func (p *Path) Append(q *Path, m Matrix) {
	p.Ops = append(p.Ops, q.Ops...)
	for _, pt := range q.Pts {
		p.Pts = append(p.Pts, m.Apply(pt))
	}
}

// Transform gives p mapped by m.
func (p *Path) Transform(m Matrix) *Path {
	out := &Path{Ops: p.Ops, Pts: make([]Point, len(p.Pts))}
	for i, pt := range p.Pts {
		out.Pts[i] = m.Apply(pt)
	}
	return out
}

// Finite reports whether every coordinate is a number.
func (p *Path) Finite() bool {
	for _, q := range p.Pts {
		if s := q.X + q.Y; math.IsNaN(s) || math.IsInf(s, 0) {
			return false
		}
	}
	return true
}

// Bounds gives the box around the path itself, without its control points, as
// getBBox does.
func (p *Path) Bounds() Rect {
	r := Nothing
	var at Point
	p.Each(func(op Op, q []Point) {
		switch op {
		case MoveTo, LineTo:
			r = r.add(q[0])
		case QuadTo:
			c1, c2 := at.lerp(q[0], 2.0/3), q[1].lerp(q[0], 2.0/3)
			r = cubicBounds(r, at, c1, c2, q[1])
		case CubicTo:
			r = cubicBounds(r, at, q[0], q[1], q[2])
		}
		if len(q) > 0 {
			at = q[len(q)-1]
		}
	})
	return r
}

func cubicBounds(r Rect, a, b, c, d Point) Rect {
	r = r.add(d)
	inside := func(q Point) bool { return q.X >= r.X0 && q.X <= r.X1 && q.Y >= r.Y0 && q.Y <= r.Y1 }
	if inside(b) && inside(c) {
		return r
	}
	for axis := range 2 {
		pick := func(q Point) float64 {
			if axis == 0 {
				return q.X
			}
			return q.Y
		}
		p0, p1, p2, p3 := pick(a), pick(b), pick(c), pick(d)
		// The derivative's zeros: i·t² + j·t + k.
		i, j, k := -p0+3*p1-3*p2+p3, 2*(p0-2*p1+p2), p1-p0
		for _, t := range quadratic(i, j, k) {
			if t > 0 && t < 1 {
				r = r.add(cubicAt(a, b, c, d, t))
			}
		}
	}
	return r
}

func quadratic(a, b, c float64) []float64 {
	if math.Abs(a) < 1e-12 {
		if b == 0 {
			return nil
		}
		return []float64{-c / b}
	}
	disc := b*b - 4*a*c
	if disc < 0 {
		return nil
	}
	s := math.Sqrt(disc)
	return []float64{(-b + s) / (2 * a), (-b - s) / (2 * a)}
}

func cubicAt(a, b, c, d Point, t float64) Point {
	u := 1 - t
	k0, k1, k2, k3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return Point{k0*a.X + k1*b.X + k2*c.X + k3*d.X, k0*a.Y + k1*b.Y + k2*c.Y + k3*d.Y}
}

// kappa is how far a quarter circle's controls are from its ends, in radii.
const kappa = 0.5522847498307936

// RectPath gives a rectangle with corners of radii rx and ry, as SVG 2 §10.2 runs it.
func RectPath(x, y, w, h, rx, ry float64) *Path {
	p := &Path{}
	rx, ry = min(rx, w/2), min(ry, h/2)
	if rx <= 0 || ry <= 0 {
		p.MoveTo(Point{x, y})
		p.LineTo(Point{x + w, y})
		p.LineTo(Point{x + w, y + h})
		p.LineTo(Point{x, y + h})
		p.Close()
		return p
	}
	kx, ky := rx*(1-kappa), ry*(1-kappa)
	p.MoveTo(Point{x + rx, y})
	p.LineTo(Point{x + w - rx, y})
	p.CubicTo(Point{x + w - kx, y}, Point{x + w, y + ky}, Point{x + w, y + ry})
	p.LineTo(Point{x + w, y + h - ry})
	p.CubicTo(Point{x + w, y + h - ky}, Point{x + w - kx, y + h}, Point{x + w - rx, y + h})
	p.LineTo(Point{x + rx, y + h})
	p.CubicTo(Point{x + kx, y + h}, Point{x, y + h - ky}, Point{x, y + h - ry})
	p.LineTo(Point{x, y + ry})
	p.CubicTo(Point{x, y + ky}, Point{x + kx, y}, Point{x + rx, y})
	p.Close()
	return p
}

// EllipsePath gives an ellipse, from its rightmost point clockwise.
func EllipsePath(cx, cy, rx, ry float64) *Path {
	p := &Path{}
	kx, ky := rx*kappa, ry*kappa
	p.MoveTo(Point{cx + rx, cy})
	p.CubicTo(Point{cx + rx, cy + ky}, Point{cx + kx, cy + ry}, Point{cx, cy + ry})
	p.CubicTo(Point{cx - kx, cy + ry}, Point{cx - rx, cy + ky}, Point{cx - rx, cy})
	p.CubicTo(Point{cx - rx, cy - ky}, Point{cx - kx, cy - ry}, Point{cx, cy - ry})
	p.CubicTo(Point{cx + kx, cy - ry}, Point{cx + rx, cy - ky}, Point{cx + rx, cy})
	p.Close()
	return p
}
