package paint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// Options are for [Read]; nil is the defaults.
type Options struct {
	// Fonts are what characters are looked for in that no embedded face has; nil is
	// the embedded faces alone.
	Fonts *face.Library
}

// Limits on what is read. A picture of 3,000 nodes has some 40,000 elements.
const (
	maxElements = 500_000
	maxCopies   = 200_000 // elements that <use> makes
	maxDepth    = 500
	maxItems    = 1_000_000
	maxWarnings = 20
)

// Picture is an SVG that has been read.
type Picture struct {
	// Width and Height are in CSS px.
	Width, Height float64
	// Title and Description are those of the picture, if it has any.
	Title, Description string
	// Warnings say in words what is not painted as a browser would, each once.
	Warnings []string

	list       display.List
	background css.Colour // of the root; transparent mostly
}

// Dump writes the display list as text: a line for each path and text.
func (p *Picture) Dump() string { return p.list.Dump() }

// Errors of [Read]; also a *[LimitError].
var (
	ErrNoSVG = css.ErrNoSVG
	ErrSize  = errors.New("the picture has no size")
)

// LimitError means that a picture is larger than is read or painted.
type LimitError = css.LimitError

// Read reads the first svg element. What is not supported is named in the picture's
// warnings; it fails only where there is no picture, or a larger one than the limits.
func Read(svg []byte, opts *Options) (*Picture, error) {
	if opts == nil {
		opts = &Options{}
	}
	root, err := css.Parse(svg, css.Limits{Elements: maxElements, Depth: maxDepth})
	if err != nil {
		return nil, fmt.Errorf("read svg: %w", err)
	}
	r := &reader{fonts: opts.Fonts, byID: map[string]*css.Element{}}
	if r.fonts == nil {
		r.fonts = face.Embedded()
	}
	root.Elements(func(e *css.Element) {
		if id := e.ID(); id != "" && r.byID[id] == nil {
			r.byID[id] = e
		}
	})
	var notes []string
	r.cascade, notes = css.NewCascade(root)
	for _, n := range notes {
		r.warn("not supported: %s", n)
	}
	p := &Picture{}
	if err := r.root(root, p); err != nil {
		return nil, fmt.Errorf("read svg: %w", err)
	}
	p.Warnings = r.warnings
	return p, nil
}

// reader turns elements into items.
type reader struct {
	fonts    *face.Library
	byID     map[string]*css.Element
	cascade  *css.Cascade
	warnings []string
	links    []display.Link
	count    int            // items made so far
	open     []*css.Element // what is being referred to, so that no circle is followed
	copied   int            // elements that <use> has made
	boxes    []rune         // characters without a glyph
}

// scope is what an element is painted in.
type scope struct {
	matrix geom.Matrix // to the page
	w, h   float64     // of the nearest viewport: what percentages are of
	base   float64     // scale of the page: what lines that do not scale are drawn at
	keep   bool        // white space, by xml:space
	// What context-fill and context-stroke mean in a marker.
	contextFill, contextStroke *display.Paint
}

func (sc scope) in(m geom.Matrix) scope {
	sc.matrix = sc.matrix.Mul(m)
	return sc
}

func (r *reader) warn(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	if len(r.warnings) < maxWarnings && !slices.Contains(r.warnings, w) {
		r.warnings = append(r.warnings, w)
	}
}

func (r *reader) full() bool { return r.count > maxItems || r.copied > maxCopies }

// element adds what an element shows to out.
func (r *reader) element(e *css.Element, sc scope, out *[]display.Item) {
	if r.full() || e.Style.Is(css.Display, "none") {
		return
	}
	switch e.Name {
	case "g", "a", "switch", "svg", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "image":
	case "foreignobject":
		r.warn("not supported: HTML inside the picture (foreignObject)")
		return
	case "defs", "style", "title", "desc", "metadata", "symbol", "marker", "clippath", "mask", "filter", "pattern",
		"lineargradient", "radialgradient", "script", "animate", "animatetransform", "animatemotion", "set", "stop", "view", "cursor":
		return
	default:
		r.warn("not supported: <%s>", clip(e.Name))
		return
	}
	if e.Attr("xml:space") == "preserve" {
		sc.keep = true
	} else if e.Attr("xml:space") == "default" {
		sc.keep = false
	}
	if e.Name != "svg" {
		sc = sc.in(r.transform(e, sc))
	}
	var items []display.Item
	switch e.Name {
	case "g":
		r.children(e, sc, &items)
	case "a":
		r.children(e, sc, &items)
		r.link(e, items)
	case "switch":
		r.first(e, sc, &items)
	case "svg":
		r.viewport(e, e, sc, &items)
	case "use":
		r.use(e, sc, &items)
	case "text":
		r.text(e, sc, &items)
	case "image":
		r.image(e, sc, &items)
	default:
		r.shape(e, sc, &items)
	}
	r.effects(e, sc, items, out)
}

func (r *reader) children(e *css.Element, sc scope, out *[]display.Item) {
	for _, c := range e.Children {
		if c.Elem != nil {
			r.element(c.Elem, sc, out)
		}
	}
}

// first shows the first child of a <switch> that could be shown.
func (r *reader) first(e *css.Element, sc scope, out *[]display.Item) {
	for _, c := range e.Children {
		if c.Elem == nil || c.Elem.Name == "foreignobject" || c.Elem.Attr("requiredextensions") != "" {
			continue
		}
		if lang, ok := c.Elem.Lookup("systemlanguage"); ok && !strings.HasPrefix(strings.ToLower(lang), "en") {
			continue
		}
		r.element(c.Elem, sc, out)
		return
	}
}

func (r *reader) link(e *css.Element, items []display.Item) {
	url := strings.TrimSpace(e.Attr("href"))
	if url == "" || strings.HasPrefix(url, "#") {
		return
	}
	lower := strings.ToLower(url)
	if !strings.HasPrefix(lower, "https://") && !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "mailto:") {
		r.warn("a link was left out that is none to the web: %s", clip(url))
		return
	}
	if area := boxIn(scope{matrix: geom.Identity})(items); !area.IsNothing() && r.count <= maxItems {
		r.links = append(r.links, display.Link{URL: url, Area: area})
	}
}

// enter notes that the content of e is being shown, false if it already is, or inside
// too many others.
func (r *reader) enter(e *css.Element) bool {
	const maxReferences = 20
	if len(r.open) >= maxReferences || slices.Contains(r.open, e) {
		r.warn("a picture element that refers to itself was left out")
		return false
	}
	r.open = append(r.open, e)
	return true
}

func (r *reader) leave() { r.open = r.open[:len(r.open)-1] }

// find gives the element with an id if it is one of the names.
func (r *reader) find(id string, names ...string) *css.Element {
	e := r.byID[id]
	if e == nil || !slices.Contains(names, e.Name) {
		return nil
	}
	return e
}

func (r *reader) add(out *[]display.Item, it display.Item) {
	r.count++
	*out = append(*out, it)
}

// clip makes a name from a picture fit for a message.
func clip(s string) string {
	const most = 60
	s = strings.Map(func(c rune) rune {
		if c < ' ' {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, ""))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
