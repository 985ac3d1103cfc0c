package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Generate man pages",
		Long: `Generate the man pages of all commands, section 1, in a directory, which is
made if need be. The pages are dated by SOURCE_DATE_EPOCH, or else by the commit
that the program was built from, so that they can be reproduced.`,
		Example: `  webodar man /usr/local/share/man/man1`,
		Args:    exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date, err := manDate(os.Getenv("SOURCE_DATE_EPOCH"))
			if err != nil {
				return usageError{err}
			}
			n, err := writeManPages(cmd.Root(), args[0], date)
			if err != nil {
				return &catalog.Error{
					Code: "FILE_UNWRITABLE", Message: fmt.Sprintf("cannot write man pages to %s: %v", args[0], reasonOf(err)),
					Hint: "Pass a directory that you may write to.", Cause: err,
				}
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s written to %s\n", plural(n, "man page"), args[0])
			return nil
		},
	}
}

// writeManPages writes a page for root and one for each command below it.
func writeManPages(root *cobra.Command, dir string, date time.Time) (int, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	n := 0
	var write func(*cobra.Command) error
	write = func(c *cobra.Command) error {
		file := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		if err := os.WriteFile(file, []byte(manPage(c, date)), 0o644); err != nil {
			return err
		}
		n++
		for _, sub := range documented(c) {
			if err := write(sub); err != nil {
				return err
			}
		}
		return nil
	}
	err := write(root)
	return n, err
}

// documented are the subcommands that have pages. Without cobra's help command,
// which only shows what the pages say.
func documented(c *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			list = append(list, sub)
		}
	}
	return list
}

// manDate is the date on the pages: of epoch, else of the commit, else the
// start of Unix time, which nobody takes for a date.
func manDate(epoch string) (time.Time, error) {
	if epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%q: want seconds since 1970", epoch)
		}
		return time.Unix(seconds, 0).UTC(), nil
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return t.UTC(), nil
			}
		}
	}
	return time.Unix(0, 0).UTC(), nil
}
