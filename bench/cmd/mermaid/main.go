// Command mermaid measures drawing of Mermaid diagrams on this machine, in one run, side
// by side with mermaid in a page of Chromium that stays open, and with mermaid-cli:
//
//	cd bench && go run ./cmd/mermaid           tables on stdout
//	cd bench && go run ./cmd/mermaid -write    and in docs/MERMAID-BENCHMARKS.md
//	cd bench && go run ./cmd/mermaid -short    in a minute or two, to try things
//
// It builds webodar, and installs the peers by npm; they need a Chromium, the one on PATH
// or that which CHROME_PATH names. Without it the rows in question say so. The diagrams
// are those in -corpus or, where there is none, those of the repository's tests. It opens
// no connection but to the loopback interface, and ends whatever it started.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/browser"
	"github.com/webodar/webodar/bench/internal/peer"
)

// limit ends a run that hangs.
const limit = 45 * time.Minute

type settings struct {
	rounds, calls, burst  int
	starts, renders       int
	pause                 time.Duration
	only, webodar, corpus string
	short, write          bool
}

func main() {
	s := settings{}
	flag.IntVar(&s.rounds, "rounds", 5, "how often each contestant gets a turn")
	flag.IntVar(&s.calls, "calls", 5, "warm renders of each diagram in a round")
	flag.IntVar(&s.burst, "burst", 8, "renders of each diagram in a round without a pause")
	flag.IntVar(&s.starts, "starts", 3, "how often each diagram is drawn in a new process")
	flag.IntVar(&s.renders, "renders", 1000, "how many renders memory has to stay flat for")
	flag.DurationVar(&s.pause, "pause", 60*time.Millisecond, "after each warm render")
	flag.StringVar(&s.only, "only", "", "run these `JOBS`, separated by commas, of "+strings.Join(jobNames(), ", "))
	flag.StringVar(&s.webodar, "webodar", "", "use this `BINARY` instead of building webodar")
	flag.StringVar(&s.corpus, "corpus", filepath.Join("..", "..", "shared", "corpus", "mermaid", "typical"), "`FOLDER` of .mmd files to draw")
	flag.BoolVar(&s.short, "short", false, "few rounds and renders, whatever the other flags say")
	flag.BoolVar(&s.write, "write", false, "write docs/MERMAID-BENCHMARKS.md")
	flag.Parse()
	if s.short {
		s.rounds, s.calls, s.burst, s.starts, s.renders = 2, 2, 2, 1, 120
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, cancel := context.WithTimeout(ctx, limit)
	err := run(ctx, &s)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mermaid:", err)
		os.Exit(1)
	}
}

// run measures and reports. Missed targets are no error: the table says so.
func run(ctx context.Context, s *settings) (err error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "peers", "chromium", "page.mjs")); err != nil {
		return errors.New("run this in the folder bench of the repository")
	}
	if min(s.rounds, s.calls, s.burst, s.starts) < 1 || s.renders < 2*steady {
		return fmt.Errorf("-rounds, -calls, -burst and -starts must be at least 1, and -renders %d", 2*steady)
	}
	if s.write && (s.only != "" || s.short) {
		return errors.New("-write needs all jobs at full length, not -only some or -short")
	}
	selected, err := selectJobs(s.only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "webodar-bench-mermaid-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{settings: s, dir: dir, load: load(), versions: map[string]string{}}
	if b.diagrams, err = read(s.corpus, root); err != nil {
		return err
	}
	if err := b.prepare(ctx, root); err != nil {
		return err
	}
	for _, j := range selected {
		fmt.Fprintln(os.Stderr, "measuring", j.name)
		if err := j.run(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	return b.report(root)
}

// prepare builds webodar and installs the peers.
func (b *bench) prepare(ctx context.Context, root string) (err error) {
	fmt.Fprintln(os.Stderr, "building")
	if b.webodar, err = peer.Binary(ctx, root, b.dir, b.settings.webodar); err != nil {
		return err
	}
	if b.versions["webodar"], err = version(ctx, b.webodar, root); err != nil {
		return err
	}
	if b.peers, b.missing = browser.Install(ctx, root, b.dir); b.missing != nil {
		fmt.Fprintf(os.Stderr, "NOT MEASURED: %s and %s: %v\n", browser.Page, browser.CLI, b.missing)
		return nil
	}
	maps.Copy(b.versions, b.peers.Versions)
	return nil
}

// version is what a binary says of itself or, where that is nothing, what git says of the
// tree that it was built from.
func version(ctx context.Context, binary, tree string) (string, error) {
	out, err := exec.CommandContext(ctx, binary, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("webodar --version: %w", err)
	}
	said := strings.TrimSpace(strings.TrimPrefix(string(out), "webodar"))
	if said != "dev" {
		return said, nil
	}
	if out, err := exec.CommandContext(ctx, "git", "-C", tree, "describe", "--always", "--dirty").Output(); err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	return said, nil
}
