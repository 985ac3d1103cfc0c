package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

// selector is a complex selector: compounds from right to left.
type selector struct {
	compounds   []compound
	combinators []byte // between compounds[i] and [i+1]: ' ', '>', '+', '~'
	specificity int
}

// compound is a sequence of simple selectors that must all hold.
type compound struct {
	name    string // "" for any
	id      string
	classes []string
	tests   []func(*Element) bool
}

const (
	idWeight    = 1 << 20
	classWeight = 1 << 10
)

// maxCompounds bounds what matching one selector can cost.
const maxCompounds = 64

// parseSelectors gives nil if any is invalid, as browsers drop the whole rule.
func parseSelectors(list string, depth int) []selector {
	var out []selector
	for _, part := range markup.Split(list, ',') {
		sel, ok := parseSelector(strings.TrimSpace(part), depth)
		if !ok {
			return nil
		}
		out = append(out, sel)
	}
	return out
}

func parseSelector(s string, depth int) (selector, bool) {
	var sel selector
	var compounds []compound
	var combinators []byte
	p := selectorScanner{s: s, depth: depth}
	for {
		c, ok := p.compound(&sel.specificity)
		if !ok || len(compounds) == maxCompounds {
			return sel, false
		}
		compounds = append(compounds, c)
		if p.s == "" {
			break
		}
		rest := strings.TrimLeft(p.s, " \t\r\n\f")
		comb := byte(' ')
		if rest != "" && strings.IndexByte(">+~", rest[0]) >= 0 {
			comb = rest[0]
			rest = strings.TrimLeft(rest[1:], " \t\r\n\f")
		} else if len(rest) == len(p.s) {
			return sel, false
		}
		if rest == "" {
			return sel, false
		}
		p.s = rest
		combinators = append(combinators, comb)
	}
	slices.Reverse(compounds)
	slices.Reverse(combinators)
	sel.compounds, sel.combinators = compounds, combinators
	return sel, true
}

type selectorScanner struct {
	s     string
	depth int
}

// name reads an identifier, with escapes resolved.
func (p *selectorScanner) name() string {
	var b strings.Builder
	i := 0
	for i < len(p.s) {
		c := p.s[i]
		if c == '\\' && i+1 < len(p.s) {
			i++
			j := i
			for j < len(p.s) && j < i+6 && strings.IndexByte("0123456789abcdefABCDEF", p.s[j]) >= 0 {
				j++
			}
			if j > i {
				n, _ := strconv.ParseUint(p.s[i:j], 16, 32)
				b.WriteRune(rune(n))
				if j < len(p.s) && p.s[j] == ' ' {
					j++
				}
				i = j
				continue
			}
			b.WriteByte(p.s[i])
			i++
			continue
		}
		if !(markup.IsLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80) {
			break
		}
		b.WriteByte(c)
		i++
	}
	p.s = p.s[i:]
	return b.String()
}

func (p *selectorScanner) compound(specificity *int) (compound, bool) {
	var c compound
	begin := len(p.s)
	if p.s != "" && p.s[0] == '*' {
		p.s = p.s[1:]
	} else if name := p.name(); name != "" {
		c.name = strings.ToLower(name)
		*specificity++
	}
	for p.s != "" {
		switch p.s[0] {
		case '#':
			p.s = p.s[1:]
			id := p.name()
			if id == "" || c.id != "" && c.id != id {
				return c, false
			}
			c.id = id
			*specificity += idWeight
		case '.':
			p.s = p.s[1:]
			class := p.name()
			if class == "" {
				return c, false
			}
			c.classes = append(c.classes, class)
			*specificity += classWeight
		case '[':
			end := markup.Stop(p.s[1:], "]")
			test, ok := attributeTest(p.s[1 : 1+end])
			if !ok || 1+end >= len(p.s) {
				return c, false
			}
			p.s = p.s[end+2:]
			c.tests = append(c.tests, test)
			*specificity += classWeight
		case ':':
			test, weight, ok := p.pseudo()
			if !ok {
				return c, false
			}
			c.tests = append(c.tests, test)
			*specificity += weight
		default:
			return c, len(p.s) < begin
		}
	}
	return c, len(p.s) < begin
}

func attributeTest(s string) (func(*Element) bool, bool) {
	s = strings.TrimSpace(s)
	i := strings.IndexByte(s, '=')
	if i < 0 {
		name := strings.ToLower(s)
		return func(e *Element) bool { _, ok := e.Lookup(name); return ok }, name != ""
	}
	name, value := s[:i], strings.TrimSpace(s[i+1:])
	op := byte('=')
	if n := len(name); n > 0 && strings.IndexByte("~|^$*", name[n-1]) >= 0 {
		op, name = name[n-1], name[:n-1]
	}
	name = strings.ToLower(strings.TrimSpace(name))
	fold := false
	if n := len(value); n > 2 && (value[n-2] == ' ' || value[n-2] == '"' || value[n-2] == '\'') && (value[n-1]|0x20 == 'i' || value[n-1]|0x20 == 's') {
		fold = value[n-1]|0x20 == 'i'
		value = strings.TrimSpace(value[:n-1])
	}
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	if fold {
		value = strings.ToLower(value)
	}
	return func(e *Element) bool {
		v, ok := e.Lookup(name)
		if !ok {
			return false
		}
		if fold {
			v = strings.ToLower(v)
		}
		switch op {
		case '~':
			return slices.Contains(strings.Fields(v), value)
		case '|':
			return v == value || strings.HasPrefix(v, value+"-")
		case '^':
			return value != "" && strings.HasPrefix(v, value)
		case '$':
			return value != "" && strings.HasSuffix(v, value)
		case '*':
			return value != "" && strings.Contains(v, value)
		}
		return v == value
	}, name != ""
}

// matches reports whether the element is what the selector means. It tries the
// nearest ancestor first and goes back where that leads nowhere.
func (s *selector) matches(e *Element) bool {
	return s.compounds[0].matches(e) && s.from(0, e)
}

func (s *selector) from(i int, e *Element) bool {
	if i == len(s.combinators) {
		return true
	}
	c := &s.compounds[i+1]
	switch s.combinators[i] {
	case '>':
		return e.Parent != nil && c.matches(e.Parent) && s.from(i+1, e.Parent)
	case '+':
		b := e.before()
		return b != nil && c.matches(b) && s.from(i+1, b)
	case '~':
		for b := e.before(); b != nil; b = b.before() {
			if c.matches(b) && s.from(i+1, b) {
				return true
			}
		}
		return false
	}
	for a := e.Parent; a != nil; a = a.Parent {
		if c.matches(a) {
			if s.from(i+1, a) {
				return true
			}
			// With descendants only, a farther ancestor sees no more than this one.
			if !slices.ContainsFunc(s.combinators[i+1:], func(b byte) bool { return b != ' ' }) {
				return false
			}
		}
	}
	return false
}

func (c *compound) matches(e *Element) bool {
	if c.name != "" && c.name != e.Name || c.id != "" && c.id != e.id {
		return false
	}
	for _, class := range c.classes {
		if !slices.Contains(e.classes, class) {
			return false
		}
	}
	for _, test := range c.tests {
		if !test(e) {
			return false
		}
	}
	return true
}

// before gives the element before e in its parent.
func (e *Element) before() *Element {
	if e.Parent == nil || e.place == 0 {
		return nil
	}
	return e.Parent.child(e.place - 1)
}

// child gives the element at a place among its parent's.
func (e *Element) child(place int) *Element {
	// Text lies between at most: the element is not before this index.
	for i := min(place, len(e.Children)); i < len(e.Children); i++ {
		if c := e.Children[i].Elem; c != nil && c.place == place {
			return c
		}
	}
	return nil
}
