package encoder_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/encoder"
)

const (
	actorsText = "@startuml\nactor A\nactor B\nA --> B\n@enduml"
	actorsCode = "SoWkIImgAStDuKfCBialKd24qavSZWgwkdP0sY4rBmKe3m00"
	helloText  = "@startuml\nBob -> Alice : hello\n@enduml"
	helloCode  = "SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80"
)

func TestEncode(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"actors", actorsText, actorsCode},
		{"hello", helloText, helloCode},
		{"empty", "", "0m00"},
		{"one byte", "a", "ImG0"},
		{"nul", "\x00", "Om00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := encoder.Encode(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("code (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEncodeInvalidUTF8(t *testing.T) {
	for _, test := range []struct {
		name, text string
		offset     int
	}{
		{"stray byte", "ab\xffc", 2},
		{"lone surrogate", "é\xed\xa0\x80", 2},
		{"cut short", "a\xe2\x82", 1},
		{"after a true U+FFFD", "\ufffd\x80", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, err := encoder.Encode(test.text)
			checkError(t, err, "encode", encoder.ReasonUTF8, test.offset)
			if code != "" {
				t.Errorf("a code besides the error: %q", code)
			}
		})
	}
	if _, err := encoder.Encode("\ufffd"); err != nil {
		t.Errorf("U+FFFD itself: %v", err)
	}
}

func TestAppendEncode(t *testing.T) {
	got, err := encoder.AppendEncode([]byte("code="), helloText)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("code="+helloCode, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err = encoder.AppendEncode([]byte("code="), "\xff")
	checkError(t, err, "encode", encoder.ReasonUTF8, 0)
	if string(got) != "code=" {
		t.Errorf("after an error: %q", got)
	}
}

// What a text before left behind in reused tables must not show.
func TestEncodeReuse(t *testing.T) {
	r := newRand(7)
	texts := make([]string, 40)
	want := make([]string, len(texts))
	for i := range texts {
		texts[i] = diagram(r, r.IntN(3000))
		want[i] = mustEncode(t, texts[i])
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				for i, text := range texts {
					if got, err := encoder.Encode(text); err != nil || got != want[i] {
						t.Errorf("text %d: another code the second time (%v)", i, err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// Positions are stored with an offset that grows until it has to start anew.
func TestEncodeEpochWraps(t *testing.T) {
	text := strings.Repeat(helloText, 50)
	want := encoder.DeflateAt(0, text)
	size := uint32(len(text))
	for _, epoch := range []uint32{1, size, math.MaxUint32 - 2*size - 1, math.MaxUint32 - 2*size, math.MaxUint32 - size, math.MaxUint32} {
		if diff := cmp.Diff(want, encoder.DeflateAt(epoch, text)); diff != "" {
			t.Errorf("epoch %d (-want +got):\n%s", epoch, diff)
		}
	}
}

func TestEncodeAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop things")
	}
	text := diagram(newRand(1), 1024)
	if n := testing.AllocsPerRun(200, func() { encoder.Encode(text) }); n > 1 {
		t.Errorf("Encode: %v allocations, want the code only", n)
	}
	if n := testing.AllocsPerRun(200, func() { encoder.URL(text, nil) }); n > 1 {
		t.Errorf("URL: %v allocations, want the URL only", n)
	}
	dst := make([]byte, 0, 2048)
	if n := testing.AllocsPerRun(200, func() { encoder.AppendEncode(dst, text) }); n > 0 {
		t.Errorf("AppendEncode: %v allocations, want none", n)
	}
	code := mustEncode(t, text)
	if n := testing.AllocsPerRun(200, func() { encoder.Decode(code) }); n > 1 {
		t.Errorf("Decode: %v allocations, want the text only", n)
	}
}

func mustEncode(t testing.TB, text string) string {
	t.Helper()
	code, err := encoder.Encode(text)
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return code
}

// checkError checks err and the form that all errors have.
func checkError(t *testing.T, err error, op string, reason encoder.Reason, offset int) {
	t.Helper()
	var e *encoder.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want an *encoder.Error", err)
	}
	type summary struct {
		Op     string
		Reason encoder.Reason
		Offset int
	}
	if diff := cmp.Diff(summary{op, reason, offset}, summary{e.Op, e.Reason, e.Offset}); diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if e.Message == "" || strings.HasSuffix(e.Message, ".") || e.Hint == "" || strings.HasSuffix(e.Hint, ".") {
		t.Errorf("message %q, hint %q: both must be there and have no full stop", e.Message, e.Hint)
	}
	if want := op + ": " + e.Message; err.Error() != want {
		t.Errorf("Error() = %q, want %q", err.Error(), want)
	}
}
