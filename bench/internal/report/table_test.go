package report

import "testing"

func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{
		0: "–", 0.01234: "0.0123", 9.999: "10", 12.34: "12.3", 123.4: "123", 1234.5: "1,230", 23456: "23,500", 1234567: "1,230,000",
	} {
		if got := Figure(v); got != want {
			t.Errorf("Figure(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestComparison(t *testing.T) {
	rows := []Row{
		{Job: "a", Ours: "3 calls/s", Peer: "p", Theirs: "2 calls/s", Value: 1.5, Targets: []Target{{Bound: 2}, {Bound: 1, Aim: true}}},
		{Job: "b", Ours: "9 ms", Value: 9, Targets: []Target{{Bound: 30, AtMost: true, Unit: "ms"}}},
		{Job: "c", Ours: "1 µs", Peer: "q", Targets: []Target{{Bound: 1}}, Missing: "node is not installed"},
	}
	const want = `| job | webodar   | peer | peer's figure                       | ratio | target       | met?        |
|-----|-----------|------|-------------------------------------|-------|--------------|-------------|
| a   | 3 calls/s | p    | 2 calls/s                           | 1.50  | ≥ 2; aim ≥ 1 | **no**; yes |
| b   | 9 ms      |      |                                     |       | ≤ 30 ms      | yes         |
| c   | 1 µs      | q    | not measured: node is not installed |       | ≥ 1          | –           |
`
	if got := Comparison(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	const verdict = "1 of 2 rows with a target miss what is required. 1 more could not be measured."
	if got := Verdict(rows); got != verdict {
		t.Errorf("Verdict = %q, want %q", got, verdict)
	}
	if got := Verdict(rows[1:2]); got != "All 1 rows with a target meet what is required." {
		t.Errorf("Verdict = %q", got)
	}
	if !rows[0].Missed() || rows[1].Missed() || rows[2].Missed() {
		t.Error("Missed is wrong")
	}
}
