package svgout

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

// ErrNoSVG means that there is no svg element.
var ErrNoSVG = errors.New("svgout: there is no <svg>")

// maxRemoved is how many kinds of removed things are named.
const maxRemoved = 20

// Scrub returns the first svg element of svg without anything that could act, and in
// words what was removed, each kind once.
//
// Every id begins with that of the root, so that pictures with different root ids do
// not clash on a page, and every rule of a style sheet is confined to the root.
func Scrub(svg []byte) (clean []byte, removed []string, err error) {
	s := &scrubber{Scanner: markup.Scanner{Src: string(svg)}, ids: map[string]bool{}}
	if !s.survey() {
		return nil, nil, ErrNoSVG
	}
	s.run()
	return []byte(s.out.String()), s.removed, nil
}

type scrubber struct {
	markup.Scanner
	out     strings.Builder
	root    string          // the id of the root
	ids     map[string]bool // all ids, before they are renamed
	frames  map[string]bool // names of @keyframes, before they are renamed
	begin   int             // where the root starts
	stack   []element
	css     *strings.Builder // text of the open style element
	removed []string
}

// element is an open element. Those that are not written out are kept on the stack,
// so that end tags find them.
type element struct {
	name    string // as in the source
	written string // as written; empty if only its content is
	dropped bool   // its content is not written either
	text    bool   // text in it is shown
}

// survey finds the root and collects ids.
func (s *scrubber) survey() bool {
	first := true
	for {
		at := s.Pos
		t, ok := s.Next()
		if !ok {
			break
		}
		if t.Kind != markup.StartToken {
			continue
		}
		for _, a := range t.Attrs {
			if a.Name == "id" {
				if first && strings.EqualFold(t.Name, "svg") {
					s.root = safeID(a.Value)
				}
				s.ids[a.Value] = true
				break
			}
		}
		if first && strings.EqualFold(t.Name, "svg") {
			s.begin, first = at, false
		}
	}
	s.Pos = s.begin
	if s.root == "" || !markup.IsLetter(s.root[0]) { // a selector could not name it
		s.root = "svg" + s.root
	}
	return !first
}

func (s *scrubber) run() {
	for {
		t, ok := s.Next()
		if !ok {
			break
		}
		switch t.Kind {
		case markup.StartToken:
			s.open(t)
		case markup.EndToken:
			s.end(t.Name)
		case markup.TextToken:
			s.text(t.Text)
		}
		if len(s.stack) == 0 { // the root is closed
			return
		}
	}
	for len(s.stack) > 0 {
		s.pop()
	}
}

func (s *scrubber) open(t markup.Token) {
	e := element{name: strings.ToLower(strings.TrimPrefix(t.Name, "svg:"))}
	parent := element{}
	if len(s.stack) > 0 {
		parent = s.stack[len(s.stack)-1]
	}
	e.dropped = parent.dropped || s.css != nil
	if !e.dropped {
		written, known := elements[e.name]
		switch {
		case known && !s.usable(e.name, t):
			e.dropped = true
			s.note(fmt.Sprintf("<%s> that is not part of the picture", e.name))
		case known:
			e.written = written
			e.text = textual[e.name] || parent.text
		case unwrapped[e.name]:
			e.text = parent.text
		default:
			e.dropped = true
			s.note(fmt.Sprintf("<%s>", clipName(e.name)))
		}
	}
	if e.written == "style" {
		s.css = &strings.Builder{}
	} else if e.written != "" {
		s.startTag(e, t)
	}
	s.stack = append(s.stack, e)
	if t.Empty || void[e.name] {
		s.pop()
	}
}

// usable reports whether an element that exists for what it refers to does so within
// the picture.
func (s *scrubber) usable(name string, t markup.Token) bool {
	if name != "use" && name != "feimage" {
		return true
	}
	return slices.ContainsFunc(t.Attrs, func(a markup.Attr) bool {
		return (a.Name == "href" || a.Name == "xlink:href") && strings.HasPrefix(strings.TrimSpace(a.Value), "#")
	})
}

// end closes the nearest element of that name, and what is open inside it. A stray
// end tag closes nothing.
func (s *scrubber) end(name string) {
	name = strings.ToLower(strings.TrimPrefix(name, "svg:"))
	for i := len(s.stack) - 1; i >= 0; i-- {
		if s.stack[i].name == name {
			for len(s.stack) > i {
				s.pop()
			}
			return
		}
	}
}

func (s *scrubber) pop() {
	e := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	switch {
	case e.written == "style" && s.css != nil:
		css := s.stylesheet(s.css.String())
		s.css = nil
		if css != "" {
			s.out.WriteString("<style>")
			writeEscaped(&s.out, css, inCSS)
			s.out.WriteString("</style>")
		}
	case e.written != "":
		s.out.WriteString("</" + e.written + ">")
	}
}

func (s *scrubber) text(text string) {
	if s.css != nil {
		if s.stack[len(s.stack)-1].written == "style" {
			s.css.WriteString(text)
		}
		return
	}
	if len(s.stack) == 0 || s.stack[len(s.stack)-1].dropped || !s.stack[len(s.stack)-1].text {
		return
	}
	writeEscaped(&s.out, text, inText)
}

func (s *scrubber) note(what string) {
	if len(s.removed) < maxRemoved && !slices.Contains(s.removed, what) {
		s.removed = append(s.removed, what)
	}
}

func clipName(s string) string {
	if len(s) > 40 {
		s = s[:40]
	}
	return strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, s), "")
}
