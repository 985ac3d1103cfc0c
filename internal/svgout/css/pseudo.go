package css

import (
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

// maxNested bounds :not(:is(:not(…))).
const maxNested = 4

// pseudo reads a pseudo-class. Those that depend on a user never hold; an unknown one
// makes the selector invalid.
func (p *selectorScanner) pseudo() (test func(*Element) bool, weight int, ok bool) {
	p.s = p.s[1:]
	element := strings.HasPrefix(p.s, ":")
	if element {
		p.s = p.s[1:]
	}
	name := strings.ToLower(p.name())
	args := ""
	if strings.HasPrefix(p.s, "(") {
		end := markup.Stop(p.s[1:], ")")
		if 1+end >= len(p.s) {
			return nil, 0, false
		}
		args, p.s = strings.TrimSpace(p.s[1:1+end]), p.s[end+2:]
	}
	never := func(*Element) bool { return false }
	if element {
		return never, 1, name != ""
	}
	switch name {
	case "before", "after", "first-line", "first-letter":
		return never, 1, true
	case "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "checked", "disabled", "enabled":
		return never, classWeight, true
	case "link", "any-link":
		return func(e *Element) bool { _, ok := e.Lookup("href"); return e.Name == "a" && ok }, classWeight, true
	case "root":
		return func(e *Element) bool { return e.Parent == nil }, classWeight, true
	case "empty":
		return func(e *Element) bool { return len(e.Children) == 0 }, classWeight, true
	case "not", "is", "where", "matches", "-webkit-any":
		return p.nested(name, args)
	case "first-child":
		return nth("1", false, false), classWeight, true
	case "last-child":
		return nth("1", true, false), classWeight, true
	case "only-child":
		first, last := nth("1", false, false), nth("1", true, false)
		return func(e *Element) bool { return first(e) && last(e) }, classWeight, true
	case "first-of-type":
		return nth("1", false, true), classWeight, true
	case "last-of-type":
		return nth("1", true, true), classWeight, true
	case "only-of-type":
		first, last := nth("1", false, true), nth("1", true, true)
		return func(e *Element) bool { return first(e) && last(e) }, classWeight, true
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		t := nth(args, strings.Contains(name, "last"), strings.HasSuffix(name, "type"))
		return t, classWeight, t != nil
	}
	return nil, 0, false
}

func (p *selectorScanner) nested(name, args string) (func(*Element) bool, int, bool) {
	if p.depth >= maxNested {
		return nil, 0, false
	}
	list := parseSelectors(args, p.depth+1)
	if list == nil {
		return nil, 0, false
	}
	weight := 0
	if name != "where" {
		for _, s := range list {
			weight = max(weight, s.specificity)
		}
	}
	want := name != "not"
	return func(e *Element) bool {
		for i := range list {
			if list[i].matches(e) {
				return want
			}
		}
		return !want
	}, weight, true
}

// nth gives the test for an+b, nil if that is not what formula is.
func nth(formula string, last, ofType bool) func(*Element) bool {
	a, b, ok := parseNth(strings.ToLower(strings.ReplaceAll(formula, " ", "")))
	if !ok {
		return nil
	}
	return func(e *Element) bool {
		at := e.position(last, ofType) - b
		if a == 0 {
			return at == 0
		}
		return at%a == 0 && at/a >= 0
	}
}

func parseNth(s string) (a, b int, ok bool) {
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	n, rest, found := strings.Cut(s, "n")
	if !found {
		b, err := strconv.Atoi(s)
		return 0, b, err == nil
	}
	switch n {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		v, err := strconv.Atoi(n)
		if err != nil {
			return 0, 0, false
		}
		a = v
	}
	if rest == "" {
		return a, 0, true
	}
	b, err := strconv.Atoi(rest)
	return a, b, err == nil
}

// position counts from 1.
func (e *Element) position(last, ofType bool) int {
	if !last && !ofType || e.Parent == nil {
		return e.place + 1
	}
	n := 0
	for _, c := range e.Parent.Children {
		o := c.Elem
		if o == nil || ofType && o.Name != e.Name {
			continue
		}
		if last && o.place >= e.place || !last && o.place <= e.place {
			n++
		}
	}
	return n
}
