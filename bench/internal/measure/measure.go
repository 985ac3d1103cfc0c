// Package measure runs contestants side by side: each round gives every one of
// them a turn, so that what else the machine does meets all alike.
package measure

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Sample is what one turn measured. What does not apply is zero.
type Sample struct {
	Ops      int
	Time     time.Duration
	P50, P99 time.Duration // of one operation
	CPU      time.Duration // of the server's process
	Allocs   float64       // of one operation
	Bytes    float64       // allocated by one operation
}

// Rate is operations in a second.
func (s Sample) Rate() float64 { return float64(s.Ops) / s.Time.Seconds() }

// Micros is microseconds for an operation.
func (s Sample) Micros() float64 { return float64(s.Time.Nanoseconds()) / 1e3 / float64(s.Ops) }

// CPUMicros is microseconds of the server's CPU time for an operation.
func (s Sample) CPUMicros() float64 { return float64(s.CPU.Nanoseconds()) / 1e3 / float64(s.Ops) }

// Contestant is one of the things that are compared.
type Contestant struct {
	Name string
	// Run works for about d. An error takes the contestant out of the contest.
	Run func(ctx context.Context, d time.Duration) (Sample, error)
	// Note tells more about the contestant once it has run; may be nil.
	Note func() string
}

// Result is what a contestant has shown.
type Result struct {
	Name   string
	Rounds []Sample
	Err    error // why it did not run, or not to the end
	Note   string
}

// Plan is how long and how often contestants run.
type Plan struct {
	Rounds int
	Turn   time.Duration
	WarmUp time.Duration // before the first round; not counted
}

// Run lets all contestants run.
func Run(ctx context.Context, plan Plan, contestants []Contestant) []Result {
	results := make([]Result, len(contestants))
	turn := func(i int, d time.Duration) (Sample, bool) {
		if results[i].Err != nil || d == 0 {
			return Sample{}, false
		}
		s, err := contestants[i].Run(ctx, d)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && s.Ops == 0 {
			err = fmt.Errorf("nothing was done within %s", d)
		}
		results[i].Err = err
		return s, err == nil
	}
	for i, c := range contestants {
		results[i].Name = c.Name
		turn(i, plan.WarmUp)
	}
	for round := range plan.Rounds {
		for n := range contestants {
			i := (n + round) % len(contestants) // everyone is first once
			if s, ok := turn(i, plan.Turn); ok {
				results[i].Rounds = append(results[i].Rounds, s)
			}
		}
	}
	for i, c := range contestants {
		if c.Note != nil && results[i].Err == nil {
			results[i].Note = c.Note()
		}
	}
	return results
}

// Median is that of a figure over the rounds; 0 when there were none.
func (r *Result) Median(figure func(Sample) float64) float64 {
	values := make([]float64, len(r.Rounds))
	for i, s := range r.Rounds {
		values[i] = figure(s)
	}
	return median(values)
}

// Ratio is the median over the rounds of ours divided by theirs in that round.
func Ratio(ours, theirs *Result, figure func(Sample) float64) float64 {
	var values []float64
	for i := range min(len(ours.Rounds), len(theirs.Rounds)) {
		values = append(values, figure(ours.Rounds[i])/figure(theirs.Rounds[i]))
	}
	return median(values)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	mid := len(values) / 2
	if len(values)%2 == 1 {
		return values[mid]
	}
	return (values[mid-1] + values[mid]) / 2
}

// Percentile returns the value below which the share p of durations lies. It
// sorts them.
func Percentile(durations []time.Duration, p float64) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	slices.Sort(durations)
	return durations[min(len(durations)-1, int(p*float64(len(durations))))]
}
