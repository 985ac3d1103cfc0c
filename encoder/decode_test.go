package encoder_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/encoder"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct{ name, input, want string }{
		{"code", helloCode, helloText},
		{"empty text", "0m00", ""},
		{"deflate prefix", "~0" + helloCode, helloText},
		{"hexadecimal", "~h407374617274756d6c", "@startuml"},
		{"hexadecimal, upper case", "~hC3A9", "é"},
		{"escaped prefix", "%7E0" + helloCode, helloText},
		{"escaped hexadecimal", "%7eh4%31", "A"},

		{"one zero too many", helloCode + "0", helloText},
		{"many zeros too many", helloCode + strings.Repeat("0", 41), helloText},

		{"white space around", "\n\t " + helloCode + " \r\n", helloText},
		{"angle brackets", "<https://www.plantuml.com/plantuml/uml/" + helloCode + ">", helloText},
		{"byte order mark", "\ufeff" + helloCode, helloText},
		{"no-break space", "\u00a0" + helloCode, helloText},

		{"url", "https://www.plantuml.com/plantuml/svg/" + helloCode, helloText},
		{"http", "http://www.plantuml.com/plantuml/png/" + helloCode, helloText},
		{"upper case scheme", "HTTPS://WWW.PLANTUML.COM/plantuml/png/" + helloCode, helloText},
		{"no scheme", "www.plantuml.com/plantuml/txt/" + helloCode, helloText},
		{"scheme of the page", "//www.plantuml.com/plantuml/txt/" + helloCode, helloText},
		{"path only", "/plantuml/utxt/" + helloCode, helloText},
		{"path without slash", "svg/" + helloCode, helloText},
		{"local server", "http://localhost:8080/uml/" + helloCode, helloText},
		{"local server, no scheme", "localhost:8080/uml/" + helloCode, helloText},
		{"context path", "https://example.com/tools/uml/img/" + helloCode, helloText},
		{"host named like a format", "https://svg/map/" + helloCode, helloText},
		{"unknown format", "https://example.com/render/" + helloCode, helloText},
		{"no format", "https://example.com/" + helloCode, helloText},
		{"eps", "https://example.com/eps/" + helloCode, helloText},
		{"pdf", "https://example.com/pdf/" + helloCode, helloText},
		{"latex", "https://example.com/latex/" + helloCode, helloText},
		{"check", "https://example.com/check/" + helloCode, helloText},
		{"metadata", "https://example.com/metadata/" + helloCode, helloText},
		{"page", "https://www.plantuml.com/plantuml/png/2/" + helloCode, helloText},
		{"page 0", "/plantuml/svg/0/" + helloCode, helloText},
		{"query", "https://www.plantuml.com/plantuml/svg/" + helloCode + "?a=/b/c", helloText},
		{"fragment", "https://www.plantuml.com/plantuml/svg/" + helloCode + "#/x", helloText},
		{"session id", "/plantuml/svg/" + helloCode + ";jsessionid=1", helloText},
		{"slash at the end", "https://www.plantuml.com/plantuml/svg/" + helloCode + "/", helloText},
		{"prefix in a url", "https://www.plantuml.com/plantuml/svg/~h41", "A"},
		{"escapes in a url", "https://www.plantuml.com/plantuml/svg/%7E0%53" + helloCode[1:], helloText},

		{"no @startuml", mustEncode(t, "Bob -> Alice"), "Bob -> Alice"},
		{"other compressor", plantumlBase64(rawDeflate(t, helloText)), helloText},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := encoder.Decode(test.input)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	const server = "https://www.plantuml.com/plantuml/"
	for _, test := range []struct {
		name, input string
		reason      encoder.Reason
		offset      int
	}{
		{"nothing", "", encoder.ReasonEmpty, 0},
		{"white space", " \n\u00a0", encoder.ReasonEmpty, 0},
		{"brackets", "<>", encoder.ReasonEmpty, 0},
		{"only the prefix", "~0", encoder.ReasonEmpty, 2},
		{"only the hex prefix", "svg/~h", encoder.ReasonEmpty, 6},
		{"only a tilde", " ~ ", encoder.ReasonTruncated, 1},

		{"a diagram", " " + helloText, encoder.ReasonSource, 1},
		{"a line of a diagram", "Bob -> Alice : hello", encoder.ReasonSource, 0},
		{"another diagram", "@startmindmap", encoder.ReasonSource, 0},

		{"url without code", server + "uml/", encoder.ReasonNoCode, 37},
		{"url without code or slash", server + "uml", encoder.ReasonNoCode, 37},
		{"url of the server", "https://www.plantuml.com/plantuml", encoder.ReasonNoCode, 33},
		{"url of the host", "https://www.plantuml.com/", encoder.ReasonNoCode, 24},
		{"url of the host, no slash", "https://www.plantuml.com", encoder.ReasonNoCode, 24},
		{"scheme only", "https://", encoder.ReasonNoCode, 8},
		{"page without code", server + "png/2", encoder.ReasonNoCode, 39},
		{"proxy", server + "proxy?src=https://example.com/a.puml", encoder.ReasonNoCode, 39},
		{"code in the query", server + "svg?" + helloCode, encoder.ReasonNoCode, 37},

		{"huffman", "~1UDfqoKYcAwYFu", encoder.ReasonHuffman, 0},
		{"huffman in a url", server + "svg/%7E1UDfqoKYcAwYFu", encoder.ReasonHuffman, 38},
		{"unknown prefix", "~zabc", encoder.ReasonPrefix, 0},

		{"padding", "<" + helloCode + "==>", encoder.ReasonCharacter, 1 + len(helloCode)},
		{"plus", "SoWk+Img", encoder.ReasonCharacter, 4},
		{"slash", "SoWkI/mg", encoder.ReasonCharacter, 5},
		{"base64", "eJxLLSMuSS4BAC5BBzA=", encoder.ReasonZlibHeader, 0},
		{"white space inside", "SoWk\nIImg", encoder.ReasonCharacter, 4},
		{"ellipsis", "SoWkIImg…", encoder.ReasonCharacter, 8},
		{"not utf-8", "SoWk\xff", encoder.ReasonCharacter, 4},
		{"bad escape", "SoWk%zz", encoder.ReasonCharacter, 4},
		{"after an escape", server + "svg/%53oWk!", encoder.ReasonCharacter, 38 + 6},
		{"escaped character", server + "svg/SoWk%3D", encoder.ReasonCharacter, 38 + 4},
		{"tilde inside", "SoWk~0", encoder.ReasonCharacter, 4},

		{"not hexadecimal", "~h41g1", encoder.ReasonHex, 4},
		{"odd hexadecimal", "~h414", encoder.ReasonTruncated, 5},
		{"hexadecimal of latin 1", "~h41e942", encoder.ReasonUTF8, 4},

		{"half a code", helloCode[:20], encoder.ReasonTruncated, 20},
		{"half a code in a url", server + "svg/" + helloCode[:22] + "?x", encoder.ReasonTruncated, 38 + 22},
		{"one character", "S", encoder.ReasonTruncated, 1},
		{"five characters", "SoWkI", encoder.ReasonTruncated, 5},

		{"wrong case", strings.ToLower(helloCode), encoder.ReasonCorrupt, -2},
		{"zeros", "00000000", encoder.ReasonCorrupt, -2},
		{"reserved type of block", plantumlBase64("\x07"), encoder.ReasonCorrupt, -2},
		{"something appended", helloCode + "0000000G", encoder.ReasonCorrupt, len(helloCode) + 6},
		{"two codes", "0m000m00", encoder.ReasonCorrupt, 4},
		{"checksum left on", plantumlBase64(zlibStream(t, helloText, 9)[2:]), encoder.ReasonCorrupt, -2},

		{"zlib, best", plantumlBase64(zlibStream(t, helloText, 9)), encoder.ReasonZlibHeader, 0},
		{"zlib, default", plantumlBase64(zlibStream(t, helloText, 6)), encoder.ReasonZlibHeader, 0},
		{"zlib, low", plantumlBase64(zlibStream(t, helloText, 3)), encoder.ReasonZlibHeader, 0},
		{"zlib, fastest", "~0" + plantumlBase64(zlibStream(t, helloText, 1)), encoder.ReasonZlibHeader, 2},
		{
			"kroki", "https://kroki.io/plantuml/svg/" + base64.RawURLEncoding.EncodeToString([]byte(zlibStream(t, helloText, 9))),
			encoder.ReasonZlibHeader, 30,
		},

		{"not text", plantumlBase64(rawDeflate(t, "ab\xff")), encoder.ReasonUTF8, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := encoder.Decode(test.input)
			if text != "" {
				t.Errorf("text besides the error: %q", text)
			}
			offset := test.offset
			if e, ok := err.(*encoder.Error); ok && offset == -2 { // anywhere in the code
				offset = e.Offset
				if offset < 0 || offset > len(test.input) {
					t.Errorf("offset %d is not in the input", offset)
				}
			}
			checkError(t, err, "decode", test.reason, offset)
		})
	}
}

// Some encoders leave the last group of characters incomplete, as Base64 without
// padding does.
func TestDecodeUnpadded(t *testing.T) {
	seen := map[int]bool{}
	for n := range len(helloText) {
		text := helloText[:n]
		code := plantumlAlphabet.WithPadding(base64.NoPadding).EncodeToString(encoder.Deflate(text))
		seen[len(code)%4] = true
		for ; len(code)%4 != 1; code += "0" {
			if got, err := encoder.Decode(code); err != nil || got != text {
				t.Errorf("%d bytes, code %q: got %q, %v", n, code, got, err)
			}
		}
	}
	if diff := cmp.Diff(map[int]bool{0: true, 2: true, 3: true}, seen); diff != "" {
		t.Errorf("lengths modulo 4 (-want +got):\n%s", diff)
	}
}

// Others translate padded Base64 and so leave its '=' at the end.
func TestDecodeBase64Padding(t *testing.T) {
	for n := range len(helloText) {
		text := helloText[:n]
		code := plantumlAlphabet.WithPadding('=').EncodeToString(encoder.Deflate(text))
		for _, code := range []string{code, strings.ReplaceAll(code, "=", "%3D")} {
			if got, err := encoder.Decode(code); err != nil || got != text {
				t.Errorf("%d bytes, code %q: got %q, %v", n, code, got, err)
			}
		}
	}
}

// The hint is what helps; the likeliest mistakes have one of their own.
func TestDecodeHints(t *testing.T) {
	for input, want := range map[string]string{
		helloCode + "=":                   "Base64",
		"SoWk+Img":                        "Base64",
		"SoWk/Img":                        "Base64",
		"SoWk IImg":                       "white space",
		"https://host/proxy?src=https://": "query",
		"https://host/svg/":               "/CODE",
	} {
		_, err := encoder.Decode(input)
		e, ok := err.(*encoder.Error)
		if !ok || !strings.Contains(e.Hint, want) {
			t.Errorf("%q: got %#v, want a hint with %q", input, err, want)
		}
	}
}

func TestDecodeLimit(t *testing.T) {
	atLimit := strings.Repeat("a", encoder.MaxDecoded)
	for _, test := range []struct {
		name, prefix, code string
		refused            bool
	}{
		{"deflate, at the limit", "", mustEncode(t, atLimit), false},
		{"deflate, one more", "", mustEncode(t, atLimit+"a"), true},
		{"bomb", "", mustEncode(t, strings.Repeat("a", 8<<20)), true},
		{"hexadecimal, at the limit", "~h", hex.EncodeToString([]byte(atLimit)), false},
		{"hexadecimal, one more", "~h", hex.EncodeToString([]byte(atLimit + "a")), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := encoder.Decode(test.prefix + test.code)
			if test.refused {
				checkError(t, err, "decode", encoder.ReasonTooLarge, len(test.prefix))
				return
			}
			if err != nil || text != atLimit {
				t.Errorf("got %d bytes, %v", len(text), err)
			}
		})
	}
}

// plantumlAlphabet is a second implementation of the alphabet.
var plantumlAlphabet = base64.NewEncoding("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_")

// plantumlBase64 makes a code of any bytes.
func plantumlBase64(data string) string {
	for len(data)%3 != 0 {
		data += "\x00"
	}
	return plantumlAlphabet.EncodeToString([]byte(data))
}

func rawDeflate(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zlibStream(t *testing.T, text string, level int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
