package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/batch"
)

// many is how many diagrams deserve a progress bar.
const many = 8

// reporter tells a person, or a log, how work on many diagrams goes: a line for each
// picture on stdout and for each problem on stderr, and on a terminal a bar.
type reporter struct {
	out, errOut io.Writer
	quiet       bool
	talkative   bool // there is a person at errOut, with room for details
	total       int  // 0: no bar

	mu            sync.Mutex
	bar           string
	drawn, failed int
}

func newReporter(cmd *cobra.Command, total int, quiet bool) *reporter {
	r := &reporter{out: cmd.OutOrStdout(), errOut: cmd.ErrOrStderr(), quiet: quiet}
	r.talkative = isTerminal(r.errOut)
	if r.talkative && total >= many {
		r.total = total
	}
	return r
}

// outcome tells what became of a diagram or file.
func (r *reporter) outcome(o batch.Outcome) {
	for i := range o.Problems {
		if !o.Problems[i].Cancelled() {
			r.show(&o.Problems[i])
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.Failed() {
		r.failed++
		return
	}
	name, note := o.File.Name, ""
	if o.Diagram != nil {
		r.drawn++
		name = o.Diagram.Name()
	}
	if o.Unchanged {
		note = " (unchanged)"
	}
	switch {
	case r.quiet || o.Path == batch.Stdin:
	case o.Diagram == nil:
		r.line(r.out, fmt.Sprintf("%s: pictures in place%s", name, note))
	default:
		r.line(r.out, fmt.Sprintf("%s -> %s%s", name, o.Path, note))
	}
}

// problem tells a problem that belongs to no diagram.
func (r *reporter) problem(p *batch.Problem) {
	r.show(p)
	r.mu.Lock()
	r.failed++
	r.mu.Unlock()
}

func (r *reporter) show(p *batch.Problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.quiet && p.Severity == batch.Warning {
		return
	}
	if !r.talkative {
		r.line(r.errOut, p.String())
		return
	}
	r.line(r.errOut, details(p))
}

// details is a problem for a person: with the line, what points at the place, and the
// hint.
func details(p *batch.Problem) string {
	short := *p
	short.Hint = ""
	text := short.String()
	if p.Source != "" {
		text += "\n    " + p.Source + "\n    " + p.Caret
	}
	if p.Hint != "" {
		text += "\n  hint: " + p.Hint
	}
	return text
}

// line writes a line above the bar. Needs mu. Nobody is left to hear of a failure.
func (r *reporter) line(w io.Writer, text string) {
	r.clear()
	_, _ = fmt.Fprintln(w, text)
	_, _ = io.WriteString(r.errOut, r.bar)
}

func (r *reporter) clear() {
	if r.bar != "" {
		_, _ = io.WriteString(r.errOut, "\r\x1b[K")
	}
}

// progress draws the bar.
func (r *reporter) progress(done, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.total == 0 {
		return
	}
	const width = 30
	full := width * done / total
	r.clear()
	r.bar = fmt.Sprintf("[%s%s] %d of %d", strings.Repeat("#", full), strings.Repeat(".", width-full), done, total)
	_, _ = io.WriteString(r.errOut, r.bar)
}

// end takes the bar away.
func (r *reporter) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clear()
	r.bar, r.total = "", 0
}

// failure is the command's error; nil if nothing failed. Each problem has been told.
func (r *reporter) failure(what string, total int) error {
	if r.failed == 0 {
		return nil
	}
	if total == 1 {
		return fmt.Errorf("it was not %s", what)
	}
	return fmt.Errorf("%d of %d were not %s", r.failed, total, what)
}
