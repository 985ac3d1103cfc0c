package encoder_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"testing"

	"github.com/webodar/webodar/encoder"
)

var benchSizes = []int{200, 1 << 10, 10 << 10, 50 << 10}

// BenchmarkEncode has the standard library's deflate of level 9 next to it, to
// which it gives the same reuse, and which does not even write characters.
func BenchmarkEncode(b *testing.B) {
	for _, size := range benchSizes {
		text := diagram(newRand(1), size)
		b.Run(fmt.Sprintf("%d/encoder", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := encoder.Encode(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/flate", size), func(b *testing.B) {
			var out bytes.Buffer
			w, err := flate.NewWriter(&out, 9)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				out.Reset()
				w.Reset(&out)
				w.Write([]byte(text))
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, size := range benchSizes {
		text := diagram(newRand(1), size)
		code := mustEncode(b, text)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := encoder.Decode(code); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
