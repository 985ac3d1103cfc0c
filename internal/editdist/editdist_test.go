package editdist_test

import (
	"fmt"
	"testing"

	"github.com/webodar/webodar/internal/editdist"
)

func ExampleBetween() {
	fmt.Println(editdist.Between("flowchrt", "flowchart"))
	// Output: 1
}

func TestBetween(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"kitten", "sitting", 3},
		{"über", "uber", 1},
	} {
		if got, back := editdist.Between(tt.a, tt.b), editdist.Between(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("%q, %q: %d and %d, want %d", tt.a, tt.b, got, back, tt.want)
		}
	}
}
