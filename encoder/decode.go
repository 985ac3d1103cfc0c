package encoder

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxDecoded is how many bytes of text [Decode] is willing to produce, 1 MiB.
// A code of a few thousand characters can stand for hundreds of times its size.
const MaxDecoded = 1 << 20

// Decode returns the text behind a code or the URL of a diagram.
//
// It takes a bare code, or a URL on any server, with or without the scheme:
// the code is the last element of the path, after the format and perhaps a page
// number (/svg/CODE, /png/2/CODE). Query and fragment are ignored, percent
// escapes undone, and white space or angle brackets around the whole dropped.
// A code may start with ~0 (deflate, as without) or ~h (the text in
// hexadecimal). The zeros that fill its last group of four characters may be
// missing, there may be more of them, and Base64's '=' may stand in their place.
//
// The text comes back as it was encoded; nothing is added to one without
// @startuml. It is valid UTF-8 of at most [MaxDecoded] bytes.
//
// The error is an [*Error] whose offset counts in codeOrURL as it was passed.
func Decode(codeOrURL string) (string, error) {
	text, err := decode(codeOrURL)
	if err != nil {
		err.Op = opDecode
		return "", err
	}
	return text, nil
}

func decode(input string) (string, *Error) {
	trimmed := strings.TrimLeftFunc(input, isAround)
	start := len(input) - len(trimmed)
	trimmed = strings.TrimRightFunc(trimmed, isAround)
	if trimmed == "" {
		return "", &Error{
			Reason:  ReasonEmpty,
			Message: "there is no code",
			Hint:    "pass the code of a diagram or its URL",
		}
	}
	if isSource(trimmed) {
		return "", &Error{
			Reason:  ReasonSource,
			Message: "this is PlantUML text, not the code of one",
			Offset:  start,
			Hint:    "encode it, or pass the code of a diagram or its URL",
		}
	}
	at, length, err := findCode(trimmed)
	if err != nil {
		err.Offset += start
		return "", err
	}
	return newSpan(input, start+at, length).decode()
}

// isAround reports whether r may stand around a code or URL without meaning.
func isAround(r rune) bool {
	return unicode.IsSpace(r) || r == '<' || r == '>' || r == '\ufeff'
}

// isSource guesses whether s is a diagram: it starts like one, or has both white
// space and punctuation that neither a code nor a URL has.
func isSource(s string) bool {
	if strings.HasPrefix(s, "@") {
		return true
	}
	return !strings.Contains(s, "://") && strings.ContainsFunc(s, unicode.IsSpace) && strings.ContainsAny(s, ":>()[]{}\"")
}

// decode handles the prefix that names the encoding.
func (s span) decode() (string, *Error) {
	if !strings.HasPrefix(s.code, "~") {
		return s.decodeDeflate()
	}
	if len(s.code) == 1 {
		return "", &Error{
			Reason:  ReasonTruncated,
			Message: fmt.Sprintf("the code ends after '~' at offset %d", s.start),
			Offset:  s.start,
			Hint:    "copy the whole code",
		}
	}
	kind, size := utf8.DecodeRuneInString(s.code[1:])
	rest := s.cut(1 + size)
	if rest.code == "" && (kind == '0' || kind == 'h') {
		return "", &Error{
			Reason:  ReasonEmpty,
			Message: fmt.Sprintf("there is no code after ~%c", kind),
			Offset:  rest.start,
			Hint:    "copy the whole code",
		}
	}
	switch kind {
	case '0':
		return rest.decodeDeflate()
	case 'h':
		return rest.decodeHex()
	case '1':
		return "", &Error{
			Reason:  ReasonHuffman,
			Message: "the code starts with ~1: PlantUML's historical Huffman encoding is not supported",
			Offset:  s.start,
			Hint:    "open the link on a PlantUML server and copy the text there",
		}
	default:
		return "", &Error{
			Reason:  ReasonPrefix,
			Message: fmt.Sprintf("the code starts with ~%c, which names no known encoding", kind),
			Offset:  s.start,
			Hint:    "known are ~0 (deflate), also without any prefix, and ~h (hexadecimal)",
		}
	}
}

// notUTF8 makes the error for text with a bad byte; offset is where that byte
// comes from in what was passed.
func notUTF8(text string, bad, offset int) *Error {
	return &Error{
		Reason:  ReasonUTF8,
		Message: fmt.Sprintf("the decoded text is not valid UTF-8: byte %#02x at its offset %d", text[bad], bad),
		Offset:  offset,
		Hint:    "the code was made from something other than text, or from text in another encoding",
	}
}

// tooLarge makes the error for a code that begins at offset.
func tooLarge(offset int) *Error {
	return &Error{
		Reason:  ReasonTooLarge,
		Message: fmt.Sprintf("the text behind the code has more than %d bytes", MaxDecoded),
		Offset:  offset,
		Hint:    "no diagram is that large; do not trust where the code came from",
	}
}
