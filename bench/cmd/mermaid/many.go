package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/webodar/webodar/bench/internal/report"
)

// together is how many requests come at once.
const together = 10

// many measures requests that come at once to a server of two workers, over the same
// number that come one after the other to a server of one.
func (b *bench) many(ctx context.Context) (err error) {
	const workers = 2
	two, err := b.serve(ctx, workers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, two.stop()) }()
	one, err := b.serve(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, one.stop()) }()
	if err := errors.Join(b.warmUp(ctx, two, workers), b.warmUp(ctx, one, 1)); err != nil {
		return err
	}
	rates, gains := map[*server][]float64{}, make([][]float64, len(b.diagrams))
	failed, sent := 0, 0
	for round := range b.rounds {
		fmt.Fprintf(os.Stderr, "  round %d of %d\n", round+1, b.rounds)
		for i, d := range b.diagrams {
			took := map[*server]time.Duration{}
			for _, s := range turns([]*server{two, one}, round+i) {
				if s == one {
					took[s], err = b.inTurn(ctx, s, d)
				} else {
					var failures int
					took[s], failures, err = b.counted(ctx, s, d)
					failed, sent = failed+failures, sent+together
				}
				if err != nil {
					return fmt.Errorf("%s: %w", d.name, err)
				}
				rates[s] = append(rates[s], together/took[s].Seconds())
				if err := sleep(ctx, 3*b.pause); err != nil { // for all workers to be ready again
					return err
				}
			}
			gains[i] = append(gains[i], took[one].Seconds()/took[two].Seconds())
		}
	}
	gain := 0.0
	for _, g := range gains {
		gain += math.Log(middle(g)) / float64(len(gains))
	}
	rate := func(s *server) string { return report.Figure(middle(rates[s])) + " renders/s" }
	b.rows = append(b.rows, report.Row{
		Job: fmt.Sprintf("%d requests at once, two workers, geometric mean", together), Ours: rate(two), Peer: "itself, one by one, one worker", Theirs: rate(one),
		Value: math.Exp(gain), Targets: []report.Target{{Bound: 1.7}},
	}, report.Row{
		Job: fmt.Sprintf("%d requests at once: failures", together), Ours: fmt.Sprintf("%d of %d", failed, sent),
		Value: float64(failed), Targets: []report.Target{{AtMost: true}},
	})
	return nil
}

// turns lets each be first in its turn.
func turns[T any](all []T, n int) []T {
	n %= len(all)
	return append(slices.Clone(all[n:]), all[:n]...)
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func (b *bench) inTurn(ctx context.Context, s *server, d *diagram) (time.Duration, error) {
	start := time.Now()
	for range together {
		if _, _, err := s.draw(ctx, map[string]any{"code": b.fresh(d.code)}); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// counted sends requests at once and counts those that fail.
func (b *bench) counted(ctx context.Context, s *server, d *diagram) (took time.Duration, failures int, err error) {
	took, err = b.atOnce(ctx, s, d, together)
	var all interface{ Unwrap() []error }
	if errors.As(err, &all) {
		failures = len(all.Unwrap())
		fmt.Fprintf(os.Stderr, "  %s: %v\n", d.name, err)
	}
	return took, failures, ctx.Err()
}

// atOnce draws a diagram so many times at once. The error joins those of all requests.
func (b *bench) atOnce(ctx context.Context, s *server, d *diagram, n int) (time.Duration, error) {
	codes, errs := make([]string, n), make([]error, n)
	for i := range codes {
		codes[i] = b.fresh(d.code)
	}
	var group sync.WaitGroup
	start := time.Now()
	for i, code := range codes {
		group.Go(func() { _, _, errs[i] = s.draw(ctx, map[string]any{"code": code}) })
	}
	group.Wait()
	return time.Since(start), errors.Join(errs...)
}
