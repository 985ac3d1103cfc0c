package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/report"
)

var formats = []string{"svg", "pdf", "png"}

// bench is a run.
type bench struct {
	dir            string
	rounds         int
	typical, valid []string
	webodar        string
	mmdc           []string
	missing        error // why there is no mermaid-cli; nil when there is
	versions       map[string]string

	walls  map[string][]time.Duration // by key
	memory map[string]int             // by contestant, the most of the typical ones
	many   map[string]time.Duration   // all valid ones in one call
	failed map[string]error           // calls of mermaid-cli that did not work out
}

func key(who, file, format string) string { return who + " " + filepath.Base(file) + " " + format }

// measure takes turns, so that what else the machine does meets both alike.
func (b *bench) measure(ctx context.Context) error {
	b.walls, b.memory, b.many, b.failed = map[string][]time.Duration{}, map[string]int{}, map[string]time.Duration{}, map[string]error{}
	contestants := []string{ours}
	if b.missing == nil {
		contestants = append(contestants, theirs)
	}
	for round := range b.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, b.rounds)
		for _, file := range b.typical {
			for _, format := range formats {
				for _, who := range contestants {
					u, err := b.run(ctx, b.draw(who, file, filepath.Join(b.dir, "out."+format)), false)
					if err != nil {
						return fmt.Errorf("%s: %w", filepath.Base(file), err)
					}
					k := key(who, file, format)
					b.walls[k] = append(b.walls[k], u.wall)
				}
			}
		}
	}
	fmt.Fprintln(os.Stderr, "memory")
	for _, file := range b.typical {
		for _, who := range contestants {
			u, err := b.run(ctx, b.draw(who, file, filepath.Join(b.dir, "out.svg")), true)
			if err != nil {
				return err
			}
			b.memory[who] = max(b.memory[who], u.memory)
		}
	}
	return b.measureMany(ctx)
}

// measureMany draws all valid diagrams in one call: webodar as files, mermaid-cli as the
// fences of a Markdown file, which is its way to do many.
func (b *bench) measureMany(ctx context.Context) error {
	fmt.Fprintln(os.Stderr, "many files")
	command := append([]string{b.webodar, "render", "-q", "--out-dir", filepath.Join(b.dir, "many")}, b.valid...)
	u, err := b.run(ctx, command, false)
	if err != nil {
		return err
	}
	b.many[ours] = u.wall
	if b.missing != nil {
		return nil
	}
	var page bytes.Buffer
	for _, file := range b.valid {
		code, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&page, "```mermaid\n%s\n```\n\n", strings.TrimRight(string(code), "\n"))
	}
	path := filepath.Join(b.dir, "page.md")
	if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
		return err
	}
	u, err = b.run(ctx, b.draw(theirs, path, filepath.Join(b.dir, "drawn.md")), false)
	if err != nil {
		b.failed[theirs] = err
		return nil
	}
	b.many[theirs] = u.wall
	return nil
}

func median(values []time.Duration) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// mean is the geometric mean over the typical diagrams of what f gives for each.
func (b *bench) mean(f func(file string) float64) float64 {
	sum := 0.0
	for _, file := range b.typical {
		sum += math.Log(f(file))
	}
	return math.Exp(sum / float64(len(b.typical)))
}

func (b *bench) wall(who, format string) float64 {
	return b.mean(func(file string) float64 { return median(b.walls[key(who, file, format)]).Seconds() })
}

// added is what painting adds to drawing: the median over diagrams and rounds of the
// difference within a round.
func (b *bench) added(format string) time.Duration {
	var all []time.Duration
	for _, file := range b.typical {
		svg, painted := b.walls[key(ours, file, "svg")], b.walls[key(ours, file, format)]
		for i := range svg {
			all = append(all, painted[i]-svg[i])
		}
	}
	return median(all)
}

func (b *bench) rows() []report.Row {
	ms := func(seconds float64) string { return report.Figure(seconds*1e3) + " ms" }
	missing := ""
	if b.missing != nil {
		missing = strings.ReplaceAll(b.missing.Error(), "\n", " ")
	}
	var rows []report.Row
	for _, format := range formats {
		r := report.Row{Job: "one file to " + strings.ToUpper(format) + ", new process", Ours: ms(b.wall(ours, format)), Peer: theirs, Missing: missing}
		if format != "png" {
			r.Targets = []report.Target{{Bound: 0.25, AtMost: true}, {Bound: 0.1, AtMost: true, Aim: true}}
		}
		if missing == "" {
			r.Theirs, r.Value = ms(b.wall(theirs, format)), b.wall(ours, format)/b.wall(theirs, format)
		}
		rows = append(rows, r)
	}
	for _, format := range formats[1:] {
		added := b.added(format).Seconds() * 1e3
		rows = append(rows, report.Row{
			Job: "what " + strings.ToUpper(format) + " adds to SVG", Ours: report.Figure(added) + " ms", Value: added,
			Targets: []report.Target{{Bound: 50, AtMost: true, Unit: "ms"}},
		})
	}
	rate := float64(len(b.valid)) / b.many[ours].Seconds()
	perSecond := func(rate float64) string { return report.Figure(rate) + " files/s" }
	alone := report.Row{
		Job: fmt.Sprintf("%d files in one call", len(b.valid)), Ours: perSecond(rate), Peer: theirs + ", a process a file",
		Missing: missing, Targets: []report.Target{{Bound: 10}},
	}
	page := report.Row{Job: alone.Job, Ours: alone.Ours, Peer: theirs + ", one Markdown file", Missing: missing}
	memory := report.Row{
		Job: "most memory, one file to SVG", Ours: report.Figure(float64(b.memory[ours])/1e6) + " MB", Peer: theirs,
		Missing: missing, Targets: []report.Target{{Bound: 0.33, AtMost: true}},
	}
	if missing == "" {
		one := 1 / b.wall(theirs, "svg")
		alone.Theirs, alone.Value = perSecond(one), rate/one
		memory.Theirs, memory.Value = report.Figure(float64(b.memory[theirs])/1e6)+" MB", float64(b.memory[ours])/float64(b.memory[theirs])
		if err := b.failed[theirs]; err != nil {
			page.Missing = strings.Join(strings.Fields(err.Error()), " ")
		} else {
			many := float64(len(b.valid)) / b.many[theirs].Seconds()
			page.Theirs, page.Value = perSecond(many), rate/many
		}
	}
	return append(rows, alone, page, memory)
}

// figures is a row for each typical diagram.
func (b *bench) figures() [][]string {
	table := [][]string{{"diagram", "format", ours, theirs}}
	for _, file := range b.typical {
		for _, format := range formats {
			row := []string{strings.TrimSuffix(filepath.Base(file), ".mmd"), format}
			for _, who := range []string{ours, theirs} {
				cell := ""
				if walls := b.walls[key(who, file, format)]; len(walls) > 0 {
					cell = report.Figure(median(walls).Seconds()*1e3) + " ms"
				}
				row = append(row, cell)
			}
			table = append(table, row)
		}
	}
	return table
}
