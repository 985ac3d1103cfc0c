package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/proc"
	"github.com/webodar/webodar/bench/internal/report"
)

// steady is after how many renders, or a few more, nothing may grow any more.
const steady = 50

// state is what a server and its workers hold.
type state struct{ memory, workers, goroutines, descriptors, processes int } // workers: their memory alone

func (s *server) look(ctx context.Context) (now state, err error) {
	if err := s.settle(ctx); err != nil {
		return now, err
	}
	if now.goroutines, err = s.goroutines(ctx); err != nil {
		return now, err
	}
	family := proc.Family(s.PID())
	now.memory, now.workers = proc.Sum(family, proc.Resident), proc.Sum(family[1:], proc.Resident)
	now.descriptors = proc.Sum(family, proc.Descriptors)
	now.processes = len(family)
	return now, nil
}

// memories says who holds how much: the server first, then its workers.
func (s *server) memories() string {
	var each []string
	for _, pid := range proc.Family(s.PID()) {
		each = append(each, megabytes(proc.Resident(pid)))
	}
	return strings.Join(each, " + ")
}

// endurance draws many diagrams, two at a time, and compares what server and workers hold
// after some and after all.
func (b *bench) endurance(ctx context.Context) (err error) {
	if runtime.GOOS != "linux" {
		fmt.Fprintln(os.Stderr, "NOT MEASURED: what", b.renders, "renders leave behind: this system does not tell")
		return nil
	}
	const workers = 2
	s, err := b.serve(ctx, workers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := b.warmUp(ctx, s, workers); err != nil {
		return err
	}
	drawn := 2 * workers * len(b.diagrams) // while it warmed up
	var early state
	most, earlyAt, start := 0, 0, time.Now()
	for i := 0; drawn < b.renders; i++ {
		if _, err := b.atOnce(ctx, s, b.diagrams[i%len(b.diagrams)], workers); err != nil {
			return fmt.Errorf("render %d: %w", drawn, err)
		}
		drawn += workers
		switch {
		case early.processes == 0 && drawn >= steady && i%len(b.diagrams) == len(b.diagrams)-1:
			// After the same diagram as at the end.
			if early, err = s.look(ctx); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "  after %d: %+v\n", drawn, early)
			earlyAt, start = drawn, time.Now()
		case early.processes > 0:
			most = max(most, proc.Sum(proc.Family(s.PID()), proc.Resident))
		}
		if drawn%100 < workers {
			fmt.Fprintf(os.Stderr, "  after %d: %s\n", drawn, s.memories())
		}
	}
	took := time.Since(start)
	late, err := s.look(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "  after %d: %+v, %.1f renders/s, at most %s between\n", drawn, late, float64(drawn-earlyAt)/took.Seconds(), megabytes(most))
	title, peer := fmt.Sprintf("%d renders: ", drawn), fmt.Sprintf("itself after %d", earlyAt)
	add := func(what string, late, early int, show func(int) string, targets ...report.Target) {
		b.rows = append(b.rows, report.Row{
			Job: title + what, Ours: show(late), Peer: peer, Theirs: show(early), Value: float64(late) / float64(early), Targets: targets,
		})
	}
	count := func(n int) string { return fmt.Sprint(n) }
	add("memory of server and workers", late.memory, early.memory, megabytes, atMost(1.1))
	add("of that, the workers'", late.workers, early.workers, megabytes)
	add("the most of it at any time", most, early.memory, megabytes)
	add("goroutines of the server", late.goroutines, early.goroutines, count, atMost(1.1))
	add("descriptors", late.descriptors, early.descriptors, count, atMost(1))
	add("processes", late.processes, early.processes, count, atMost(1))
	return nil
}
