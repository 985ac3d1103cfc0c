package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/webodar/webodar/bench/internal/report"
)

// timeout measures how much later than asked for a drawing is given up that takes far
// longer than its limit.
func (b *bench) timeout(ctx context.Context) (err error) {
	s, err := b.serve(ctx, 2)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := b.warmUp(ctx, s, 2); err != nil {
		return err
	}
	code := flowchart(3000)
	for _, limit := range []time.Duration{1000, 1500, 3000} {
		limit *= time.Millisecond
		var most time.Duration
		for range b.starts {
			_, took, err := s.draw(ctx, map[string]any{
				"code": b.fresh(code), "timeout_ms": limit.Milliseconds(), "config_json": map[string]any{"maxEdges": 100_000},
			})
			var refused *refusal
			if !errors.As(err, &refused) || refused.Code != "RENDER_TIMEOUT" {
				return fmt.Errorf("a drawing was to exceed %s: %w", limit, err)
			}
			if took < limit {
				return fmt.Errorf("a drawing was given up after %s, not after %s", took, limit)
			}
			most = max(most, took-limit)
			if err := s.settle(ctx); err != nil {
				return err
			}
		}
		late := float64(most.Microseconds()) / 1e3
		b.rows = append(b.rows, report.Row{
			Job: fmt.Sprintf("timeout_ms %d, later than that at most", limit.Milliseconds()), Ours: report.Figure(late) + " ms", Value: late,
			Targets: []report.Target{{Bound: 500, AtMost: true, Unit: "ms"}, {Bound: 50, AtMost: true, Unit: "ms", Aim: true}},
		})
	}
	return nil
}
