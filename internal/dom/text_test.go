package dom

import (
	"math"
	"testing"
)

// The numbers are Chromium 148's getComputedTextLength on a machine with the
// Liberation fonts.
func TestAdvanceEqualsChromium(t *testing.T) {
	for _, tc := range []struct {
		font, text string
		want       float64
	}{
		{`16 400 normal arial`, "Hello AVATAR To. Ye", 147.046875},
		{`10 400 normal "trebuchet ms", verdana, arial, sans-serif`, "Hello AVATAR To. Ye", 91.90625},
		{`12 400 normal arial`, "Hello AVATAR To. Ye", 110.296875},
		{`16 700 normal arial`, "Hello AVATAR fi", 119.109375},
		{`16 400 italic arial`, "Hello AVATAR fi", 112.640625},
		{`16 400 normal Courier New`, "Hello AVATAR fi", 144.03125},
		{`16 400 normal arial`, "é", 8.90625},
		{`16 400 normal arial`, "Привет", 53.359375},
		{`16 400 normal arial`, "→", 16},
		{`16 400 normal arial`, "α", 9.25},
		{`16 400 normal arial`, "\u200b", 0},
	} {
		f, err := parseFont(tc.font)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.measure(tc.text, 0).advance; math.Abs(got-tc.want) > 1.0/64+1e-9 {
			t.Errorf("%s %q: %v, Chromium %v", tc.font, tc.text, got, tc.want)
		}
	}
}
