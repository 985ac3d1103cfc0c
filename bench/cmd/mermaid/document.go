package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/browser"
	"github.com/webodar/webodar/bench/internal/report"
)

//go:embed mermaid.md.tmpl
var page string

// report writes the tables to stdout and, if asked to, the document.
func (b *bench) report(root string) error {
	warm, started := b.figures()
	comparison, verdict, machine := report.Comparison(b.rows), report.Verdict(b.rows), report.Machine(b.versions)
	machine += "- load average at the start: " + b.load + "\n"
	fmt.Printf("%s\n%s\n\n%s%s%s", comparison, verdict, warm, started, machine)
	if !b.write {
		return nil
	}
	return report.Write(filepath.Join(filepath.Dir(root), "docs", "MERMAID-BENCHMARKS.md"), page, map[string]any{
		"Comparison": comparison, "Verdict": verdict, "WarmFigures": warm, "StartFigures": started, "Machine": machine,
		"Rounds": b.rounds, "Calls": b.calls, "Burst": b.burst, "Starts": b.starts, "Renders": b.renders, "Pause": b.pause, "Warm": b.rounds * b.calls, "Steady": steady, "Together": together,
	})
}

// figures are the tables with a row for each diagram; empty where a job was left out.
func (b *bench) figures() (warm, started string) {
	head := []string{"diagram", "warm", browser.Page, "the same, from outside", "sustained", "CPU, warm", "CPU of the browser"}
	startHead := []string{"diagram", "from process start", browser.CLI, "most memory", browser.CLI}
	var rows, startRows [][]string
	n := time.Duration(b.rounds * b.calls)
	for _, d := range b.diagrams {
		if d.warm != nil {
			rows = append(rows, times(d.name, median(d.warm), median(d.inside), median(d.outside), median(d.sustained), d.cpu/n, d.pageCPU/n))
		}
		if d.calls != nil {
			startRows = append(startRows, append(times(d.name, median(d.calls), median(d.clis)), megabytes(d.memory), megabytes(d.cliPeak)))
		}
	}
	table := func(head []string, rows [][]string) string {
		if rows == nil {
			return ""
		}
		return report.Table(append([][]string{head}, rows...)) + "\n"
	}
	return table(head, rows), table(startHead, startRows)
}

func times(name string, figures ...time.Duration) []string {
	row := []string{name}
	for _, f := range figures {
		row = append(row, millis(float64(f)))
	}
	return row
}

// load is how much the machine has to do besides.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	average, _, _ := strings.Cut(string(text), " ")
	return average
}
