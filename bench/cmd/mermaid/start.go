package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/webodar/webodar/bench/internal/browser"
	"github.com/webodar/webodar/bench/internal/proc"
	"github.com/webodar/webodar/bench/internal/report"
)

// start measures drawing in a new process.
func (b *bench) start(ctx context.Context) error {
	for round := range b.starts {
		fmt.Fprintf(os.Stderr, "  round %d of %d\n", round+1, b.starts)
		for _, d := range b.diagrams {
			took, peak, err := b.call(ctx, d.code)
			if err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			d.calls, d.memory = append(d.calls, took), max(d.memory, peak)
			if b.missing != nil {
				continue
			}
			if took, _, err = b.cli(ctx, d.code, false); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			d.clis = append(d.clis, took)
		}
	}
	if b.missing == nil {
		fmt.Fprintln(os.Stderr, "  memory of", browser.CLI)
		for _, d := range b.diagrams {
			_, peak, err := b.cli(ctx, d.code, true)
			if err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			d.cliPeak = peak
		}
	}
	b.startRows()
	return nil
}

// call draws with "webodar call" and tells the most memory that it held.
func (b *bench) call(ctx context.Context, code string) (took time.Duration, peak int, err error) {
	arguments, err := json.Marshal(map[string]string{"code": b.fresh(code)})
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, b.webodar, "call", "mermaid_to_svg", "--json", "-")
	cmd.Stdin = bytes.NewReader(arguments)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	begin := time.Now()
	err = cmd.Run()
	took = time.Since(begin)
	if err != nil {
		return 0, 0, fmt.Errorf("webodar call: %w: %.300s", err, complaint.String())
	}
	var result struct{ SVG string }
	if err := json.Unmarshal(out.Bytes(), &result); err != nil || result.SVG == "" {
		return 0, 0, fmt.Errorf("webodar call printed no picture: %.300s", out.String())
	}
	return took, proc.Peak(cmd.ProcessState), nil
}

// cli draws with mermaid-cli. With watched it tells the most memory that all of its
// processes held together; looking at them slows it down.
func (b *bench) cli(ctx context.Context, code string, watched bool) (took time.Duration, peak int, err error) {
	in, out := filepath.Join(b.dir, "in.mmd"), filepath.Join(b.dir, "out.svg")
	if err := os.WriteFile(in, []byte(b.fresh(code)), 0o644); err != nil {
		return 0, 0, err
	}
	command := append(b.peers.CLI(), "-i", in, "-o", out)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &complaint
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	done, most := make(chan struct{}), make(chan int, 1)
	if watched {
		go func() { most <- proc.Watch(cmd.Process.Pid, done) }()
	} else {
		most <- 0
	}
	err = cmd.Wait()
	took = time.Since(begin)
	close(done)
	peak = <-most
	if err == nil {
		err = os.Remove(out) // so that the next cannot leave this one behind
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %.300s", browser.CLI, err, complaint.String())
	}
	return took, peak, nil
}

func (b *bench) startRows() {
	ours := func(d *diagram) float64 { return float64(median(d.calls)) }
	theirs := func(d *diagram) float64 { return float64(median(d.clis)) }
	ratio := func(d *diagram) float64 { return ours(d) / theirs(d) }
	const title = "mermaid_to_svg from process start"
	b.compared(title+", geometric mean", func() string { return millis(b.mean(ours)) }, browser.CLI,
		func() string { return millis(b.mean(theirs)) }, func() float64 { return b.mean(ratio) }, atMost(.25), aim(.1))
	worst := b.most(ours)
	if b.missing == nil {
		worst = b.most(ratio)
	}
	b.compared(title+", worst: "+worst.name, func() string { return millis(ours(worst)) }, browser.CLI,
		func() string { return millis(theirs(worst)) }, func() float64 { return ratio(worst) }, atMost(third))
	share := func(d *diagram) float64 { return float64(d.memory) / float64(d.cliPeak) }
	if worst = b.most(func(d *diagram) float64 { return float64(d.memory) }); b.missing == nil {
		worst = b.most(share)
	}
	b.compared("most memory of that, worst: "+worst.name, func() string { return megabytes(worst.memory) }, browser.CLI,
		func() string { return megabytes(worst.cliPeak) }, func() float64 { return share(worst) }, atMost(third), aim(.2))
}

// third is 1/3 as tables show it.
const third = .33

func megabytes(bytes int) string { return report.Figure(float64(bytes)/1e6) + " MB" }

// large measures a flowchart of 100 nodes in a new process.
func (b *bench) large(ctx context.Context) error {
	code := flowchart(100)
	var ours, theirs []time.Duration
	for range b.starts {
		took, _, err := b.call(ctx, code)
		if err != nil {
			return err
		}
		ours = append(ours, took)
		if b.missing != nil {
			continue
		}
		if took, _, err = b.cli(ctx, code, false); err != nil {
			return err
		}
		theirs = append(theirs, took)
	}
	const title = "flowchart of 100 nodes from process start"
	seconds := median(ours).Seconds()
	figure := func() string { return report.Figure(seconds) + " s" }
	b.rows = append(b.rows, report.Row{Job: title, Ours: figure(), Value: seconds, Targets: []report.Target{
		{Bound: 5, AtMost: true, Unit: "s"}, {Bound: 1, AtMost: true, Unit: "s", Aim: true},
	}})
	b.compared(title, figure, browser.CLI, func() string { return report.Figure(median(theirs).Seconds()) + " s" },
		func() float64 { return seconds / median(theirs).Seconds() })
	return nil
}
