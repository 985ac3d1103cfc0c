package svgout

import (
	"regexp"
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

// stylesheet gives the rules of a style sheet that may stay, each confined to the
// root.
func (s *scrubber) stylesheet(css string) string {
	css = markup.StripComments(css)
	s.frames = map[string]bool{}
	for _, m := range keyframesRule.FindAllStringSubmatch(css, -1) {
		s.frames[m[1]] = true
	}
	return s.rules(css, 0)
}

var keyframesRule = regexp.MustCompile(`@(?:-webkit-)?keyframes\s+([A-Za-z_][\w-]*)\s*\{`)

// maxNesting is how deep @media and its like may nest.
const maxNesting = 4

func (s *scrubber) rules(css string, depth int) string {
	var out strings.Builder
	for len(css) > 0 {
		css = strings.TrimLeft(css, " \t\r\n\f;}")
		if css == "" {
			break
		}
		end := markup.Stop(css, "{;}")
		if end == len(css) || css[end] != '{' { // a statement without a block
			if strings.HasPrefix(css, "@") {
				s.note("a style sheet's " + atName(css))
			}
			css = css[min(end+1, len(css)):]
			continue
		}
		prelude := strings.TrimSpace(css[:end])
		body, rest := markup.Block(css[end+1:])
		css = rest
		if strings.HasPrefix(prelude, "@") {
			out.WriteString(s.atRule(prelude, body, depth))
			continue
		}
		selectors := s.selectors(prelude)
		if selectors == "" {
			continue
		}
		if declarations := s.declarations(body); declarations != "" {
			out.WriteString(selectors + "{" + declarations + "}")
		}
	}
	return out.String()
}

var condition = regexp.MustCompile(`^@(?:media|supports)[\w\s():,.%/<>=#-]+$`)

func (s *scrubber) atRule(prelude, body string, depth int) string {
	switch name := atName(prelude); {
	case (name == "@media" || name == "@supports") && condition.MatchString(prelude) && depth < maxNesting:
		if inner := s.rules(body, depth+1); inner != "" {
			return prelude + "{" + inner + "}"
		}
	case name == "@keyframes" || name == "@-webkit-keyframes":
		m := keyframesRule.FindStringSubmatch(prelude + "{")
		if m == nil {
			break
		}
		var frames strings.Builder
		for body = strings.TrimSpace(body); body != ""; body = strings.TrimSpace(body) {
			end := markup.Stop(body, "{")
			if end == len(body) {
				break
			}
			moment := strings.TrimSpace(body[:end])
			var inner string
			inner, body = markup.Block(body[end+1:])
			if frameMoment.MatchString(moment) {
				frames.WriteString(moment + "{" + s.declarations(inner) + "}")
			}
		}
		return name + " " + s.newID(m[1]) + "{" + frames.String() + "}"
	default:
		s.note("a style sheet's " + clipName(name))
	}
	return ""
}

var frameMoment = regexp.MustCompile(`^(?:from|to|[\d.]+%)(?:\s*,\s*(?:from|to|[\d.]+%))*$`)

var atWord = regexp.MustCompile(`^@[\w-]*`)

func atName(css string) string {
	return strings.ToLower(atWord.FindString(css))
}

// selectors gives the selectors that match inside the root only, or the root.
func (s *scrubber) selectors(list string) string {
	var kept []string
	for _, sel := range markup.Split(list, ',') {
		sel = strings.TrimSpace(sel)
		if sel == "" || strings.ContainsAny(sel, "&<;@") || !markup.Balanced(sel) {
			continue
		}
		rest, own := strings.CutPrefix(sel, "#"+s.root)
		if own && rest != "" && isNameByte(rest[0]) {
			own = false
		}
		if !own {
			rest = " " + sel
		}
		// What follows the root's own compound must lead inside.
		i := markup.Stop(rest, " \t\r\n>+~|")
		next := strings.TrimLeft(rest[i:], " \t\r\n")
		if next != "" && strings.ContainsRune("+~|", rune(next[0])) {
			s.note("a style sheet's selector that reaches outside the picture")
			continue
		}
		kept = append(kept, "#"+s.root+s.renameIDs(rest))
	}
	return strings.Join(kept, ",")
}

func isNameByte(c byte) bool {
	return markup.IsLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '\\' || c >= 0x80
}

var selectorID = regexp.MustCompile(`#((?:[\w-]|\\.|[^\x00-\x7f])+)`)

// renameIDs gives the ids in a selector the names that they have in the output.
func (s *scrubber) renameIDs(selector string) string {
	return selectorID.ReplaceAllStringFunc(selector, func(m string) string {
		id := strings.ReplaceAll(m[1:], `\`, "")
		if !s.ids[id] {
			return m
		}
		return "#" + s.newID(id)
	})
}

// escapeProperties would let the picture leave its place in a page. mermaid's own
// style sheets have some, for tooltips that are not in the picture.
var escapeProperties = setOf("position z-index behavior -moz-binding cursor")

// declarations gives the declarations that may stay. What is nested goes.
func (s *scrubber) declarations(css string) string {
	css = markup.StripComments(css)
	var out strings.Builder
	for _, part := range markup.Split(css, ';') {
		property, value, ok := strings.Cut(part, ":")
		property, value = strings.TrimSpace(property), strings.TrimSpace(value)
		if !ok || value == "" || escapeProperties[strings.ToLower(property)] || !propertyName.MatchString(property) {
			continue
		}
		clean, ok := s.value(value)
		if !ok || strings.ContainsAny(clean, "{}") {
			s.note("a style that refers to something outside")
			continue
		}
		if strings.HasPrefix(strings.TrimPrefix(property, "-webkit-"), "animation") {
			clean = s.renameFrames(clean)
		}
		out.WriteString(property + ":" + clean + ";")
	}
	return out.String()
}

var (
	propertyName = regexp.MustCompile(`^-{0,2}[A-Za-z_][\w-]*$`)
	identifier   = regexp.MustCompile(`-?[A-Za-z_][\w-]*`)
)

func (s *scrubber) renameFrames(value string) string {
	return identifier.ReplaceAllStringFunc(value, func(name string) string {
		if s.frames[name] {
			return s.newID(name)
		}
		return name
	})
}

var (
	// reaching are functions and words that load or run something. Without
	// backslashes they cannot be spelt otherwise.
	reaching = regexp.MustCompile(`(?i)(?:expression|image|image-set|src|element|cross-fade|paint|attr|image-rect)\s*\(|javascript:|vbscript:|@import|-moz-binding|behavior\s*:`)
	anyURL   = regexp.MustCompile(`(?i)url\s*\(`)
	localURL = regexp.MustCompile(`(?i)url\(\s*(?:"\s*#([^"'()\s]+)\s*"|'\s*#([^"'()\s]+)\s*'|#([^"'()\s]+))\s*\)`)
)

// isTransform recognises translate(…) of numbers, which every shape has one of.
func isTransform(v string) bool {
	rest, ok := strings.CutPrefix(v, "translate(")
	return ok && strings.Trim(rest, "0123456789.,- e") == ")"
}

// value gives a CSS value with references into the picture renamed; false if it
// reaches outside, or is not sound.
func (s *scrubber) value(v string) (string, bool) {
	if !strings.ContainsAny(v, `\("':@[]{}`) {
		return v, true
	}
	if isTransform(v) {
		return v, true
	}
	if strings.Contains(v, `\`) || reaching.MatchString(v) || !markup.Balanced(v) {
		return "", false
	}
	if !anyURL.MatchString(v) {
		return v, true
	}
	if anyURL.MatchString(localURL.ReplaceAllString(v, "")) {
		return "", false
	}
	return localURL.ReplaceAllStringFunc(v, func(m string) string {
		g := localURL.FindStringSubmatch(m)
		return "url(#" + s.newID(g[1]+g[2]+g[3]) + ")"
	}), true
}
