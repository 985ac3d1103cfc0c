package measure

import (
	"context"
	"errors"
	"testing"
	"time"
)

func rate(s Sample) float64 { return s.Rate() }

func TestRunTakesTurns(t *testing.T) {
	var order string
	fake := func(name string, ops int) Contestant {
		return Contestant{Name: name, Run: func(context.Context, time.Duration) (Sample, error) {
			order += name
			return Sample{Ops: ops, Time: time.Second}, nil
		}}
	}
	results := Run(context.Background(), Plan{Rounds: 3, Turn: 1, WarmUp: 1}, []Contestant{fake("a", 10), fake("b", 5)})
	if order != "ab"+"ab"+"ba"+"ab" {
		t.Errorf("order %q", order)
	}
	if got := Ratio(&results[0], &results[1], rate); got != 2 {
		t.Errorf("ratio %v", got)
	}
}

func TestRunDropsWhoFails(t *testing.T) {
	calls := 0
	results := Run(context.Background(), Plan{Rounds: 5, Turn: 1}, []Contestant{{
		Name: "a",
		Run: func(context.Context, time.Duration) (Sample, error) {
			if calls++; calls == 2 {
				return Sample{}, errors.New("gone")
			}
			return Sample{Ops: 1, Time: 1}, nil
		},
	}})
	if calls != 2 || results[0].Err == nil || len(results[0].Rounds) != 1 {
		t.Errorf("%d calls, %+v", calls, results[0])
	}
}

func TestMedianAndPercentile(t *testing.T) {
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("median %v", got)
	}
	var ds []time.Duration
	for i := range 100 {
		ds = append(ds, time.Duration(100-i))
	}
	if got := Percentile(ds, 0.99); got != 100 {
		t.Errorf("99th %v", got)
	}
	if got := Percentile(ds, 0.5); got != 51 {
		t.Errorf("50th %v", got)
	}
	if got := Percentile(nil, 0.5); got != 0 {
		t.Errorf("of nothing %v", got)
	}
}
