package paint

import (
	"math"
	"strings"
	"unicode"

	"github.com/webodar/webodar/internal/svgout/css"
)

// This file collects the characters of a text element and where its attributes place
// them (SVG 2 §11.5).

// char is a character of a text element, after white space was collapsed.
type char struct {
	r  rune
	el *css.Element // that directly contains it
	// Where an attribute puts it, or moves it from where it would be; NaN if none does.
	x, y, dx, dy, rotate float64
}

// newChar gives a char that no attribute places.
func newChar(r rune, el *css.Element) char {
	nan := math.NaN()
	return char{r: r, el: el, x: nan, y: nan, dx: nan, dy: nan, rotate: nan}
}

// moved reports whether an attribute puts or moves the character.
func (c *char) moved() bool {
	return !(math.IsNaN(c.x) && math.IsNaN(c.y) && math.IsNaN(c.dx) && math.IsNaN(c.dy))
}

type gatherer struct {
	sc     scope
	chars  []char
	spaced bool // the last character was a space that swallows others, or there is none
	keeps  bool // white space of the last character was kept
}

// gather gives the characters that e shows.
func gather(e *css.Element, sc scope) []char {
	g := &gatherer{sc: sc, spaced: true}
	g.walk(e, sc.keep)
	if n := len(g.chars); n > 0 && !g.keeps && g.chars[n-1].r == ' ' {
		g.chars = g.chars[:n-1]
	}
	return g.chars
}

func (g *gatherer) walk(e *css.Element, keep bool) {
	st := e.Style
	if st.Is(css.Display, "none") {
		return
	}
	switch e.Attr("xml:space") {
	case "preserve":
		keep = true
	case "default":
		keep = false
	}
	start := len(g.chars)
	for _, n := range e.Children {
		if n.Elem == nil {
			g.text(e, n.Text, keep || keepsSpace(st.Get(css.WhiteSpace)))
			continue
		}
		switch n.Elem.Name {
		case "tspan", "a", "textpath":
			g.walk(n.Elem, keep)
		}
	}
	g.place(e, start)
}

func keepsSpace(v string) bool {
	switch strings.ToLower(v) {
	case "pre", "pre-wrap", "break-spaces", "preserve-spaces":
		return true
	}
	return false
}

func (g *gatherer) text(e *css.Element, text string, keep bool) {
	st := e.Style
	how := strings.ToLower(st.Get(css.TextTransform))
	switch how {
	case "uppercase":
		text = strings.ToUpper(text)
	case "lowercase":
		text = strings.ToLower(text)
	}
	for _, r := range text {
		if r == '\n' || r == '\r' || r == '\t' || r == '\f' {
			r = ' '
		}
		if r == ' ' && g.spaced && !keep {
			continue
		}
		if how == "capitalize" && (len(g.chars) == 0 || g.chars[len(g.chars)-1].r == ' ') {
			r = unicode.ToUpper(r)
		}
		g.spaced, g.keeps = r == ' ' && !keep, keep
		g.chars = append(g.chars, newChar(r, e))
	}
}

// place reads the lists of e's attributes; what an inner element said stays.
func (g *gatherer) place(e *css.Element, start int) {
	for _, name := range [...]string{"x", "y", "dx", "dy", "rotate"} {
		list := e.Attr(name)
		if list == "" {
			continue
		}
		var v float64
		at := start
		for _, s := range css.Numbers(list) {
			if at >= len(g.chars) {
				break
			}
			whole := g.sc.w
			if strings.HasSuffix(name, "y") {
				whole = g.sc.h
			}
			px, ok := e.Style.ParseLength(s, whole)
			if !ok {
				break
			}
			v = px
			g.chars[at].set(name, v)
			at++
		}
		// The last angle holds for what follows.
		for ; name == "rotate" && at > start && at < len(g.chars); at++ {
			g.chars[at].set(name, v)
		}
	}
}

func (c *char) set(name string, v float64) {
	var to *float64
	switch name {
	case "x":
		to = &c.x
	case "y":
		to = &c.y
	case "dx":
		to = &c.dx
	case "dy":
		to = &c.dy
	case "rotate":
		to = &c.rotate
	}
	if math.IsNaN(*to) {
		*to = v
	}
}
