package wirejson

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a string value that passed [Check]. ok is false when it
// escapes a UTF-16 surrogate without its other half ("\ud800"), which no UTF-8
// text can hold; offset is then where in value the escape stands.
func Unquote(value []byte) (s string, offset int, ok bool) {
	value = bytes.TrimSpace(value)
	body := value[1 : len(value)-1]
	next := bytes.IndexByte(body, '\\')
	if next < 0 {
		return string(body), 0, true
	}
	var b strings.Builder
	b.Grow(len(body))
	for i := 0; ; {
		if next < 0 {
			b.Write(body[i:])
			return b.String(), 0, true
		}
		b.Write(body[i : i+next])
		i += next
		r, n := unescape(body[i:])
		if n == 0 {
			return "", i + 1, false
		}
		b.WriteRune(r)
		i += n
		next = bytes.IndexByte(body[i:], '\\')
	}
}

// unescape decodes the escape sequence that b starts with; n is 0 for a lone
// surrogate.
func unescape(b []byte) (r rune, n int) {
	switch b[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return rune(b[1]), 2
	}
	r, _ = hex4(b[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if low, ok := hex4(b[8:]); ok {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				return r, 12
			}
		}
	}
	return 0, 0
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// LoneSurrogate returns where a text that passed [Check] escapes half of a
// surrogate pair, or -1.
func LoneSurrogate(text []byte) int {
	for i := 0; ; {
		next := bytes.IndexByte(text[i:], '\\')
		if next < 0 {
			return -1
		}
		i += next
		_, n := unescape(text[i:])
		if n == 0 {
			return i
		}
		i += n
	}
}

// unquoteKey decodes a member name; a lone surrogate becomes U+FFFD, and so a
// name that nobody asks for.
func unquoteKey(key []byte) string {
	if s, _, ok := Unquote(key); ok {
		return s
	}
	return "\uFFFD"
}
