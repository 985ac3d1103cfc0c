// Package report writes what was measured as Markdown: a table of webodar
// against each peer, one of all figures, and the facts of the machine.
package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Target is what a figure has to reach.
type Target struct {
	Bound  float64
	AtMost bool   // at least otherwise
	Unit   string // of the figure; empty for a ratio
	Aim    bool   // what is aimed at, not what is required
}

func (t Target) met(v float64) bool {
	if t.AtMost {
		return v <= t.Bound
	}
	return v >= t.Bound
}

func (t Target) String() string {
	text := "≥ "
	if t.AtMost {
		text = "≤ "
	}
	text += strconv.FormatFloat(t.Bound, 'g', -1, 64)
	if t.Unit != "" {
		text += " " + t.Unit
	}
	if t.Aim {
		text = "aim " + text
	}
	return text
}

// Row is webodar against one peer, or, without a peer, against a figure.
type Row struct {
	Job, Ours, Peer, Theirs string
	// Value is what the targets judge: the ratio, or webodar's own figure.
	Value   float64
	Targets []Target
	// Missing says why there is nothing to compare.
	Missing string
}

// Missed reports whether the row was measured and misses what is required.
func (r *Row) Missed() bool {
	for _, t := range r.Targets {
		if !t.Aim && r.Missing == "" && !t.met(r.Value) {
			return true
		}
	}
	return false
}

func (r *Row) cells() []string {
	var targets, met []string
	for _, t := range r.Targets {
		targets = append(targets, t.String())
		switch {
		case r.Missing != "":
			met = append(met, "–")
		case t.met(r.Value):
			met = append(met, "yes")
		case t.Aim:
			met = append(met, "not yet")
		default:
			met = append(met, "**no**")
		}
	}
	ratio, theirs := "", r.Theirs
	switch {
	case r.Missing != "":
		theirs = "not measured: " + r.Missing
	case r.Peer != "":
		ratio = fmt.Sprintf("%.2f", r.Value)
	}
	return []string{r.Job, r.Ours, r.Peer, theirs, ratio, strings.Join(targets, "; "), strings.Join(met, "; ")}
}

// Comparison is the table of rows.
func Comparison(rows []Row) string {
	cells := [][]string{{"job", "webodar", "peer", "peer's figure", "ratio", "target", "met?"}}
	for _, r := range rows {
		cells = append(cells, r.cells())
	}
	return Table(cells)
}

// Verdict counts the rows with a target, and those that miss it.
func Verdict(rows []Row) string {
	missed, judged, left := 0, 0, 0
	for i := range rows {
		switch r := &rows[i]; {
		case len(r.Targets) == 0:
		case r.Missing != "":
			left++
		default:
			judged++
			if r.Missed() {
				missed++
			}
		}
	}
	verdict := fmt.Sprintf("All %d rows with a target meet what is required.", judged)
	if missed > 0 {
		verdict = fmt.Sprintf("%d of %d rows with a target miss what is required.", missed, judged)
	}
	if left > 0 {
		verdict += fmt.Sprintf(" %d more could not be measured.", left)
	}
	return verdict
}

// Table aligns cells, the first row being the head.
func Table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(&b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		b.WriteString("|\n")
		for i := range row {
			if n > 0 {
				break
			}
			b.WriteString("|" + strings.Repeat("-", widths[i]+2))
		}
		if n == 0 {
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// Figure writes a number with three digits that count, thousands set apart.
func Figure(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-2)
	v = math.Round(v/unit) * unit
	text := strconv.FormatFloat(v, 'f', max(0, int(-math.Floor(math.Log10(unit)))), 64)
	if strings.Contains(text, ".") {
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
