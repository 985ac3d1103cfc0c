package encoder

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A span is a code and the place it has in what was passed, which percent
// escapes make more than an offset.
type span struct {
	code  string // without percent escapes
	raw   string // with them
	start int    // offset of raw in what was passed
}

func newSpan(input string, start, length int) span {
	raw := input[start : start+length]
	return span{code: unescape(raw), raw: raw, start: start}
}

// cut drops the first n bytes of code.
func (s span) cut(n int) span {
	width := s.offset(n) - s.start
	return span{code: s.code[n:], raw: s.raw[width:], start: s.start + width}
}

// withoutPadding drops the one or two '=' that fill the last group of four:
// encoders that translate Base64 character by character leave them there, and
// PlantUML servers do not mind.
func (s span) withoutPadding() span {
	code := strings.TrimRight(s.code, "=")
	if n := len(s.code) - len(code); n > 2 || len(s.code)%4 != 0 {
		return s
	}
	return span{code: code, raw: s.raw[:s.offset(len(code))-s.start], start: s.start}
}

// offset returns where the byte at i in code is in what was passed.
func (s span) offset(i int) int {
	at := 0
	for ; i > 0; i-- {
		if isEscape(s.raw[at:]) {
			at += 2
		}
		at++
	}
	return s.start + at
}

// badCharacter makes the error for the character at i.
func (s span) badCharacter(i int, reason Reason, what, hint string) *Error {
	r, size := utf8.DecodeRuneInString(s.code[i:])
	shown := fmt.Sprintf("%q", r)
	if r == utf8.RuneError && size == 1 {
		shown = fmt.Sprintf("byte %#02x", s.code[i])
	}
	offset := s.offset(i)
	return &Error{
		Reason:  reason,
		Message: fmt.Sprintf("%s at offset %d %s", shown, offset, what),
		Offset:  offset,
		Hint:    hint,
	}
}

// characterHint guesses how a character got into a code.
func characterHint(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r == '=', r == '+', r == '/':
		return "this looks like ordinary Base64; a PlantUML code has another alphabet (0-9 A-Z a-z - _) and no padding"
	case unicode.IsSpace(r):
		return "join the parts of the code without white space"
	case r == '%':
		return "write percent escapes as % and two hexadecimal digits"
	default:
		return "copy the code again; it is made of 0-9 A-Z a-z - _ only"
	}
}

// isEscape reports whether s starts with a percent escape.
func isEscape(s string) bool {
	if len(s) < 3 || s[0] != '%' {
		return false
	}
	_, high := hexDigit(s[1])
	_, low := hexDigit(s[2])
	return high && low
}

// unescape undoes the percent escapes in s. What is no proper escape stays, and
// is refused later as the character it is.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if !isEscape(s[i:]) {
			b.WriteByte(s[i])
			continue
		}
		high, _ := hexDigit(s[i+1])
		low, _ := hexDigit(s[i+2])
		b.WriteByte(high<<4 | low)
		i += 2
	}
	return b.String()
}
