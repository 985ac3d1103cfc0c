package main

// plainJSON turns JSON with comments and trailing commas, as VS Code and some
// other clients allow it, into JSON. What is left out becomes spaces, so that
// offsets in errors stay true. What is broken otherwise stays so.
func plainJSON(text []byte) []byte {
	out := []byte(string(text))
	if len(out) >= 3 && string(out[:3]) == "\xef\xbb\xbf" {
		copy(out, "   ")
	}
	comma := -1 // the last comma with nothing but space after it
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			i, comma = endOfString(out, i), -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := endOfComment(out, i)
			blank(out[i:end])
			i = end
		case c == ',':
			comma = i
			i++
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
			i++
		default:
			if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
				comma = -1
			}
			i++
		}
	}
	return out
}

// endOfString returns where the string that starts at i is over.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// endOfComment returns where the comment that starts at i is over.
func endOfComment(text []byte, i int) int {
	block := text[i+1] == '*'
	for i += 2; i < len(text); i++ {
		switch {
		case !block && text[i] == '\n':
			return i
		case block && text[i] == '*' && i+1 < len(text) && text[i+1] == '/':
			return i + 2
		}
	}
	return len(text)
}

// blank keeps line breaks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
