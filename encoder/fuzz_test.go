package encoder_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webodar/webodar/encoder"
)

// FuzzRoundTrip: what is encoded is a code, any inflater reads it, and Decode
// gives the text back.
func FuzzRoundTrip(f *testing.F) {
	for _, text := range []string{"", "a", actorsText, helloText, "é€😀", "\x00\x00\x00\x00", strings.Repeat("ab", 300), "\xff"} {
		f.Add(text)
	}
	r := newRand(1)
	for _, k := range kinds {
		f.Add(k.make(r, 500))
	}
	f.Fuzz(func(t *testing.T, text string) {
		code, err := encoder.Encode(text)
		if !utf8.ValidString(text) {
			checkError(t, err, "encode", encoder.ReasonUTF8, invalidAt(text))
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(code) == 0 || len(code)%4 != 0 {
			t.Errorf("the code has %d characters", len(code))
		}
		raw, err := plantumlAlphabet.DecodeString(code)
		if err != nil {
			t.Fatalf("alphabet: %v", err)
		}
		inflated, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
		if err != nil || string(inflated) != text {
			t.Errorf("compress/flate: got %q, %v", inflated, err)
		}
		decoded, err := encoder.Decode(code)
		if len(text) > encoder.MaxDecoded {
			checkError(t, err, "decode", encoder.ReasonTooLarge, 0)
			return
		}
		if err != nil || decoded != text {
			t.Errorf("Decode: got %q, %v", decoded, err)
		}
	})
}

func invalidAt(text string) int {
	for i := 0; ; {
		_, size := utf8.DecodeRuneInString(text[i:])
		if !utf8.ValidString(text[i : i+size]) {
			return i
		}
		i += size
	}
}

// FuzzDecode: any input gives a text within the limit that can be encoded again,
// or an error that points into the input.
func FuzzDecode(f *testing.F) {
	for _, input := range []string{
		"", " ", "~", "~0", "~1x", "~.", "~h41", "~h4", "~hé", "%7Eh%34%31", "0m00", helloCode, helloText, actorsCode + "0",
		"https://www.plantuml.com/plantuml/svg/" + helloCode + "?a#b", "www.plantuml.com/plantuml/png/2/" + actorsCode,
		"https://", "//", "/svg/", "proxy/x", "U9o5", "eJxLLSMuSS4BAC5BBzA=", "<SoWk>", "SoWk%3", "SoWk\xff", "\ufeff",
	} {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input string) {
		text, err := encoder.Decode(input)
		if err != nil {
			var e *encoder.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v is no *encoder.Error", err)
			}
			checkError(t, err, "decode", e.Reason, e.Offset)
			if e.Offset < -1 || e.Offset > len(input) {
				t.Errorf("%v: offset %d is not in the input of %d bytes", err, e.Offset, len(input))
			}
			return
		}
		if len(text) > encoder.MaxDecoded {
			t.Fatalf("%d bytes of text", len(text))
		}
		again, err := encoder.Decode(mustEncode(t, text))
		if err != nil || again != text {
			t.Errorf("decoded again: got %q, %v, want %q", again, err, text)
		}
	})
}
