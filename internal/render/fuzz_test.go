package render

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzReadFrame: whatever a worker writes is an error or a report that survives
// being written again.
func FuzzReadFrame(f *testing.F) {
	var buf bytes.Buffer
	if err := writeFrame(&buf, report{State: finished, ID: 7, Error: &JobError{Message: "x"}}, []byte(`{"a":1}`)); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte("\x08\x00\x00\x00\x02\x00\x00\x00{}ab"))
	f.Add([]byte("\x04\x00\x00\x00\x05\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 4 && data[2]|data[3] != 0 {
			t.Skip() // a large frame that is cut short
		}
		var first, second report
		body, err := readFrame(bytes.NewReader(data), &first)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := writeFrame(&again, first, body); err != nil {
			t.Fatal(err)
		}
		other, err := readFrame(&again, &second)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(body, other) || !cmp.Equal(first.ID, second.ID) || !cmp.Equal(first.State, second.State) {
			t.Errorf("got %+v, then %+v", first, second)
		}
	})
}
