package encoder

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// maxText bounds the texts Encode takes, so that positions in it always fit
// into 32 bits. It is far beyond what fits into a URL.
const maxText = 1 << 30

// A session is what one call to Encode works with.
type session struct {
	deflater deflater
	chars    []byte
}

// sessions keeps them for the next call: a fresh one costs more than the
// encoding of a usual diagram.
var sessions = sync.Pool{New: func() any { return new(session) }}

// maxKept bounds the buffers that a session in the pool may hold on to.
const maxKept = 1 << 20

func (s *session) release() {
	if cap(s.deflater.text) <= maxKept && cap(s.deflater.out.buf) <= maxKept && cap(s.chars) <= maxKept {
		sessions.Put(s)
	}
}

// Encode returns the code for text: its raw deflate bytes, equal to zlib's at
// level 9, in PlantUML's alphabet. The length of the code is a multiple of four
// and never zero; an empty text is encodable.
//
// The error is an [*Error] with [ReasonUTF8] and the offset of the first bad
// byte if text is not valid UTF-8, or [ReasonTooLarge] beyond 1 GiB. Note that
// [Decode] refuses the codes of texts longer than [MaxDecoded].
func Encode(text string) (string, error) {
	s := sessions.Get().(*session)
	defer s.release()
	chars, err := s.appendCode(s.chars[:0], text)
	if err != nil {
		return "", err
	}
	s.chars = chars
	return string(chars), nil
}

// AppendEncode appends the code for text to dst and returns the extended slice.
// It is [Encode] without an allocation, if dst has room. On an error dst is
// returned as it was.
func AppendEncode(dst []byte, text string) ([]byte, error) {
	s := sessions.Get().(*session)
	defer s.release()
	return s.appendCode(dst, text)
}

func (s *session) appendCode(dst []byte, text string) ([]byte, error) {
	if err := checkText(text); err != nil {
		return dst, err
	}
	return appendSextets(dst, s.deflater.deflate(text)), nil
}

// checkText returns an error (nil or an *Error) for text that is not encodable.
func checkText(text string) error {
	if len(text) > maxText {
		return &Error{
			Op:      opEncode,
			Reason:  ReasonTooLarge,
			Message: fmt.Sprintf("the text has %d bytes, more than the %d that can be encoded", len(text), maxText),
			Offset:  maxText,
			Hint:    "split the diagram",
		}
	}
	if utf8.ValidString(text) {
		return nil
	}
	bad := firstInvalid(text)
	return &Error{
		Op:      opEncode,
		Reason:  ReasonUTF8,
		Message: fmt.Sprintf("the text is not valid UTF-8: byte %#02x at offset %d", text[bad], bad),
		Offset:  bad,
		Hint:    "convert the text to UTF-8 first",
	}
}

// firstInvalid returns the offset of the first byte in text that is not part of
// a character in UTF-8, or -1.
func firstInvalid(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}
