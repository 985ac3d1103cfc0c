package geom

import "math"

// Point is a point or a vector.
type Point struct{ X, Y float64 }

// Add, Sub and Mul are those of vectors.
func (p Point) Add(q Point) Point             { return Point{p.X + q.X, p.Y + q.Y} }
func (p Point) Sub(q Point) Point             { return Point{p.X - q.X, p.Y - q.Y} }
func (p Point) Mul(k float64) Point           { return Point{p.X * k, p.Y * k} }
func (p Point) Len() float64                  { return math.Hypot(p.X, p.Y) }
func (p Point) lerp(q Point, t float64) Point { return Point{p.X + (q.X-p.X)*t, p.Y + (q.Y-p.Y)*t} }

// unit gives the vector of length 1, false for one without a direction.
func (p Point) unit() (Point, bool) {
	l := p.Len()
	if l == 0 || math.IsInf(l, 0) || math.IsNaN(l) {
		return Point{}, false
	}
	return Point{p.X / l, p.Y / l}, true
}

// Matrix maps (x, y) to (A·x + C·y + E, B·x + D·y + F), as in SVG and PDF.
type Matrix struct{ A, B, C, D, E, F float64 }

// Identity maps each point to itself.
var Identity = Matrix{A: 1, D: 1}

// Translate moves.
func Translate(x, y float64) Matrix { return Matrix{1, 0, 0, 1, x, y} }

// Scale scales about the origin.
func Scale(x, y float64) Matrix { return Matrix{x, 0, 0, y, 0, 0} }

// Rotate turns about the origin by an angle in radians, clockwise on screen.
func Rotate(angle float64) Matrix {
	s, c := math.Sincos(angle)
	return Matrix{c, s, -s, c, 0, 0}
}

// Mul gives the matrix that applies n first and then m.
func (m Matrix) Mul(n Matrix) Matrix {
	return Matrix{
		m.A*n.A + m.C*n.B, m.B*n.A + m.D*n.B,
		m.A*n.C + m.C*n.D, m.B*n.C + m.D*n.D,
		m.A*n.E + m.C*n.F + m.E, m.B*n.E + m.D*n.F + m.F,
	}
}

// Apply maps a point.
func (m Matrix) Apply(p Point) Point {
	return Point{m.A*p.X + m.C*p.Y + m.E, m.B*p.X + m.D*p.Y + m.F}
}

// Det is the determinant: by how much areas grow, negative for a mirror.
func (m Matrix) Det() float64 { return m.A*m.D - m.B*m.C }

// Scale is by how much lengths grow, on average.
func (m Matrix) Scale() float64 { return math.Sqrt(math.Abs(m.Det())) }

// Inverse gives the matrix that undoes m, false if there is none.
func (m Matrix) Inverse() (Matrix, bool) {
	d := m.Det()
	if d == 0 || math.IsNaN(d) || math.IsInf(1/d, 0) {
		return Matrix{}, false
	}
	return Matrix{
		m.D / d, -m.B / d, -m.C / d, m.A / d,
		(m.C*m.F - m.D*m.E) / d, (m.B*m.E - m.A*m.F) / d,
	}, true
}

// Finite reports whether every number is one.
func (m Matrix) Finite() bool {
	for _, v := range [...]float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Rect is the box from (X0, Y0) to (X1, Y1); it is empty unless both grow.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Nothing is the box that Union leaves out.
var Nothing = Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// W and H are width and height.
func (r Rect) W() float64 { return r.X1 - r.X0 }
func (r Rect) H() float64 { return r.Y1 - r.Y0 }

// IsNothing reports whether not even a point is in r.
func (r Rect) IsNothing() bool { return !(r.X0 <= r.X1 && r.Y0 <= r.Y1) }

// Union gives the smallest box around both.
func (r Rect) Union(s Rect) Rect {
	return Rect{min(r.X0, s.X0), min(r.Y0, s.Y0), max(r.X1, s.X1), max(r.Y1, s.Y1)}
}

// Intersect gives what is in both.
func (r Rect) Intersect(s Rect) Rect {
	return Rect{max(r.X0, s.X0), max(r.Y0, s.Y0), min(r.X1, s.X1), min(r.Y1, s.Y1)}
}

// Grow moves each side outwards.
func (r Rect) Grow(by float64) Rect { return Rect{r.X0 - by, r.Y0 - by, r.X1 + by, r.Y1 + by} }

// Bounds gives the box around r's image.
func (m Matrix) Bounds(r Rect) Rect {
	if r.IsNothing() {
		return r
	}
	out := Nothing
	for _, p := range [...]Point{{r.X0, r.Y0}, {r.X1, r.Y0}, {r.X0, r.Y1}, {r.X1, r.Y1}} {
		out = out.add(m.Apply(p))
	}
	return out
}

func (r Rect) add(p Point) Rect {
	return Rect{min(r.X0, p.X), min(r.Y0, p.Y), max(r.X1, p.X), max(r.Y1, p.Y)}
}
