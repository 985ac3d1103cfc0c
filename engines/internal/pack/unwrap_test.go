package pack

import "testing"

func TestUnwrap(t *testing.T) {
	for name, c := range map[string]struct {
		in, want string
		n        int
	}{
		"one":        {"x = C(a, 12).b;", "x = (a).b;", 1},
		"inside":     {"C(C(a, 1).b(C(c, 2)), 3) + C(d, 4)", "((a).b((c))) + (d)", 4},
		"sequence":   {"C((a = b, c), 3)", "((a = b, c))", 1},
		"string":     {`C(a["),1)"], 5) + C('\'(', 6)`, `(a["),1)"]) + ('\'(')`, 2},
		"other":      {"XC(a, 1) + o.C(a, 1) + C(a) + C(a, b) + C(a, 1, b)", "XC(a, 1) + o.C(a, 1) + C(a) + C(a, b) + C(a, 1, b)", 0},
		"definition": {"function C(a, b) { return C(a.b, 7) }", "function C(a, b) { return (a.b) }", 1},
		"open":       {"C(a, 1", "C(a, 1", 0},
	} {
		got, n := unwrap(c.in, "C")
		if got != c.want || n != c.n {
			t.Errorf("%s: %q, %d", name, got, n)
		}
	}
}
