package pack

import (
	"regexp"
	"strings"
)

var lastNumber = regexp.MustCompile(`^, \d+$`)

// unwrap replaces the calls f(EXPRESSION, NUMBER) by (EXPRESSION), and tells how many
// there were. It reads brackets and strings, and leaves a call alone in which it loses
// its way; regular expressions it does not know.
func unwrap(text, f string) (string, int) {
	var out strings.Builder
	n, from := 0, 0
	open := f + "("
	// Calls stand in each other's arguments: those are come upon next, for what
	// was written is the opening bracket alone. The ends wait on the stack.
	type end struct{ at, skip int }
	var ends []end
	flush := func(until int) {
		for len(ends) > 0 && ends[len(ends)-1].at < until {
			e := ends[len(ends)-1]
			ends = ends[:len(ends)-1]
			out.WriteString(text[from:e.at])
			from = e.at + e.skip
		}
	}
	for i := 0; ; {
		next := strings.Index(text[i:], open)
		if next < 0 {
			break
		}
		at := i + next
		i = at + len(open)
		if at > 0 && (isWord(text[at-1]) || text[at-1] == '.') {
			continue
		}
		comma, closing := argumentsEnd(text, i)
		if comma < 0 || !lastNumber.MatchString(text[comma:closing]) {
			continue
		}
		flush(at)
		out.WriteString(text[from:at])
		from = at + len(f)
		ends = append(ends, end{comma, closing - comma})
		n++
	}
	flush(len(text))
	out.WriteString(text[from:])
	return out.String(), n
}

// argumentsEnd gives where the last comma of the arguments that begin at i is, and the
// bracket that closes them; -1 where there is none.
func argumentsEnd(text string, i int) (comma, closing int) {
	comma = -1
	for depth := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return comma, i
			}
			depth--
		case ',':
			if depth == 0 {
				comma = i
			}
		case '"', '\'', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1, -1
}
