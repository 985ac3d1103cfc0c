package markup

import "strings"

// This file cuts CSS into pieces as its tokeniser would: no cut is in a string, in
// brackets, or at an escaped character. A string ends with its line at the latest.

// StripComments takes comments out; one that is not closed goes to the end.
func StripComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var out strings.Builder
	var quote byte
	for i := 0; i < len(css); i++ {
		c := css[i]
		switch {
		case c == '\\' && i+1 < len(css):
			out.WriteString(css[i : i+2])
			i++
			continue
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '/' && i+1 < len(css) && css[i+1] == '*':
			end := strings.Index(css[i+2:], "*/")
			if end < 0 {
				return out.String()
			}
			out.WriteByte(' ')
			i += 2 + end + 1
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

// Stop gives the index of the first of chars outside strings and brackets, or the
// length.
func Stop(css, chars string) int {
	var quote byte
	depth := 0
	for i := 0; i < len(css); i++ {
		c := css[i]
		switch {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case depth == 0 && strings.IndexByte(chars, c) >= 0:
			return i
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case (c == ')' || c == ']') && depth > 0:
			depth--
		}
	}
	return len(css)
}

// Block gives what stands before the } that closes a block, and what after it.
func Block(css string) (body, rest string) {
	depth := 1
	for i := 0; i < len(css); i++ {
		n := Stop(css[i:], "{}")
		i += n
		if i >= len(css) {
			break
		}
		if css[i] == '{' {
			depth++
		} else if depth--; depth == 0 {
			return css[:i], css[i+1:]
		}
	}
	return css, ""
}

// Split cuts at each sep.
func Split(css string, sep byte) []string {
	var parts []string
	for {
		i := Stop(css, string(sep))
		parts = append(parts, css[:i])
		if i == len(css) {
			return parts
		}
		css = css[i+1:]
	}
}

// Balanced reports whether every string and bracket in css is closed, so that it
// cannot swallow what is written behind it.
func Balanced(css string) bool {
	var quote byte
	var open []byte
	for i := 0; i < len(css); i++ {
		c := css[i]
		switch {
		case c == '\\':
			i++
			if i == len(css) {
				return false
			}
		case quote != 0:
			if c == '\n' {
				return false
			}
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			open = append(open, ')')
		case c == '[':
			open = append(open, ']')
		case c == '{':
			open = append(open, '}')
		case c == ')' || c == ']' || c == '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return quote == 0 && len(open) == 0
}
