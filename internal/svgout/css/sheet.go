package css

import (
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

// declaration is one property with its value. Custom properties have prop None and
// their name.
type declaration struct {
	prop      Prop
	custom    string
	value     string
	important bool
}

// rule is one selector with its declarations.
type rule struct {
	selector
	declarations []declaration
	order        int
}

// sheet holds rules by what their rightmost compound asks for.
type sheet struct {
	byID, byClass, byName map[string][]*rule
	rest                  []*rule
	count                 int
	note                  func(string)
}

func newSheet(note func(string)) *sheet {
	return &sheet{byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byName: map[string][]*rule{}, note: note}
}

// maxNesting is how deep @media and its like may nest.
const maxNesting = 8

func (s *sheet) add(css string, depth int) {
	for css != "" {
		css = strings.TrimLeft(css, " \t\r\n\f;}")
		end := markup.Stop(css, "{;}")
		if end == len(css) || css[end] != '{' {
			if strings.HasPrefix(strings.ToLower(css), "@import") {
				s.note("@import in a style sheet")
			}
			css = css[min(end+1, len(css)):]
			continue
		}
		prelude := strings.TrimSpace(css[:end])
		body, rest := markup.Block(css[end+1:])
		css = rest
		if strings.HasPrefix(prelude, "@") {
			s.atRule(prelude, body, depth)
			continue
		}
		selectors := parseSelectors(prelude, 0)
		if selectors == nil {
			continue
		}
		list := parseDeclarations(body, fromSheet)
		if len(list) == 0 {
			continue
		}
		for _, sel := range selectors {
			s.count++
			s.insert(&rule{sel, list, s.count})
		}
	}
}

func (s *sheet) insert(r *rule) {
	switch c := &r.compounds[0]; {
	case c.id != "":
		s.byID[c.id] = append(s.byID[c.id], r)
	case len(c.classes) > 0:
		s.byClass[c.classes[0]] = append(s.byClass[c.classes[0]], r)
	case c.name != "":
		s.byName[c.name] = append(s.byName[c.name], r)
	default:
		s.rest = append(s.rest, r)
	}
}

func (s *sheet) atRule(prelude, body string, depth int) {
	word := prelude
	if i := strings.IndexAny(prelude, " \t\r\n("); i > 0 {
		word = prelude[:i]
	}
	switch strings.ToLower(word) {
	case "@media":
		if depth < maxNesting && s.media(prelude[len(word):]) {
			s.add(body, depth+1)
		}
	case "@supports", "@layer":
		if depth < maxNesting {
			s.add(body, depth+1)
		}
	case "@font-face":
		s.note("@font-face: the embedded fonts are used")
	case "@keyframes", "@-webkit-keyframes", "@page", "@property", "@charset":
		// They do not show in a still picture.
	default:
		s.note(word + " in a style sheet")
	}
}

// media tells whether a query holds for a still picture on white.
func (s *sheet) media(query string) bool {
	for part := range strings.SplitSeq(strings.ToLower(query), ",") {
		if s.mediaQuery(strings.TrimSpace(part)) {
			return true
		}
	}
	return false
}

func (s *sheet) mediaQuery(q string) bool {
	not := false
	if rest, ok := strings.CutPrefix(q, "not "); ok {
		not, q = true, strings.TrimSpace(rest)
	}
	q = strings.TrimPrefix(q, "only ")
	holds := true
	for _, part := range strings.Split(q, " and ") {
		part = strings.ReplaceAll(strings.TrimSpace(part), " ", "")
		switch part {
		case "", "all", "screen", "(prefers-color-scheme:light)", "(prefers-reduced-motion:reduce)", "(prefers-reduced-motion)", "(hover:none)":
		case "print", "speech", "(prefers-color-scheme:dark)", "(prefers-reduced-motion:no-preference)", "(hover:hover)", "(hover)":
			holds = false
		default:
			s.note("@media " + part)
			holds = false
		}
	}
	return holds != not
}

func parseDeclarations(css string, from origin) []declaration {
	var out []declaration
	for _, part := range markup.Split(css, ';') {
		name, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		important := false
		if i := strings.LastIndexByte(value, '!'); i >= 0 && strings.EqualFold(strings.TrimSpace(value[i+1:]), "important") {
			important, value = true, strings.TrimSpace(value[:i])
		}
		if strings.HasPrefix(name, "--") {
			out = append(out, declaration{None, name, value, important})
			continue
		}
		if value == "" {
			continue
		}
		name = strings.ToLower(name)
		switch name {
		case "marker":
			for _, p := range [...]Prop{MarkerStart, MarkerMid, MarkerEnd} {
				out = appendValid(out, p, value, important, from)
			}
		case "font":
			out = appendFont(out, value, important)
		case "background":
			out = appendValid(out, BackgroundColor, value, important, from)
		case "text-decoration-line":
			out = appendValid(out, TextDecoration, value, important, from)
		default:
			out = appendValid(out, byName[name], value, important, from)
		}
	}
	return out
}

func appendValid(to []declaration, p Prop, value string, important bool, from origin) []declaration {
	if p == None || !valid(p, value, from) {
		return to
	}
	return append(to, declaration{p, "", value, important})
}

func valid(p Prop, value string, from origin) bool {
	check := properties[p].check
	return check == nil || check(value, from) || isWide(value) || strings.Contains(value, "var(")
}

// isWide tells the keywords that any property takes.
func isWide(v string) bool {
	switch strings.ToLower(v) {
	case "inherit", "initial", "unset", "revert", "revert-layer":
		return true
	}
	return false
}

// appendFont takes the font shorthand apart.
func appendFont(to []declaration, value string, important bool) []declaration {
	style, weight := "normal", "400"
	rest := value
	for {
		rest = strings.TrimSpace(rest)
		word, after, more := strings.Cut(rest, " ")
		if !more {
			return to
		}
		size, _, _ := strings.Cut(word, "/")
		lower := strings.ToLower(word)
		switch {
		case isFontSize(size, fromSheet):
			list := strings.TrimSpace(after)
			if strings.HasSuffix(word, "/") || strings.HasPrefix(list, "/") {
				return to
			}
			return append(to,
				declaration{FontStyle, "", style, important}, declaration{FontWeight, "", weight, important},
				declaration{FontSize, "", size, important}, declaration{FontFamily, "", list, important})
		case lower == "normal", strings.HasSuffix(lower, "-caps"):
		case isFontStyle(word, fromSheet):
			style = word
		case isFontWeight(word, fromSheet):
			weight = word
		default:
			return to
		}
		rest = after
	}
}
