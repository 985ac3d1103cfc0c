// Command jdo keeps track of what you have said you will do: commitments, and the
// visions, goals and milestones they are for. It is also the app that package uat is
// proven on; see scenarios.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/examples/jdo/internal/store"
	"github.com/webodar/webodar/examples/jdo/internal/tui"
	"github.com/webodar/webodar/uat"
)

const usage = `usage: jdo [--db FILE]             open the app
       jdo [--db FILE] add TEXT    put a thought into the inbox
       jdo uat run FILE…           run acceptance scenarios (jdo uat help)
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "uat" {
		return uat.Main(ctx, "jdo uat", Open, args[1:], stdout, stderr)
	}
	flags := flag.NewFlagSet("jdo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	file := flags.String("db", defaultFile(), "")
	if err := flags.Parse(args); err == flag.ErrHelp {
		return 0
	} else if err != nil {
		return 2
	}
	if err := open(ctx, *file, flags.Args(), stdout); err != nil {
		fmt.Fprintln(stderr, "jdo:", err)
		return 1
	}
	return 0
}

func open(ctx context.Context, file string, args []string, stdout io.Writer) (err error) {
	if len(args) > 0 && (args[0] != "add" || len(args) == 1) {
		return fmt.Errorf("cannot do %q\n%s", strings.Join(args, " "), usage)
	}
	s, err := store.Open(file)
	if err != nil {
		return err
	}
	defer func() {
		if closing := s.Close(); err == nil {
			err = closing
		}
	}()
	if len(args) > 0 {
		text := strings.Join(args[1:], " ")
		if err := s.Capture(text); err != nil {
			return err
		}
		_, err := fmt.Fprintln(stdout, "in the inbox:", text)
		return err
	}
	_, err = tea.NewProgram(tui.New(s, time.Now), tea.WithContext(ctx)).Run()
	return err
}

// defaultFile is where the data of a user lies.
func defaultFile() string {
	if file := os.Getenv("JDO_DB"); file != "" {
		return file
	}
	dir := os.Getenv("XDG_DATA_HOME")
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(dir, "jdo", "jdo.db")
}
