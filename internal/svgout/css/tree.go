package css

import (
	"errors"
	"fmt"
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

// ErrNoSVG means that there is no svg element.
var ErrNoSVG = errors.New("there is no <svg>")

// Element is an element with its content. Names are in lower case.
type Element struct {
	Name     string
	Attrs    []markup.Attr
	Parent   *Element
	Children []Node
	Style    *Style // after NewCascade

	id      string
	classes []string
	place   int // among the elements of the parent, from 0
}

// Node is an element, or text where Elem is nil.
type Node struct {
	Elem *Element
	Text string
}

// Attr gives the value of an attribute, "" if there is none. xlink:href is href.
func (e *Element) Attr(name string) string {
	v, _ := e.Lookup(name)
	return v
}

// Lookup gives the value of an attribute, and whether it is there.
func (e *Element) Lookup(name string) (string, bool) {
	for i := range e.Attrs {
		if e.Attrs[i].Name == name {
			return e.Attrs[i].Value, true
		}
	}
	return "", false
}

// ID is the id attribute.
func (e *Element) ID() string { return e.id }

// Limits bound what is read.
type Limits struct {
	Elements int // of the tree
	Depth    int
}

// LimitError means that a picture is larger than is read.
type LimitError struct {
	What string
	Max  int
}

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d %s", e.Max, e.What) }

// Parse builds the tree of the first svg element.
func Parse(svg []byte, limits Limits) (*Element, error) {
	s := markup.Scanner{Src: string(svg)}
	var root, cur *Element
	count, depth := 0, 0
	for t, ok := s.Next(); ok; t, ok = s.Next() {
		switch t.Kind {
		case markup.StartToken:
			name := localName(t.Name)
			if root == nil && name != "svg" {
				continue
			}
			if count++; count > limits.Elements {
				return nil, &LimitError{"elements", limits.Elements}
			}
			e := newElement(name, t.Attrs, cur)
			if root == nil {
				root = e
			}
			if t.Empty {
				if e == root {
					return root, nil
				}
				continue
			}
			cur = e
			if depth++; depth > limits.Depth {
				return nil, &LimitError{"elements inside each other", limits.Depth}
			}
		case markup.EndToken:
			name := localName(t.Name)
			for e, d := cur, depth; e != nil; e, d = e.Parent, d-1 {
				if e.Name == name {
					cur, depth = e.Parent, d-1
					break
				}
			}
			if root != nil && cur == nil {
				return root, nil
			}
		case markup.TextToken:
			if cur != nil && t.Text != "" {
				cur.Children = append(cur.Children, Node{Text: t.Text})
			}
		}
	}
	if root == nil {
		return nil, ErrNoSVG
	}
	return root, nil
}

func localName(name string) string {
	return strings.ToLower(strings.TrimPrefix(name, "svg:"))
}

func newElement(name string, attrs []markup.Attr, parent *Element) *Element {
	e := &Element{Name: name, Attrs: attrs, Parent: parent}
	for i, a := range attrs {
		lower := strings.ToLower(a.Name)
		switch lower {
		case "xlink:href":
			if _, ok := e.Lookup("href"); !ok {
				lower = "href"
			}
		case "id":
			e.id = a.Value
		case "class":
			e.classes = strings.Fields(a.Value)
		}
		attrs[i].Name = lower
	}
	if parent != nil {
		for i := len(parent.Children) - 1; i >= 0; i-- {
			if before := parent.Children[i].Elem; before != nil {
				e.place = before.place + 1
				break
			}
		}
		parent.Children = append(parent.Children, Node{Elem: e})
	}
	return e
}

// Elements calls f with e and every element below it, in order.
func (e *Element) Elements(f func(*Element)) {
	f(e)
	for _, c := range e.Children {
		if c.Elem != nil {
			c.Elem.Elements(f)
		}
	}
}

// TextContent is the text in e and below it.
func (e *Element) TextContent() string {
	if len(e.Children) == 1 && e.Children[0].Elem == nil {
		return e.Children[0].Text
	}
	var b strings.Builder
	for _, c := range e.Children {
		if c.Elem != nil {
			b.WriteString(c.Elem.TextContent())
		} else {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}
