package svgout

import (
	"html"
	"strings"
)

type kind uint8

const (
	textToken kind = iota
	startToken
	endToken
)

// token is a piece of markup. Entities in text and values are resolved.
type token struct {
	kind  kind
	name  string
	text  string
	attrs []attr
	empty bool // the tag closes itself
}

type attr struct{ name, value string }

// scanner cuts markup into tokens, XML as well as the HTML that browsers write for
// SVG. It never fails: what is no tag is text, and comments, declarations and
// processing instructions are skipped.
type scanner struct {
	src string
	pos int
}

// next returns false at the end.
func (s *scanner) next() (token, bool) {
	for s.pos < len(s.src) {
		rest := s.src[s.pos:]
		if rest[0] != '<' {
			end := strings.IndexByte(rest, '<')
			if end < 0 {
				end = len(rest)
			}
			s.pos += end
			return token{text: resolve(rest[:end])}, true
		}
		switch {
		case strings.HasPrefix(rest, "<!--"):
			s.skipTo(4, "-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			start := s.pos + len("<![CDATA[")
			s.skipTo(len("<![CDATA["), "]]>")
			return token{text: onlyXML(strings.TrimSuffix(s.src[start:s.pos], "]]>"))}, true
		case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
			s.skipTo(2, ">")
		case len(rest) > 2 && rest[1] == '/' && isLetter(rest[2]):
			s.pos += 2
			t := token{kind: endToken, name: s.name()}
			s.skipTo(0, ">")
			return t, true
		case len(rest) > 1 && isLetter(rest[1]):
			s.pos++
			return s.start(), true
		default:
			s.pos++
			return token{text: "<"}, true
		}
	}
	return token{}, false
}

// skipTo moves behind the next end that is at least from bytes ahead, or to the end.
func (s *scanner) skipTo(from int, end string) {
	i := strings.Index(s.src[s.pos+from:], end)
	if i < 0 {
		s.pos = len(s.src)
		return
	}
	s.pos += from + i + len(end)
}

func (s *scanner) name() string {
	start := s.pos
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && s.src[s.pos] != '>' && s.src[s.pos] != '/' {
		s.pos++
	}
	return s.src[start:s.pos]
}

func (s *scanner) start() token {
	t := token{kind: startToken, name: s.name()}
	for {
		s.space()
		if s.pos >= len(s.src) {
			return t
		}
		switch s.src[s.pos] {
		case '>':
			s.pos++
			return t
		case '/':
			s.pos++
			if s.pos < len(s.src) && s.src[s.pos] == '>' {
				s.pos++
				t.empty = true
				return t
			}
		default:
			t.attrs = append(t.attrs, s.attr())
		}
	}
}

func (s *scanner) attr() attr {
	start := s.pos
	s.pos++ // whatever it is, so that there is always progress
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && !strings.ContainsRune("=>/", rune(s.src[s.pos])) {
		s.pos++
	}
	a := attr{name: s.src[start:s.pos]}
	s.space()
	if s.pos >= len(s.src) || s.src[s.pos] != '=' {
		return a
	}
	s.pos++
	s.space()
	if s.pos >= len(s.src) {
		return a
	}
	if quote := s.src[s.pos]; quote == '"' || quote == '\'' {
		s.pos++
		end := strings.IndexByte(s.src[s.pos:], quote)
		if end < 0 {
			end = len(s.src) - s.pos
		}
		a.value = resolve(s.src[s.pos : s.pos+end])
		s.pos = min(s.pos+end+1, len(s.src))
		return a
	}
	start = s.pos
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && s.src[s.pos] != '>' {
		s.pos++
	}
	a.value = resolve(s.src[start:s.pos])
	return a
}

// resolve resolves entities.
func resolve(text string) string { return onlyXML(html.UnescapeString(text)) }

// onlyXML drops what XML has no way to write. That must happen before anything looks
// at the text: u, NUL, rl( would be url( afterwards.
func onlyXML(text string) string {
	return strings.Map(func(r rune) rune {
		if isXML(r) {
			return r
		}
		return -1
	}, text)
}

func (s *scanner) space() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
}

func isSpace(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
