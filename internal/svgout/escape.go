package svgout

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// context says where text is written.
type context uint8

const (
	inText context = iota
	inAttribute
	inCSS
)

// alarming is text that means nothing in text, but that a search for scripts finds.
var alarming = regexp.MustCompile(`(?i)(?:javascript|vbscript|data)\s*:|url\s*\(|\b(?:on[a-z]+|src|srcset)\s*=|expression\s*\(|@import|-moz-binding`)

// writeEscaped writes text for XML; in HTML it means the same. Alarming text is
// written with a character reference, but for url(#…), and in CSS, which has been
// looked at.
func writeEscaped(b *strings.Builder, text string, in context) {
	var marks [][]int
	// Each alternative of alarming has one of these; most text has none.
	if in != inCSS && strings.ContainsAny(text, ":(=@-") {
		marks = alarming.FindAllStringIndex(text, -1)
	}
	if marks == nil && isPlain(text) {
		b.WriteString(text)
		return
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		for len(marks) > 0 && i >= marks[0][1] {
			marks = marks[1:]
		}
		defuse := len(marks) > 0 && i == marks[0][1]-1 && !strings.HasPrefix(text[i:], "(#")
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"' && in == inAttribute:
			b.WriteString("&quot;")
		case r == '\r', (r == '\n' || r == '\t') && in == inAttribute, defuse:
			fmt.Fprintf(b, "&#%d;", r)
		default:
			b.WriteRune(r) // U+FFFD for what is no UTF-8
		}
		i += size
	}
}

// isPlain reports whether text is ASCII without anything to escape anywhere.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '&' || c == '<' || c == '>' || c == '"' {
			return false
		}
	}
	return true
}
