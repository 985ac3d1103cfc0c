package encoder

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// An inflater is what one call to Decode works with.
type inflater struct {
	data   []byte // the deflate stream and what follows it
	source bytes.Reader
	stream io.ReadCloser // from compress/flate; nil until first used
	text   []byte
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

func (f *inflater) release() {
	if cap(f.data) <= maxKept && cap(f.text) <= maxKept {
		inflaters.Put(f)
	}
}

// decodeDeflate decodes a code without its prefix.
func (s span) decodeDeflate() (string, *Error) {
	f := inflaters.Get().(*inflater)
	defer f.release()

	s = s.withoutPadding()
	if err := f.fill(s); err != nil {
		return "", err
	}
	if err := f.inflate(f.data); err != nil {
		return "", f.explain(s, err)
	}
	// Bytes after the stream are padding, as long as they are zero.
	rest := f.data[len(f.data)-f.source.Len():]
	if extra := bytes.TrimLeft(rest, "\x00"); len(extra) > 0 {
		offset := s.offsetOfByte(len(f.data) - len(extra))
		return "", &Error{
			Reason:  ReasonCorrupt,
			Message: fmt.Sprintf("something follows the end of the deflate stream, at offset %d", offset),
			Offset:  offset,
			Hint:    "drop what was appended to the code; an encoder must leave out zlib's checksum",
		}
	}
	text := string(f.text)
	if !utf8.ValidString(text) {
		return "", notUTF8(text, firstInvalid(text), -1)
	}
	return text, nil
}

// fill turns the characters of a code into bytes. A tail of two or three
// characters gives one or two bytes. A single character gives none: it can only
// be one zero too many.
func (f *inflater) fill(s span) *Error {
	f.data = f.data[:0]
	var group uint32
	for i := range len(s.code) {
		value, ok := sextet(s.code[i])
		if !ok {
			return s.badCharacter(i, ReasonCharacter, "is not in PlantUML's alphabet", characterHint(s.code[i:]))
		}
		group = group<<6 | uint32(value)
		if i%4 == 3 {
			f.data = append(f.data, byte(group>>16), byte(group>>8), byte(group))
			group = 0
		}
	}
	switch len(s.code) % 4 {
	case 1:
		if group != 0 {
			return &Error{
				Reason:  ReasonTruncated,
				Message: fmt.Sprintf("the code has %d characters: the last one stands for no whole byte", len(s.code)),
				Offset:  s.offset(len(s.code)),
				Hint:    "copy the whole code; the length of one is a multiple of four",
			}
		}
	case 2:
		f.data = append(f.data, byte(group>>4))
	case 3:
		f.data = append(f.data, byte(group>>10), byte(group>>2))
	}
	return nil
}

// errTooLarge reports that a stream holds more than MaxDecoded bytes.
var errTooLarge = errors.New("too large")

// inflate decompresses data into text. The byte reader makes sure that nothing
// beyond the end of the stream is consumed.
func (f *inflater) inflate(data []byte) error {
	f.source.Reset(data)
	if f.stream == nil {
		f.stream = flate.NewReader(&f.source)
	} else if err := f.stream.(flate.Resetter).Reset(&f.source, nil); err != nil {
		return err
	}
	if f.text == nil {
		f.text = make([]byte, 0, 4096)
	}
	f.text = f.text[:0]
	for {
		if len(f.text) == cap(f.text) {
			grown := make([]byte, len(f.text), min(2*cap(f.text), MaxDecoded+1))
			copy(grown, f.text)
			f.text = grown
		}
		n, err := f.stream.Read(f.text[len(f.text):cap(f.text)])
		f.text = f.text[:len(f.text)+n]
		switch {
		case len(f.text) > MaxDecoded:
			return errTooLarge
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// explain turns an error of inflate into one that says what the code is instead.
func (f *inflater) explain(s span, err error) *Error {
	if err == errTooLarge {
		return tooLarge(s.start)
	}
	if isZlib(f.data) {
		return &Error{
			Reason:  ReasonZlibHeader,
			Message: fmt.Sprintf("the code is a zlib stream (it starts with the bytes %#02x %#02x), PlantUML wants raw deflate", f.data[0], f.data[1]),
			Offset:  s.start,
			Hint:    "encode with raw deflate: deflateRaw, or window bits of -15",
		}
	}
	if isBase64Zlib(s.code) {
		return &Error{
			Reason:  ReasonZlibHeader,
			Message: "the code is ordinary Base64 of a zlib stream, as Kroki uses it, not a PlantUML code",
			Offset:  s.start,
			Hint:    "decode it with Base64 and zlib, or encode the text for PlantUML",
		}
	}
	if err == io.ErrUnexpectedEOF {
		return &Error{
			Reason:  ReasonTruncated,
			Message: fmt.Sprintf("the code ends too early, after %d bytes of text", len(f.text)),
			Offset:  s.offset(len(s.code)),
			Hint:    "copy the whole code",
		}
	}
	offset := -1
	message := "the code is no deflate stream"
	if corrupt := flate.CorruptInputError(0); errors.As(err, &corrupt) {
		offset = s.offsetOfByte(min(int(corrupt), len(f.data)))
		message = fmt.Sprintf("the code is no deflate stream: it goes wrong near offset %d, after %d bytes of text", offset, len(f.text))
	}
	return &Error{
		Reason:  ReasonCorrupt,
		Message: message,
		Offset:  offset,
		Hint:    "copy the code again; upper and lower case matter",
	}
}

// offsetOfByte returns where the character is that the i-th byte of the stream
// begins in.
func (s span) offsetOfByte(i int) int {
	return s.offset(min(i*8/6, len(s.code)))
}

// isZlib reports whether data starts with the header that zlib writes for its
// usual window (RFC 1950, section 2.2): 78 01, 78 5e, 78 9c or 78 da.
func isZlib(data []byte) bool {
	return len(data) >= 2 && data[0] == 0x78 && data[1]&0x20 == 0 && (0x7800+int(data[1]))%31 == 0
}

// isBase64Zlib reports whether code starts with such a header in Base64. As a
// PlantUML code it would be a stored block whose padding bits are not zero,
// which no compressor writes.
func isBase64Zlib(code string) bool {
	return len(code) >= 2 && code[0] == 'e' && strings.IndexByte("AFJN", code[1]) >= 0
}
