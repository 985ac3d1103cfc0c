package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/browser"
	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/bench/internal/report"
)

// job is a part of a run that can be asked for by itself.
type job struct {
	name string
	run  func(*bench, context.Context) error
}

var jobs = []job{
	{"warm", (*bench).warm},
	{"start", (*bench).start},
	{"large", (*bench).large},
	{"many", (*bench).many},
	{"endurance", (*bench).endurance},
	{"timeout", (*bench).timeout},
}

func jobNames() []string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.name)
	}
	return names
}

// selectJobs picks jobs by their names; all when none is named.
func selectJobs(only string) ([]job, error) {
	if only == "" {
		return jobs, nil
	}
	var selected []job
	for name := range strings.SplitSeq(only, ",") {
		i := slices.Index(jobNames(), name)
		if i < 0 {
			return nil, fmt.Errorf("-only: there is no job %q; there are %s", name, strings.Join(jobNames(), ", "))
		}
		selected = append(selected, jobs[i])
	}
	return selected, nil
}

// bench is a run.
type bench struct {
	*settings
	dir      string
	webodar  string // the binary
	load     string // of the machine when the run began
	diagrams []*diagram
	peers    *browser.Peers
	missing  error // why there are no peers; nil when there are
	versions map[string]string
	drawn    int // inputs given out by fresh

	rows []report.Row
}

// fresh is a diagram's code with a comment that makes it an input which nothing can have
// remembered.
func (b *bench) fresh(code string) string {
	b.drawn++
	return fmt.Sprintf("%s\n%%%% %d\n", strings.TrimRight(code, "\n"), b.drawn)
}

// compared is a row of ours against a peer's. theirs is not looked at when the peer is
// missing.
func (b *bench) compared(title string, ours func() string, peer string, theirs func() string, ratio func() float64, targets ...report.Target) {
	r := report.Row{Job: title, Ours: ours(), Peer: peer, Targets: targets}
	if b.missing != nil {
		r.Missing = strings.Join(strings.Fields(b.missing.Error()), " ")
	} else {
		r.Theirs, r.Value = theirs(), ratio()
	}
	b.rows = append(b.rows, r)
}

// mean is the geometric mean over all diagrams of a figure of each.
func (b *bench) mean(figure func(*diagram) float64) float64 {
	sum := 0.0
	for _, d := range b.diagrams {
		sum += math.Log(figure(d))
	}
	return math.Exp(sum / float64(len(b.diagrams)))
}

// most is the diagram that has the highest figure.
func (b *bench) most(figure func(*diagram) float64) *diagram {
	return slices.MaxFunc(b.diagrams, func(x, y *diagram) int {
		if figure(x) < figure(y) {
			return -1
		}
		return 1
	})
}

func median(values []time.Duration) time.Duration {
	return measure.Percentile(slices.Clone(values), .5)
}

func millis(d float64) string { return report.Figure(d/float64(time.Millisecond)) + " ms" }

func atMost(bound float64) report.Target { return report.Target{Bound: bound, AtMost: true} }

func aim(bound float64) report.Target { return report.Target{Bound: bound, AtMost: true, Aim: true} }
