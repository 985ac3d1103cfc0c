package pack

import "strings"

// assignments counts, by name, how often a variable is assigned beyond its
// declarations. It reads text as tokens only as far as that takes, strings and
// comments included, so it may count too much, never too little; and it takes
// variables of the same name in inner scopes for one.
func assignments(text string) map[string]int {
	counts := map[string]int{}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '=':
			if i+1 < len(text) && (text[i+1] == '=' || text[i+1] == '>') {
				i++ // a comparison or an arrow; the third = of === falls to the check below
				continue
			}
			end := i
			for end > 0 && strings.IndexByte("+-*/%&|^<>?", text[end-1]) >= 0 {
				end--
			}
			if end > 0 && (text[end-1] == '=' || text[end-1] == '!') {
				continue
			}
			if op := text[end:i]; op == "<" || op == ">" {
				continue // a comparison
			}
			name, before := identifierBefore(text, end)
			if name != "" && !(end == i && declares(before)) {
				counts[name]++
			}
		case strings.HasPrefix(text[i:], "++"), strings.HasPrefix(text[i:], "--"):
			if name, _ := identifierBefore(text, i); name != "" {
				counts[name]++
			}
			if name := identifierAfter(text[i+2:]); name != "" {
				counts[name]++
			}
			i++
		}
	}
	return counts
}

// identifierBefore returns the identifier that ends before end, white space apart,
// and the text before it. A property (after a dot) is none.
func identifierBefore(text string, end int) (name, before string) {
	for end > 0 && isSpace(text[end-1]) {
		end--
	}
	start := end
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	if start == end || start > 0 && text[start-1] == '.' {
		return "", ""
	}
	return text[start:end], text[:start]
}

func identifierAfter(text string) string {
	end := 0
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return text[:end]
}

// declares reports whether what stands before a name declares it. After a comma a
// name may be one of a declaration's, a default of a parameter, or assigned in a
// sequence; the last is taken for the first.
func declares(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	for _, word := range []string{"var", "let", "const", "class"} {
		if rest, ok := strings.CutSuffix(before, word); ok && (rest == "" || !isWord(rest[len(rest)-1])) {
			return true
		}
	}
	return strings.HasSuffix(before, ",")
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
