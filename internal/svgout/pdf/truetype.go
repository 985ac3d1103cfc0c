package pdf

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// outline is a glyph of the font that is written.
type outline struct {
	path    *geom.Path // font units, y downwards
	advance float64    // font units
}

// trueType writes a TrueType font of the given glyphs, made from their outlines: so
// that fonts of every format are embedded in the same way, and what no glyph needs,
// from hints to layout tables, stays out. Cubic curves become quadratic ones.
func trueType(glyphs []outline, unitsPerEm int, ascent, descent float64) []byte {
	var glyf, loca, hmtx []byte
	var box [4]int // of all
	maxPoints, maxContours := 0, 0
	for i, g := range glyphs {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		cs := contours(g.path)
		b := boundsOf(cs)
		data, points := simpleGlyph(cs, b)
		glyf = append(glyf, data...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		if len(cs) > 0 {
			if i == 0 || box == [4]int{} {
				box = b
			}
			box = [4]int{min(box[0], b[0]), min(box[1], b[1]), max(box[2], b[2]), max(box[3], b[3])}
		}
		maxPoints, maxContours = max(maxPoints, points), max(maxContours, len(cs))
		hmtx = binary.BigEndian.AppendUint16(hmtx, uint16(max(0, min(65535, math.Round(g.advance)))))
		hmtx = binary.BigEndian.AppendUint16(hmtx, uint16(int16(b[0])))
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	u16 := func(vs ...int) []byte {
		var b []byte
		for _, v := range vs {
			b = binary.BigEndian.AppendUint16(b, uint16(v))
		}
		return b
	}
	n := len(glyphs)
	up, down := int(math.Round(ascent*float64(unitsPerEm))), int(math.Round(descent*float64(unitsPerEm)))
	head := append(u16(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, unitsPerEm), make([]byte, 16)...)
	head = append(head, u16(box[0], box[1], box[2], box[3], 0, 8, 2, 1, 0)...)
	return assemble([]table{
		{"glyf", glyf},
		{"head", head},
		{"hhea", u16(1, 0, up, -down, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, n)},
		{"hmtx", hmtx},
		{"loca", loca},
		{"maxp", u16(1, 0, n, maxPoints, maxContours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)},
	})
}

type table struct {
	name string
	data []byte
}

// assemble writes tables, which are in order, with their directory and checksums.
func assemble(tables []table) []byte {
	n := len(tables)
	log := bits.Len(uint(n)) - 1
	var b bytes.Buffer
	put := func(vs ...uint32) {
		for _, v := range vs {
			b.Write(binary.BigEndian.AppendUint32(nil, v))
		}
	}
	put(0x00010000, uint32(n)<<16|uint32(16<<log), uint32(log)<<16|uint32(16*n-16<<log))
	at := 12 + 16*n
	head := 0
	for _, t := range tables {
		if t.name == "head" {
			head = at
		}
		b.WriteString(t.name)
		put(checksum(t.data), uint32(at), uint32(len(t.data)))
		at += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		b.Write(t.data)
		for b.Len()%4 != 0 {
			b.WriteByte(0)
		}
	}
	out := b.Bytes()
	binary.BigEndian.PutUint32(out[head+8:], 0xb1b0afba-checksum(out))
	return out
}

func checksum(data []byte) uint32 {
	sum := uint32(0)
	for i := 0; i < len(data); i += 4 {
		var word [4]byte
		copy(word[:], data[i:])
		sum += binary.BigEndian.Uint32(word[:])
	}
	return sum
}

// point is one of a contour, y upwards.
type point struct {
	x, y int
	on   bool
}

// contours gives the closed contours of a path in quadratic form.
func contours(p *geom.Path) [][]point {
	var out [][]point
	var cur []point
	var at geom.Point
	add := func(q geom.Point, on bool) {
		cur = append(cur, point{int(math.Round(q.X)), int(math.Round(-q.Y)), on})
	}
	flush := func() {
		if n := len(cur); n > 1 && cur[n-1] == cur[0] {
			cur = cur[:n-1]
		}
		if len(cur) > 2 {
			out = append(out, dropImplied(cur))
		}
		cur = nil
	}
	p.Each(func(op geom.Op, q []geom.Point) {
		switch op {
		case geom.MoveTo:
			flush()
			add(q[0], true)
		case geom.LineTo:
			add(q[0], true)
		case geom.QuadTo:
			add(q[0], false)
			add(q[1], true)
		case geom.CubicTo:
			for _, s := range quadratics(at, q[0], q[1], q[2]) {
				add(s[0], false)
				add(s[1], true)
			}
		}
		if len(q) > 0 {
			at = q[len(q)-1]
		}
	})
	flush()
	return out
}

// dropImplied leaves out points in the middle between two that are off the curve.
func dropImplied(c []point) []point {
	out := c[:0:0]
	n := len(c)
	for i, q := range c {
		a, b := c[(i+n-1)%n], c[(i+1)%n]
		if q.on && !a.on && !b.on && 2*q.x == a.x+b.x && 2*q.y == a.y+b.y && i > 0 {
			continue
		}
		out = append(out, q)
	}
	return out
}

// quadratics gives curves (control, end) within half a unit of a cubic one.
func quadratics(a, b, c, d geom.Point) [][2]geom.Point {
	// The distance of the best single curve is √3/36 of the third difference.
	third := geom.Point{X: d.X - 3*c.X + 3*b.X - a.X, Y: d.Y - 3*c.Y + 3*b.Y - a.Y}.Len()
	const tolerance = 0.5
	n := max(1, min(16, int(math.Ceil(math.Cbrt(third*math.Sqrt(3)/36/tolerance)))))
	var out [][2]geom.Point
	at := func(t float64) geom.Point {
		u := 1 - t
		return geom.Point{
			X: u*u*u*a.X + 3*u*u*t*b.X + 3*u*t*t*c.X + t*t*t*d.X,
			Y: u*u*u*a.Y + 3*u*u*t*b.Y + 3*u*t*t*c.Y + t*t*t*d.Y,
		}
	}
	slope := func(t float64) geom.Point {
		u := 1 - t
		return geom.Point{
			X: 3 * (u*u*(b.X-a.X) + 2*u*t*(c.X-b.X) + t*t*(d.X-c.X)),
			Y: 3 * (u*u*(b.Y-a.Y) + 2*u*t*(c.Y-b.Y) + t*t*(d.Y-c.Y)),
		}
	}
	h := 1 / float64(n)
	for i := range n {
		t0, t1 := float64(i)*h, float64(i+1)*h
		p0, p1 := at(t0), at(t1)
		// The mean of where the two tangents' controls would be.
		q0, q1 := p0.Add(slope(t0).Mul(h/2)), p1.Sub(slope(t1).Mul(h/2))
		out = append(out, [2]geom.Point{q0.Add(q1).Mul(0.5), p1})
	}
	return out
}

func boundsOf(cs [][]point) [4]int {
	if len(cs) == 0 {
		return [4]int{}
	}
	b := [4]int{cs[0][0].x, cs[0][0].y, cs[0][0].x, cs[0][0].y}
	for _, c := range cs {
		for _, q := range c {
			b = [4]int{min(b[0], q.x), min(b[1], q.y), max(b[2], q.x), max(b[3], q.y)}
		}
	}
	return b
}

// simpleGlyph writes a glyph as the glyf table has it, without packing flags.
func simpleGlyph(cs [][]point, b [4]int) (data []byte, points int) {
	if len(cs) == 0 {
		return nil, 0
	}
	put := func(v int) { data = binary.BigEndian.AppendUint16(data, uint16(v)) }
	put(len(cs))
	for _, v := range b {
		put(v)
	}
	for _, c := range cs {
		points += len(c)
		put(points - 1)
	}
	put(0) // instructions
	var flags, xs, ys []byte
	x, y := 0, 0
	coordinate := func(to []byte, d int, short, same byte) ([]byte, byte) {
		switch {
		case d == 0:
			return to, same
		case d > 0 && d < 256:
			return append(to, byte(d)), short | same
		case d < 0 && d > -256:
			return append(to, byte(-d)), short
		}
		return binary.BigEndian.AppendUint16(to, uint16(d)), 0
	}
	for _, c := range cs {
		for _, q := range c {
			flag := byte(0)
			if q.on {
				flag = 1
			}
			var f byte
			xs, f = coordinate(xs, q.x-x, 2, 16)
			flag |= f
			ys, f = coordinate(ys, q.y-y, 4, 32)
			flag |= f
			flags = append(flags, flag)
			x, y = q.x, q.y
		}
	}
	data = append(data, flags...)
	data = append(data, xs...)
	return append(data, ys...), points
}
