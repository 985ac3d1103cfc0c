package obs

import "testing"

// FuzzRejectedSpans has collectors answer what they like.
func FuzzRejectedSpans(f *testing.F) {
	for _, seed := range []string{"", "\x0a\x09\x08\x02\x12\x05stale", "\x0a\x02\x08\x00", "\x0a\x7fshort", "\x15\x01\x02\x03\x04", "\xff\xff\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, response []byte) {
		if err := rejectedSpans(response); err != nil && len(err.Error()) > 1000 {
			t.Errorf("%d bytes of complaint", len(err.Error()))
		}
	})
}
