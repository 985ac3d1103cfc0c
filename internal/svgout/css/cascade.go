package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/svgout/geom"
	"github.com/webodar/webodar/internal/svgout/markup"
)

// Style is what is computed of one element.
type Style struct {
	values [propCount]string
	// FontSize is in px.
	FontSize float64
	rootSize float64
	custom   map[string]string // shared with the parent unless there are own ones
}

// Get gives a computed value: as written, with keywords such as inherit, var() and
// font-relative lengths of inherited properties resolved.
func (s *Style) Get(p Prop) string { return s.values[p] }

// Is reports whether the value is word, in any case.
func (s *Style) Is(p Prop, word string) bool { return strings.EqualFold(s.values[p], word) }

// Set reports whether the value is other than the initial one.
func (s *Style) Set(p Prop) bool { return s.values[p] != properties[p].initial }

// Cascade knows the style sheets of a tree.
type Cascade struct {
	sheet  *sheet
	inline map[string][]declaration // style attributes that have been parsed
	found  []*rule
}

// NewCascade computes the style of root and all below it. It returns in words what in
// style sheets is not supported and may show, each once.
func NewCascade(root *Element) (c *Cascade, notes []string) {
	sh := newSheet(func(what string) {
		if !slices.Contains(notes, what) && len(notes) < maxNotes {
			notes = append(notes, what)
		}
	})
	root.Elements(func(e *Element) {
		if e.Name == "style" {
			if t := strings.ToLower(e.Attr("type")); t == "" || t == "text/css" {
				sh.add(markup.StripComments(e.TextContent()), 0)
			}
		}
	})
	c = &Cascade{sheet: sh, inline: map[string][]declaration{}}
	c.element(root, initialStyle)
	return c, notes
}

const maxNotes = 20

// Instance gives a copy of e and what is in it that inherits from parent, as what a
// <use> shows does. Selectors match as where e itself stands.
func (c *Cascade) Instance(e *Element, parent *Style) *Element {
	e = e.copyTo(e.Parent)
	c.element(e, parent)
	return e
}

func (e *Element) copyTo(parent *Element) *Element {
	out := *e
	out.Parent = parent
	out.Children = make([]Node, len(e.Children))
	for i, child := range e.Children {
		if child.Elem != nil {
			child.Elem = child.Elem.copyTo(&out)
		}
		out.Children[i] = child
	}
	return &out
}

var initialStyle = func() *Style {
	s := &Style{FontSize: 16, rootSize: 16}
	for p := range propCount {
		s.values[p] = properties[p].initial
	}
	return s
}()

func (c *Cascade) element(e *Element, parent *Style) {
	s := &Style{FontSize: parent.FontSize, rootSize: parent.rootSize, custom: parent.custom}
	s.values = initialStyle.values
	for _, p := range inheritedProps {
		s.values[p] = parent.values[p]
	}
	list := c.declarations(e)
	s.setCustom(list)
	// The font size comes first: others may be in ems of it.
	for _, d := range list {
		if d.prop == FontSize {
			s.apply(d, parent)
		}
	}
	for _, d := range list {
		if d.prop != FontSize && d.prop != None {
			s.apply(d, parent)
		}
	}
	if e.Parent == nil {
		s.rootSize = s.FontSize
	}
	e.Style = s
	for _, child := range e.Children {
		if child.Elem != nil {
			c.element(child.Elem, s)
		}
	}
}

// declarations gives those that hold for e, the strongest last.
func (c *Cascade) declarations(e *Element) []declaration {
	var list []declaration
	for _, a := range e.Attrs {
		if p, ok := attributeProps[a.Name]; ok && !(p == Transform && noTransform[e.Name]) {
			list = appendValid(list, p, strings.TrimSpace(a.Value), false, fromAttribute)
		}
	}
	c.found = c.found[:0]
	collect := func(rules []*rule) {
		for _, r := range rules {
			if r.matches(e) {
				c.found = append(c.found, r)
			}
		}
	}
	if e.id != "" {
		collect(c.sheet.byID[e.id])
	}
	for i, class := range e.classes {
		if !slices.Contains(e.classes[:i], class) {
			collect(c.sheet.byClass[class])
		}
	}
	collect(c.sheet.byName[e.Name])
	collect(c.sheet.rest)
	slices.SortFunc(c.found, func(a, b *rule) int {
		if a.specificity != b.specificity {
			return a.specificity - b.specificity
		}
		return a.order - b.order
	})
	important := false
	add := func(from []declaration, want bool) {
		for _, d := range from {
			if d.important == want {
				list = append(list, d)
			} else {
				important = true
			}
		}
	}
	var inline []declaration
	if style := e.Attr("style"); style != "" {
		var ok bool
		if inline, ok = c.inline[style]; !ok {
			inline = parseDeclarations(markup.StripComments(style), fromStyle)
			c.inline[style] = inline
		}
	}
	for _, r := range c.found {
		add(r.declarations, false)
	}
	add(inline, false)
	if important {
		for _, r := range c.found {
			add(r.declarations, true)
		}
		add(inline, true)
	}
	return list
}

// noTransform are elements whose transform has another name, or no meaning.
var noTransform = map[string]bool{"lineargradient": true, "radialgradient": true, "pattern": true}

func (s *Style) setCustom(list []declaration) {
	own := false
	for _, d := range list {
		if d.custom == "" {
			continue
		}
		if !own {
			m := make(map[string]string, len(s.custom)+1)
			for k, v := range s.custom {
				m[k] = v
			}
			s.custom, own = m, true
		}
		s.custom[d.custom] = d.value
	}
}

func (s *Style) apply(d declaration, parent *Style) {
	p, v := d.prop, d.value
	if strings.Contains(v, "var(") {
		var ok bool
		v, ok = s.substitute(v, 0)
		v = strings.TrimSpace(v)
		if !ok || !valid(p, v, fromSheet) || v == "" {
			v = "unset"
		}
	}
	switch strings.ToLower(v) {
	case "inherit":
		v = parent.values[p]
	case "initial":
		v = properties[p].initial
	case "unset", "revert", "revert-layer":
		v = properties[p].initial
		if properties[p].inherited {
			v = parent.values[p]
		}
	}
	switch p {
	case FontSize:
		s.FontSize = max(0, min(s.fontSize(v, parent), maxFontSize))
		v = strconv.FormatFloat(s.FontSize, 'g', -1, 64) + "px"
	case FontWeight:
		v = weight(v, parent.values[FontWeight])
	case StrokeWidth, StrokeDashoffset, LetterSpacing, WordSpacing:
		if n, size := geom.ScanNumber(v); size > 0 && relative(v[size:]) {
			v = strconv.FormatFloat(s.Length(v, n), 'g', -1, 64)
		}
	}
	s.values[p] = v
}

const maxFontSize = 10_000 // px, where browsers stop too

func relative(unit string) bool {
	switch strings.ToLower(unit) {
	case "em", "ex", "ch", "rem":
		return true
	}
	return false
}

func (s *Style) fontSize(v string, parent *Style) float64 {
	lower := strings.ToLower(v)
	if px, ok := fontSizes[lower]; ok {
		return px
	}
	switch lower {
	case "larger":
		return parent.FontSize * 1.2
	case "smaller":
		return parent.FontSize / 1.2
	}
	return parent.Length(v, parent.FontSize)
}

func weight(v, inherited string) string {
	switch strings.ToLower(v) {
	case "normal":
		return "400"
	case "bold":
		return "700"
	case "bolder", "lighter":
		// CSS Fonts 4 §2.2.1
		w, _ := strconv.ParseFloat(inherited, 64)
		if strings.EqualFold(v, "bolder") {
			switch {
			case w < 350:
				return "400"
			case w < 550:
				return "700"
			}
			return strconv.FormatFloat(max(w, 900), 'g', -1, 64)
		}
		switch {
		case w < 550:
			return strconv.FormatFloat(min(w, 100), 'g', -1, 64)
		case w < 750:
			return "400"
		}
		return "700"
	}
	return v
}

// Limits on var().
const (
	maxVars = 16
	maxVar  = 10_000
)

// substitute replaces var(); false where a name is not set and has no fallback.
func (s *Style) substitute(v string, depth int) (string, bool) {
	for n := 0; ; n++ {
		i := strings.Index(v, "var(")
		if i < 0 {
			return v, true
		}
		if n == maxVars || depth == maxVars || len(v) > maxVar {
			return "", false
		}
		inner := v[i+len("var("):]
		end := markup.Stop(inner, ")")
		if end == len(inner) {
			return "", false
		}
		name, fallback, has := strings.Cut(inner[:end], ",")
		value, ok := s.custom[strings.TrimSpace(name)]
		if !ok {
			if !has {
				return "", false
			}
			value = fallback
		}
		value, ok = s.substitute(value, depth+1)
		if !ok {
			return "", false
		}
		v = v[:i] + strings.TrimSpace(value) + inner[end+1:]
	}
}
