package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/webodar/webodar/bench/internal/browser"
	"github.com/webodar/webodar/bench/internal/proc"
	"github.com/webodar/webodar/bench/internal/report"
)

// warm measures calls of a server that has drawn before, with pauses and without.
func (b *bench) warm(ctx context.Context) (err error) {
	s, err := b.serve(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := b.warmUp(ctx, s, 1); err != nil {
		return err
	}
	var page *browser.WarmPage
	if b.missing == nil {
		if page, err = b.peers.Open(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, page.Close()) }()
		b.versions["mermaid in Chromium's page"] = page.Mermaid
		if err := b.warmPage(page); err != nil {
			return err
		}
	}
	for round := range b.rounds {
		fmt.Fprintf(os.Stderr, "  round %d of %d\n", round+1, b.rounds)
		for call := range b.calls {
			for i, d := range b.diagrams {
				if err := b.pair(ctx, s, page, d, (round+call+i)%2 == 0); err != nil {
					return fmt.Errorf("%s: %w", d.name, err)
				}
			}
		}
		for _, d := range b.diagrams {
			if err := b.backToBack(ctx, s, d); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
	}
	if n := len(proc.Family(s.PID())) - 1; n > 1 {
		return fmt.Errorf("there are %d workers, not one", n)
	}
	b.warmRows()
	return nil
}

// warmPage draws each diagram some times, for the browser to compile what it will.
func (b *bench) warmPage(page *browser.WarmPage) error {
	for range 6 {
		for _, d := range b.diagrams {
			if _, err := page.Draw(b.fresh(d.code)); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
	}
	return nil
}

// pair draws a diagram on both sides, one after the other with a pause after each.
func (b *bench) pair(ctx context.Context, s *server, page *browser.WarmPage, d *diagram, oursFirst bool) error {
	var ours, theirs string
	turns := []func() error{func() error {
		return b.turn(ctx, s.PID(), &d.cpu, func() error {
			svg, took, err := s.draw(ctx, map[string]any{"code": b.fresh(d.code)})
			ours, d.warm = svg, append(d.warm, took)
			return err
		})
	}}
	if page != nil {
		turns = append(turns, func() error {
			return b.turn(ctx, page.PID(), &d.pageCPU, func() error {
				drawn, err := page.Draw(b.fresh(d.code))
				theirs, d.inside, d.outside = drawn.SVG, append(d.inside, drawn.Inside), append(d.outside, drawn.Outside)
				return err
			})
		})
	}
	if !oursFirst {
		slices.Reverse(turns)
	}
	for _, turn := range turns {
		if err := turn(); err != nil {
			return err
		}
	}
	if page != nil && kind(ours) != kind(theirs) {
		return fmt.Errorf("webodar drew %q, %s %q", kind(ours), browser.Page, kind(theirs))
	}
	return nil
}

// turn draws and pauses, and adds to spent the processor time that a process and its
// descendants took for both.
func (b *bench) turn(ctx context.Context, pid int, spent *time.Duration, draw func() error) error {
	before := proc.Sum(proc.Family(pid), proc.CPU)
	if err := draw(); err != nil {
		return err
	}
	if err := sleep(ctx, b.pause); err != nil {
		return err
	}
	*spent += proc.Sum(proc.Family(pid), proc.CPU) - before
	return nil
}

var role = regexp.MustCompile(`aria-roledescription="([^"]*)"`)

// kind is what a picture says it is.
func kind(svg string) string {
	found := role.FindStringSubmatch(svg)
	if found == nil {
		return ""
	}
	return found[1]
}

// backToBack draws a diagram several times, without a pause. The first starts with an
// engine that is ready, the others with one that is only being made ready: they count.
func (b *bench) backToBack(ctx context.Context, s *server, d *diagram) error {
	if _, _, err := s.draw(ctx, map[string]any{"code": b.fresh(d.code)}); err != nil {
		return err
	}
	start := time.Now()
	for range b.burst {
		if _, _, err := s.draw(ctx, map[string]any{"code": b.fresh(d.code)}); err != nil {
			return err
		}
	}
	d.sustained = append(d.sustained, time.Since(start)/time.Duration(b.burst))
	return sleep(ctx, b.pause)
}

func (b *bench) warmRows() {
	ours := func(d *diagram) float64 { return float64(median(d.warm)) }
	theirs := func(d *diagram) float64 { return float64(median(d.inside)) }
	ratio := func(d *diagram) float64 { return ours(d) / theirs(d) }
	b.compared("warm render, geometric mean", func() string { return millis(b.mean(ours)) }, browser.Page,
		func() string { return millis(b.mean(theirs)) }, func() float64 { return b.mean(ratio) }, atMost(2), aim(1))
	for _, d := range b.diagrams {
		b.compared("warm render, "+d.name, func() string { return millis(ours(d)) }, browser.Page,
			func() string { return millis(theirs(d)) }, func() float64 { return ratio(d) }, atMost(3))
	}
	quickest := func(d *diagram) float64 { return float64(slices.Min(d.warm)) }
	pageQuickest := func(d *diagram) float64 { return float64(slices.Min(d.inside)) }
	b.compared("warm render, the quickest of each, geometric mean", func() string { return millis(b.mean(quickest)) }, browser.Page,
		func() string { return millis(b.mean(pageQuickest)) }, func() float64 { return b.mean(quickest) / b.mean(pageQuickest) })
	cpu := func(d *diagram) float64 { return float64(d.cpu) }
	pageCPU := func(d *diagram) float64 { return float64(d.pageCPU) }
	n := float64(b.rounds * b.calls)
	b.compared("processor time of a warm render, geometric mean", func() string { return millis(b.mean(cpu) / n) }, browser.Page,
		func() string { return millis(b.mean(pageCPU) / n) }, func() float64 { return b.mean(cpu) / b.mean(pageCPU) })
	sustained := func(d *diagram) float64 { return float64(median(d.sustained)) }
	b.rows = append(b.rows, report.Row{
		Job: "sustained, one worker, geometric mean", Ours: millis(b.mean(sustained)), Peer: "itself with pauses", Theirs: millis(b.mean(ours)),
		Value: b.mean(func(d *diagram) float64 { return sustained(d) / ours(d) }), Targets: []report.Target{atMost(1.5), aim(1.1)},
	})
}
