// Command benchprint measures drawing from the shell side by side with mermaid-cli, each
// time in a new process, on this machine, in one run:
//
//	cd bench && go run ./cmd/benchprint           tables on stdout
//	cd bench && go run ./cmd/benchprint -write    and in docs/BENCHMARKS-PRINT.md
//
// It builds webodar, and installs mermaid-cli by npm. mermaid-cli needs a Chromium: the
// one on PATH, or that which CHROME_PATH names. Without it the rows in question say so.
// The diagrams are those in the folders typical and valid of -corpus.
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
	"slices"
	"time"

	"github.com/webodar/webodar/bench/internal/report"
)

//go:embed print.md.tmpl
var page string

// limit ends a run that hangs.
const limit = 30 * time.Minute

type settings struct {
	rounds          int
	webodar, corpus string
	write           bool
}

func main() {
	s := settings{}
	flag.IntVar(&s.rounds, "rounds", 3, "how often each file is drawn")
	flag.StringVar(&s.webodar, "webodar", "", "use this `BINARY` instead of building webodar")
	flag.StringVar(&s.corpus, "corpus", filepath.Join("..", "..", "shared", "corpus", "mermaid"), "`FOLDER` with the folders typical and valid")
	flag.BoolVar(&s.write, "write", false, "write docs/BENCHMARKS-PRINT.md")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, cancel := context.WithTimeout(ctx, limit)
	err := run(ctx, &s)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchprint:", err)
		os.Exit(1)
	}
}

// run measures and reports. Missed targets are no error: the table says so.
func run(ctx context.Context, s *settings) (err error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "peers", "mermaidcli", "package.json")); err != nil {
		return errors.New("run this in the folder bench of the repository")
	}
	if s.rounds < 1 {
		return errors.New("-rounds must be at least 1")
	}
	typical, err := diagrams(filepath.Join(s.corpus, "typical"))
	if err != nil {
		return err
	}
	valid, err := diagrams(filepath.Join(s.corpus, "valid"))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "webodar-benchprint-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{dir: dir, rounds: s.rounds, typical: typical, valid: valid, versions: map[string]string{}}
	if err := b.prepare(ctx, root, s.webodar); err != nil {
		return err
	}
	if err := b.measure(ctx); err != nil {
		return err
	}
	rows, figures := report.Comparison(b.rows()), report.Table(b.figures())
	machine := report.Machine(b.versions)
	fmt.Printf("%s\n%s\n%s", rows, figures, machine)
	if !s.write {
		return nil
	}
	return report.Write(filepath.Join(filepath.Dir(root), "docs", "BENCHMARKS-PRINT.md"), page, map[string]any{
		"Comparison": rows, "Figures": figures, "Machine": machine, "Rounds": s.rounds,
	})
}

// diagrams are the Mermaid files in a folder.
func diagrams(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.mmd"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no diagrams in %s: name a folder with -corpus", dir)
	}
	for i, f := range files {
		if files[i], err = filepath.Abs(f); err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return files, nil
}
