package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/bench/internal/report"
)

// bench is a run.
type bench struct {
	set     *peer.Set
	corpus  []string
	nodeDir string
	plan    measure.Plan

	rows    []report.Row
	figures [][]string
}

var figureHead = []string{"job", "contestant", "figure", "p50", "p99", "server CPU per call", "most memory", "per operation", "remark"}

// contest collects the contestants of a job. Those that cannot be had take part
// as failures, so that the report can say so.
type contest struct {
	*bench
	ctx         context.Context
	contestants []measure.Contestant
	servers     map[string]*peer.Process
	closers     []func() error
}

// add adds what build returns, or the reason why there is nothing to add.
func (c *contest) add(name string, build func() (measure.Contestant, error)) {
	entry, err := build()
	if err != nil {
		entry.Run = func(context.Context, time.Duration) (measure.Sample, error) { return measure.Sample{}, err }
	}
	entry.Name = name
	c.contestants = append(c.contestants, entry)
}

// measured wraps the turns of a server, to tell its CPU time.
func (c *contest) measured(name string, p *peer.Process, run func(context.Context, time.Duration) (measure.Sample, error)) measure.Contestant {
	c.servers[name] = p
	c.closers = append(c.closers, p.Stop)
	return measure.Contestant{Run: func(ctx context.Context, d time.Duration) (measure.Sample, error) {
		before := p.CPU()
		s, err := run(ctx, d)
		s.CPU = p.CPU() - before
		return s, err
	}}
}

// run runs a job and notes down what it showed. Only webodar's own failure is
// an error.
func (b *bench) run(ctx context.Context, j job) (err error) {
	c := &contest{bench: b, ctx: ctx, servers: map[string]*peer.Process{}}
	defer func() {
		for _, f := range c.closers {
			err = errors.Join(err, f())
		}
	}()
	j.contest(c)
	if len(c.contestants) == 0 {
		b.rows = append(b.rows, report.Row{Job: j.title, Peer: strings.Join(j.peers, ", "), Missing: "there is no corpus here"})
		return nil
	}
	plan := b.plan
	if j.plan != nil {
		plan = j.plan(plan)
	}
	results := measure.Run(ctx, plan, c.contestants)
	if err := ctx.Err(); err != nil {
		return err
	}
	ours := &results[0]
	if ours.Err != nil {
		return fmt.Errorf("webodar: %w", ours.Err)
	}
	b.compare(&j, ours, results[1:])
	for i := range results {
		b.note(&j, &results[i], c.servers[results[i].Name])
	}
	return nil
}

// compare adds the rows of the comparison.
func (b *bench) compare(j *job, ours *measure.Result, theirs []measure.Result) {
	figure := func(r *measure.Result) string { return report.Figure(r.Median(j.figure)) + " " + j.unit }
	if targets := j.targets[peer.Webodar]; targets != nil {
		b.rows = append(b.rows, report.Row{Job: j.title, Ours: figure(ours), Value: ours.Median(j.figure), Targets: targets})
	}
	for i := range theirs {
		r := report.Row{Job: j.title, Ours: figure(ours), Peer: theirs[i].Name, Targets: j.targets[theirs[i].Name]}
		if err := theirs[i].Err; err != nil {
			r.Missing = strings.ReplaceAll(err.Error(), "\n", "; ")
		} else {
			r.Theirs, r.Value = figure(&theirs[i]), measure.Ratio(ours, &theirs[i], j.figure)
		}
		b.rows = append(b.rows, r)
	}
}

// note adds a row of figures.
func (b *bench) note(j *job, r *measure.Result, server *peer.Process) {
	if r.Err != nil {
		return
	}
	in := func(figure func(measure.Sample) float64, unit string) string {
		if v := r.Median(figure); v > 0 {
			return report.Figure(v) + " " + unit
		}
		return ""
	}
	memory, allocated := "", ""
	if server != nil && server.Memory() > 0 {
		memory = fmt.Sprintf("%d MB", server.Memory())
	}
	if r.Rounds[0].Bytes > 0 {
		allocated = fmt.Sprintf("%.0f allocs, %.0f B", r.Median(func(s measure.Sample) float64 { return s.Allocs }),
			r.Median(func(s measure.Sample) float64 { return s.Bytes }))
	}
	b.figures = append(b.figures, []string{
		j.title, r.Name, report.Figure(r.Median(j.figure)) + " " + j.unit,
		in(func(s measure.Sample) float64 { return float64(s.P50.Nanoseconds()) / 1e3 }, "µs"),
		in(func(s measure.Sample) float64 { return float64(s.P99.Nanoseconds()) / 1e3 }, "µs"),
		in(measure.Sample.CPUMicros, "µs"), memory, allocated, r.Note,
	})
}
