package markup

import (
	"html"
	"strings"
)

// Kind says what a token is.
type Kind uint8

// The kinds of token.
const (
	TextToken Kind = iota
	StartToken
	EndToken
)

// Token is a piece of markup. Entities in text and values are resolved.
type Token struct {
	Kind  Kind
	Name  string
	Text  string
	Attrs []Attr
	Empty bool // the tag closes itself
}

// Attr is an attribute.
type Attr struct{ Name, Value string }

// Scanner cuts markup into tokens, XML as well as the HTML that browsers write for
// SVG. It never fails: what is no tag is text, and comments, declarations and
// processing instructions are skipped.
type Scanner struct {
	Src string
	Pos int
}

// Next returns false at the end.
func (s *Scanner) Next() (Token, bool) {
	for s.Pos < len(s.Src) {
		rest := s.Src[s.Pos:]
		if rest[0] != '<' {
			end := strings.IndexByte(rest, '<')
			if end < 0 {
				end = len(rest)
			}
			s.Pos += end
			return Token{Text: resolve(rest[:end])}, true
		}
		switch {
		case strings.HasPrefix(rest, "<!--"):
			s.skipTo(4, "-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			start := s.Pos + len("<![CDATA[")
			s.skipTo(len("<![CDATA["), "]]>")
			return Token{Text: onlyXML(strings.TrimSuffix(s.Src[start:s.Pos], "]]>"))}, true
		case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
			s.skipTo(2, ">")
		case len(rest) > 2 && rest[1] == '/' && IsLetter(rest[2]):
			s.Pos += 2
			t := Token{Kind: EndToken, Name: s.name()}
			s.skipTo(0, ">")
			return t, true
		case len(rest) > 1 && IsLetter(rest[1]):
			s.Pos++
			return s.start(), true
		default:
			s.Pos++
			return Token{Text: "<"}, true
		}
	}
	return Token{}, false
}

// skipTo moves behind the next end that is at least from bytes ahead, or to the end.
func (s *Scanner) skipTo(from int, end string) {
	i := strings.Index(s.Src[s.Pos+from:], end)
	if i < 0 {
		s.Pos = len(s.Src)
		return
	}
	s.Pos += from + i + len(end)
}

func (s *Scanner) name() string {
	start := s.Pos
	for s.Pos < len(s.Src) && !IsSpace(s.Src[s.Pos]) && s.Src[s.Pos] != '>' && s.Src[s.Pos] != '/' {
		s.Pos++
	}
	return s.Src[start:s.Pos]
}

func (s *Scanner) start() Token {
	t := Token{Kind: StartToken, Name: s.name()}
	for {
		s.space()
		if s.Pos >= len(s.Src) {
			return t
		}
		switch s.Src[s.Pos] {
		case '>':
			s.Pos++
			return t
		case '/':
			s.Pos++
			if s.Pos < len(s.Src) && s.Src[s.Pos] == '>' {
				s.Pos++
				t.Empty = true
				return t
			}
		default:
			t.Attrs = append(t.Attrs, s.attr())
		}
	}
}

func (s *Scanner) attr() Attr {
	start := s.Pos
	s.Pos++ // whatever it is, so that there is always progress
	for s.Pos < len(s.Src) && !IsSpace(s.Src[s.Pos]) && !strings.ContainsRune("=>/", rune(s.Src[s.Pos])) {
		s.Pos++
	}
	a := Attr{Name: s.Src[start:s.Pos]}
	s.space()
	if s.Pos >= len(s.Src) || s.Src[s.Pos] != '=' {
		return a
	}
	s.Pos++
	s.space()
	if s.Pos >= len(s.Src) {
		return a
	}
	if quote := s.Src[s.Pos]; quote == '"' || quote == '\'' {
		s.Pos++
		end := strings.IndexByte(s.Src[s.Pos:], quote)
		if end < 0 {
			end = len(s.Src) - s.Pos
		}
		a.Value = resolve(s.Src[s.Pos : s.Pos+end])
		s.Pos = min(s.Pos+end+1, len(s.Src))
		return a
	}
	start = s.Pos
	for s.Pos < len(s.Src) && !IsSpace(s.Src[s.Pos]) && s.Src[s.Pos] != '>' {
		s.Pos++
	}
	a.Value = resolve(s.Src[start:s.Pos])
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

func (s *Scanner) space() {
	for s.Pos < len(s.Src) && IsSpace(s.Src[s.Pos]) {
		s.Pos++
	}
}

// IsSpace reports whether c is white space in markup and CSS.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// isXML reports whether r is a character in XML.
func isXML(r rune) bool {
	return r == '\n' || r == '\r' || r == '\t' || r >= ' ' && r != 0x7f && r != 0xfffe && r != 0xffff
}
