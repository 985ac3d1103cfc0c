package pdf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/zlib"
)

// file collects objects; object n has the number n+1.
type file struct {
	objects [][]byte
	packer  *zlib.Writer // one for all streams: it is large
}

// reserve gives the number of an object that is written later.
func (f *file) reserve() int {
	f.objects = append(f.objects, nil)
	return len(f.objects)
}

func (f *file) set(n int, body string) { f.objects[n-1] = []byte(body) }

func (f *file) add(body string) int {
	n := f.reserve()
	f.set(n, body)
	return n
}

// tiny streams are not worth packing.
const tiny = 100

// stream adds a stream, compressed; dict is further entries of its dictionary.
func (f *file) stream(dict string, data []byte) (int, error) {
	if len(data) < tiny {
		return f.rawStream(dict, data), nil
	}
	var b bytes.Buffer
	if f.packer == nil {
		f.packer = zlib.NewWriter(&b)
	} else {
		f.packer.Reset(&b)
	}
	if _, err := f.packer.Write(data); err != nil {
		return 0, err
	}
	if err := f.packer.Close(); err != nil {
		return 0, err
	}
	return f.rawStream(dict+"/Filter/FlateDecode", b.Bytes()), nil
}

// rawStream adds a stream as it is.
func (f *file) rawStream(dict string, data []byte) int {
	n := f.reserve()
	var b bytes.Buffer
	fmt.Fprintf(&b, "<<%s/Length %d>>stream\n", dict, len(data))
	b.Write(data)
	b.WriteString("\nendstream")
	f.objects[n-1] = b.Bytes()
	return n
}

// bytes writes the file.
func (f *file) bytes(root, info int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(f.objects))
	sum := sha256.New()
	for i, o := range f.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n", i+1)
		b.Write(o)
		b.WriteString("\nendobj\n")
		sum.Write(o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	id := hex.EncodeToString(sum.Sum(nil)[:16])
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[<%s><%s>]>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, root, info, id, id, start)
	return b.Bytes()
}

// appendNum writes a number with as many as n decimals.
func appendNum(b []byte, v float64, n int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	start := len(b)
	b = strconv.AppendFloat(b, v, 'f', n, 64)
	if n > 0 {
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
		if b[len(b)-1] == '.' {
			b = b[:len(b)-1]
		}
	}
	if string(b[start:]) == "-0" {
		b = append(b[:start], '0')
	}
	return b
}

func num(v float64) string { return string(appendNum(nil, v, 4)) }

// text writes a text string: ASCII as it is, else UTF-16 (7.9.2.2).
func text(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] >= ' ' && s[i] < 0x7f
	}
	if ascii {
		return literal(s)
	}
	return "<FEFF" + utf16Hex(s) + ">"
}

// literal writes bytes as a string.
func literal(s string) string {
	return "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\r", `\r`, "\n", `\n`).Replace(s) + ")"
}

func utf16Hex(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String()
}
