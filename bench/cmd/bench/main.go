// Command bench measures webodar side by side with its peers, each as a process
// of its own on this machine, in one run:
//
//	cd bench && go run ./cmd/bench           a table on stdout
//	cd bench && go run ./cmd/bench -write    and in docs/BENCHMARKS.md
//
// It builds the servers itself, and installs the packages of the Node peer by
// npm; without Node the rows in question say so. It opens no connection but to
// the loopback interface, and ends whatever it started.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/bench/internal/report"
	"github.com/webodar/webodar/bench/internal/sample"
)

// limit ends a run that hangs.
const limit = 15 * time.Minute

type settings struct {
	rounds                int
	turn                  time.Duration
	only, webodar, corpus string
	write                 bool
}

func main() {
	s := settings{}
	flag.IntVar(&s.rounds, "rounds", 5, "how often each contestant gets a turn")
	flag.DurationVar(&s.turn, "time", time.Second, "how long a turn takes")
	flag.StringVar(&s.only, "only", "", "run these `JOBS`, separated by commas, of "+strings.Join(jobNames(), ", "))
	flag.StringVar(&s.webodar, "webodar", "", "use this `BINARY` instead of building webodar")
	flag.StringVar(&s.corpus, "corpus", filepath.Join("..", "..", "shared", "corpus", "plantuml"), "`FOLDER` of .puml files to encode, if there is one")
	flag.BoolVar(&s.write, "write", false, "write docs/BENCHMARKS.md")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, cancel := context.WithTimeout(ctx, limit)
	err := run(ctx, &s)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures and reports. Missed targets are no error: the table says so.
func run(ctx context.Context, s *settings) (err error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return fmt.Errorf("finding the folder: %w", err)
	}
	if _, err := os.Stat(filepath.Join(root, "peers", "node", "package.json")); err != nil {
		return errors.New("run this in the folder bench of the repository")
	}
	if s.rounds < 1 || s.turn < 50*time.Millisecond {
		return errors.New("-rounds must be at least 1 and -time at least 50ms")
	}
	if s.write && s.only != "" {
		return errors.New("-write needs all jobs, not -only some")
	}
	selected, err := selectJobs(s.only)
	if err != nil {
		return err
	}
	texts, err := sample.Corpus(s.corpus)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "building")
	set, err := peer.Build(ctx, root, s.webodar)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.Remove()) }()
	b := &bench{
		set: set, corpus: texts, nodeDir: filepath.Join(root, "peers", "node"),
		plan: measure.Plan{Rounds: s.rounds, Turn: s.turn, WarmUp: s.turn},
	}
	for _, j := range selected {
		fmt.Fprintln(os.Stderr, "measuring", j.name)
		if err := b.run(ctx, j); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	return b.report(root, s.write)
}

//go:embed benchmarks.md.tmpl
var document string

// report writes the tables to stdout and, if asked to, the document.
func (b *bench) report(root string, write bool) error {
	verdict, comparison, figures := report.Verdict(b.rows), report.Comparison(b.rows), report.Table(append([][]string{figureHead}, b.figures...))
	machine := report.Machine(b.set.Versions)
	fmt.Printf("%s\n%s\n\n%s\n%s", comparison, verdict, figures, machine)
	if !write {
		return nil
	}
	return report.Write(filepath.Join(filepath.Dir(root), "docs", "BENCHMARKS.md"), document, map[string]any{
		"Comparison": comparison, "Verdict": verdict, "Figures": figures, "Machine": machine,
		"Command": fmt.Sprintf("go run ./cmd/bench -rounds %d -time %s -write", b.plan.Rounds, b.plan.Turn),
		"Rounds":  b.plan.Rounds, "Turn": b.plan.Turn,
	})
}
