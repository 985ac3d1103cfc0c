// Package wirejson reads JSON as it comes off a wire: it says exactly where a
// text is broken, and takes members out of a sound one without decoding it.
//
//	if err := wirejson.Check(data, 200); err != nil {
//		fmt.Println(err.Line, err.Column, err.Message)
//	}
//	for key, value := range wirejson.Members(data) { … }
//
// encoding/json replaces invalid UTF-8 and lone surrogates silently, matches
// names in any case and reports no column; the doors must do none of that. The
// package does not decode values into Go types: use encoding/json on a text
// that passed [Check].
package wirejson

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

// Reason is the class of an [Error].
type Reason int

// The reasons why a text is refused.
const (
	Syntax    Reason = iota // not JSON, or more than one value
	Truncated               // ends within a value
	UTF8                    // not UTF-8
	Depth                   // nested too deep
)

// Error says why and where a text is not acceptable JSON.
type Error struct {
	Reason Reason
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // in characters, from 1
	// Near is the text around Offset, at most some 40 characters.
	Near    string
	Message string // without the position
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Check reports whether data is exactly one JSON value (RFC 8259) in UTF-8,
// with arrays and objects nested at most maxDepth deep; nil means it is.
func Check(data []byte, maxDepth int) *Error {
	if !utf8.Valid(data) {
		i := invalidUTF8(data)
		return newError(data, UTF8, i, fmt.Sprintf("byte 0x%02x is not valid UTF-8", data[i]))
	}
	s := scanner{data: data, maxDepth: maxDepth}
	if !s.value() {
		return s.err
	}
	if s.space(); s.i < len(data) {
		return newError(data, Syntax, s.i, "text after the end of the JSON value, "+describe(data, s.i))
	}
	return nil
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

func newError(data []byte, reason Reason, offset int, message string) *Error {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	// Take some characters on either side, not cutting one in half.
	from, to := max(start, offset-20), min(len(data), offset+20)
	for from < offset && !utf8.RuneStart(data[from]) {
		from++
	}
	for to < len(data) && !utf8.RuneStart(data[to]) {
		to++
	}
	if end := bytes.IndexByte(data[offset:to], '\n'); end >= 0 {
		to = offset + end
	}
	return &Error{
		Reason: reason, Offset: offset,
		Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[start:]),
		Near:    strings.ToValidUTF8(string(data[from:to]), "\uFFFD"),
		Message: message,
	}
}

// describe says what stands at i, for a message.
func describe(data []byte, i int) string {
	if i >= len(data) {
		return "the text ends"
	}
	r, _ := utf8.DecodeRune(data[i:])
	if r == '\uFEFF' {
		return "a byte order mark"
	}
	return fmt.Sprintf("%q", r)
}

// Kind returns the first byte of a value that passed [Check], which tells its
// type: one of { [ " t f n, or 0 for a number.
func Kind(value []byte) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) == 0 {
		return 0
	}
	switch c := value[0]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	}
	return 0
}

// TypeName names a value's JSON type.
func TypeName(value []byte) string {
	switch Kind(value) {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// Members yields the members of an object that passed [Check], in order: keys
// unquoted, values as they stand in object. It yields nothing for another type.
func Members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		s := scanner{data: object}
		if s.space(); s.peek() != '{' {
			return
		}
		for s.i++; ; s.i++ {
			s.space()
			if s.peek() != '"' {
				return
			}
			start := s.i
			s.skip()
			key := object[start:s.i]
			s.space()
			s.i++ // the colon
			s.space()
			start = s.i
			s.skip()
			if !yield(unquoteKey(key), object[start:s.i]) {
				return
			}
			if s.space(); s.peek() != ',' {
				return
			}
		}
	}
}

// Elements yields the elements of an array that passed [Check].
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s := scanner{data: array}
		if s.space(); s.peek() != '[' {
			return
		}
		for s.i++; ; s.i++ {
			s.space()
			if c := s.peek(); c == ']' || c == 0 {
				return
			}
			start := s.i
			s.skip()
			if !yield(array[start:s.i]) {
				return
			}
			if s.space(); s.peek() != ',' {
				return
			}
		}
	}
}
