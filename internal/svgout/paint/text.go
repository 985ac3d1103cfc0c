package paint

import (
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// run is characters of one element that are set together.
type run struct {
	el     *css.Element
	chars  []char
	face   *face.Face
	size   float64 // px, at the scale of the page
	scale  float64 // of the page: fonts are measured at the size they are seen at
	level  int8    // of embedding; odd ones run from right to left
	glyphs []placed
	x, y   float64 // where it begins, in user space
	w      float64 // user space
	onPath *css.Element
}

// placed is a glyph within a run.
type placed struct {
	face    *face.Face
	id      face.GlyphID
	chars   string
	x       float64 // from the start of the run, at the scale of the page
	y       float64
	advance float64
	rotate  float64 // degrees
	none    bool    // shows nothing
}

// chunk is what text-anchor moves as one.
type chunk struct {
	runs   []*run
	anchor string
	rtl    bool // the direction of its first element
}

func (r *reader) text(e *css.Element, sc scope, out *[]display.Item) {
	scale := sc.matrix.Scale()
	if !(scale > 0) || math.IsInf(scale, 0) {
		return
	}
	chars := gather(e, sc)
	if len(chars) == 0 {
		return
	}
	if v := e.Style.Get(css.WritingMode); strings.HasPrefix(v, "v") || strings.HasPrefix(v, "tb") || strings.HasPrefix(v, "sideways") {
		r.warn("not supported: writing-mode %s", clip(v))
	}
	chunks := r.layout(e, chars, scale)
	if len(chunks) == 1 {
		stretch(e, chunks[0])
	}
	for _, c := range chunks {
		c.align()
		r.emit(c, sc, out)
	}
}

// layout cuts characters into runs and gives each its place before alignment.
func (r *reader) layout(root *css.Element, chars []char, scale float64) []*chunk {
	var chunks []*chunk
	var cur *chunk
	var last *css.Element // textPath
	x, y := 0.0, 0.0
	embedding := levels(chars)
	for from := 0; from < len(chars); {
		c := &chars[from]
		to := from + 1
		for to < len(chars) && chars[to].el == c.el && !chars[to].moved() && (embedding == nil || embedding[to] == embedding[from]) {
			to++
		}
		along := textPathOf(c.el)
		if along != last {
			cur, last = nil, along
			if along != nil {
				x, y = 0, 0
			}
		}
		jump := false
		if !math.IsNaN(c.x) {
			x, jump = c.x, true
		}
		if !math.IsNaN(c.y) {
			y, jump = c.y, true
		}
		if jump || cur == nil {
			cur = &chunk{anchor: strings.ToLower(c.el.Style.Get(css.TextAnchor)), rtl: c.el.Style.Is(css.Direction, "rtl")}
			chunks = append(chunks, cur)
		}
		moved := jump
		if !math.IsNaN(c.dx) {
			x, moved = x+c.dx, true
		}
		if !math.IsNaN(c.dy) {
			y, moved = y+c.dy, true
		}
		u := r.run(root, chars[from:to], scale)
		if embedding != nil {
			u.level = embedding[from]
		}
		r.set(u)
		u.onPath = along
		u.y += y
		if n := len(cur.runs); n > 0 && !moved {
			x += kernBetween(cur.runs[n-1], u)
		}
		u.x = x
		x += u.w
		cur.runs = append(cur.runs, u)
		from = to
	}
	for _, c := range chunks {
		c.reorder()
	}
	return chunks
}

func textPathOf(e *css.Element) *css.Element {
	for ; e != nil && e.Name != "text"; e = e.Parent {
		if e.Name == "textpath" {
			return e
		}
	}
	return nil
}

// run gives characters of one element their font.
func (r *reader) run(root *css.Element, chars []char, scale float64) *run {
	el := chars[0].el
	st := el.Style
	weight, _ := geom.ScanNumber(st.Get(css.FontWeight))
	f := r.fonts.Pick(st.Get(css.FontFamily), weight, !st.Is(css.FontStyle, "normal"))
	// FreeType takes sizes in whole 64ths of a pixel.
	size := math.Floor(st.FontSize*scale*64+1e-6) / 64
	return &run{el: el, chars: chars, face: f, size: size, scale: scale, y: baseline(el, el == root, f, size) / scale}
}

// baseline gives how far below y the alphabetic baseline is, in px at the scale of the
// page.
func baseline(e *css.Element, isText bool, f *face.Face, size float64) float64 {
	// The height of a line is that of its rounded parts, as in browsers.
	ascent, descent := math.Round(f.Ascent*size), math.Round(f.Descent*size)
	st := e.Style
	b := "auto"
	if !isText {
		b = strings.ToLower(st.Get(css.AlignmentBaseline))
	}
	if b == "auto" || b == "baseline" {
		b = strings.ToLower(st.Get(css.DominantBaseline))
	}
	shift := 0.0
	switch b {
	case "middle":
		shift = f.XHeight * size / 2
	case "central":
		shift = (ascent - descent) / 2
	case "hanging":
		shift = ascent * 0.8
	case "mathematical":
		shift = ascent / 2
	case "text-before-edge", "before-edge", "text-top":
		shift = ascent
	case "text-after-edge", "after-edge", "text-bottom", "ideographic":
		shift = -descent
	}
	if !isText {
		shift -= raised(e, st, size)
	}
	return shift
}

// raised reads baseline-shift, which adds up from the text down.
func raised(e *css.Element, st *css.Style, size float64) float64 {
	up := 0.0
	k := size / max(st.FontSize, 1e-9) // scale of the page
	for ; e != nil && e.Name != "text"; e = e.Parent {
		parent := st.FontSize
		if e.Parent != nil {
			parent = e.Parent.Style.FontSize
		}
		switch v := strings.ToLower(e.Style.Get(css.BaselineShift)); v {
		case "baseline":
		case "super":
			up += (parent/3 + 1) * k
		case "sub":
			up -= (parent/5 + 1) * k
		default:
			up += e.Style.Length(v, e.Style.FontSize) * k
		}
	}
	return up
}

// set gives a run its glyphs.
func (r *reader) set(u *run) {
	st := u.el.Style
	spacing := st.Length(st.Get(css.LetterSpacing), st.FontSize) * u.scale
	between := st.Length(st.Get(css.WordSpacing), st.FontSize) * u.scale
	pen := 0.0
	var prev face.GlyphID
	var prevFace *face.Face
	for _, g := range r.glyphs(u) {
		if prevFace != nil && prevFace == g.face && !g.none {
			pen += g.face.Kern(prev, g.id) * u.size
		}
		g.x += pen
		pen += g.advance + spacing
		if g.chars == " " {
			pen += between
		}
		u.glyphs = append(u.glyphs, g)
		prev, prevFace = g.id, g.face
		if g.none || g.face != u.face {
			prevFace = nil
		}
	}
	// A browser keeps the width in 64ths of a pixel, rounded up.
	u.w = math.Ceil(pen*64-1e-6) / 64 / u.scale
}

// kernBetween is the kerning of two runs that meet: text of one font is shaped across
// elements.
func kernBetween(a, b *run) float64 {
	if a.face != b.face || a.size != b.size || len(a.glyphs) == 0 || len(b.glyphs) == 0 {
		return 0
	}
	l, f := a.glyphs[len(a.glyphs)-1], b.glyphs[0]
	if l.face != a.face || f.face != a.face || l.none || f.none {
		return 0
	}
	return a.face.Kern(l.id, f.id) * a.size / a.scale
}

// align moves a chunk as text-anchor says.
func (c *chunk) align() {
	x0, x1 := math.Inf(1), math.Inf(-1)
	for _, u := range c.runs {
		x0, x1 = min(x0, u.x), max(x1, u.x+u.w)
	}
	by := 0.0
	switch {
	case c.anchor == "middle":
		by = (x1 - x0) / 2
	case (c.anchor == "end") != c.rtl:
		by = x1 - x0
	}
	for _, u := range c.runs {
		u.x -= by
	}
}

// stretch makes a chunk as long as textLength asks.
func stretch(e *css.Element, c *chunk) {
	wanted, ok := e.Style.ParseLength(e.Attr("textlength"), 0)
	if !ok || !(wanted > 0) {
		return
	}
	x0, x1 := math.Inf(1), math.Inf(-1)
	n := 0
	for _, u := range c.runs {
		x0, x1 = min(x0, u.x), max(x1, u.x+u.w)
		n += len(u.glyphs)
	}
	if !(x1 > x0) || n == 0 {
		return
	}
	if e.Attr("lengthadjust") == "spacingAndGlyphs" {
		k := wanted / (x1 - x0)
		for _, u := range c.runs {
			u.x, u.w = x0+(u.x-x0)*k, u.w*k
			for i := range u.glyphs {
				u.glyphs[i].x *= k
				u.glyphs[i].advance *= k
			}
		}
		return
	}
	if n == 1 {
		return
	}
	each := (wanted - (x1 - x0)) / float64(n-1)
	moved := 0.0
	for _, u := range c.runs {
		u.x += moved
		for i := range u.glyphs {
			u.glyphs[i].x += each * float64(i) * u.scale
		}
		by := each * float64(len(u.glyphs))
		u.w += by
		moved += by
	}
	c.runs[len(c.runs)-1].w -= each
}
