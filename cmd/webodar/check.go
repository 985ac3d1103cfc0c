package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/batch"
)

type checkFlags struct {
	format, kind string
	asJSON       bool
	timeout      time.Duration
	jobs         int
}

func newCheck() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check FILE…|-",
		Short: "Check the diagrams of files without drawing them",
		Long: `Check the diagrams of files: Mermaid files (.mmd, .mermaid), and every mermaid
fence of Markdown files (.md). Of a directory, those below it. Each mistake is a line

  FILE:LINE:COLUMN: MESSAGE

on standard output, with the line in the file, also for a fence. The exit code is 1 if
there is any. --format sarif is for code scanning, github for the log of a workflow,
which then shows each mistake at its line.`,
		Example: `  webodar check README.md docs
  webodar check --format github $(git ls-files '*.md' '*.mmd')`,
		RunE: func(cmd *cobra.Command, args []string) error { return checkFiles(cmd, args, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "text", strings.Join(batch.ReportFormats, ", "))
	flags.BoolVar(&f.asJSON, "json", false, "print JSON, as --format json does")
	flags.StringVar(&f.kind, "kind", "", "what the files hold, whatever their names say: "+strings.Join(batch.Kinds, ", "))
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "`TIME` for one diagram, 1s to 2m")
	flags.IntVar(&f.jobs, "jobs", 0, "diagrams checked at a time (default: one a core)")
	for _, name := range []string{"format", "json", "kind"} {
		flags.Lookup(name).Annotations = map[string][]string{notSetting: {}}
	}
	completeWith(cmd, "format", batch.ReportFormats)
	completeWith(cmd, "kind", batch.Kinds)
	return cmd
}

func (f *checkFlags) check(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usageError{errors.New("name the files to check, or - for standard input; usage: " + cmd.UseLine())}
	case !slices.Contains(batch.ReportFormats, f.format):
		return usageError{fmt.Errorf("--format %s: want one of %s", f.format, strings.Join(batch.ReportFormats, ", "))}
	case f.kind != "" && !slices.Contains(batch.Kinds, f.kind):
		return usageError{fmt.Errorf("--kind %s: want one of %s", f.kind, strings.Join(batch.Kinds, ", "))}
	}
	if f.asJSON {
		f.format = "json"
	}
	return oneOf(cmd, "format", "json")
}

func checkFiles(cmd *cobra.Command, args []string, f *checkFlags) error {
	if err := f.check(cmd, args); err != nil {
		return err
	}
	ctx := cmd.Context()
	files, problems := batch.Load(ctx, args, &batch.LoadOptions{
		Kind: batch.Kind(f.kind), Stdin: func(context.Context) ([]byte, error) { return readInput(cmd, stdinName) },
	})
	report := &batch.Report{Files: len(files), Diagrams: batch.Diagrams(files), Problems: append([]batch.Problem{}, problems...)}
	cat, stop, err := catalogFor(cmd, report.Diagrams)
	if err != nil {
		return err
	}
	bar := newReporter(cmd, report.Diagrams, true)
	batch.Check(ctx, cat, files, &batch.CheckOptions{Timeout: f.timeout, Jobs: f.jobs, Done: bar.progress}, func(_ *batch.Diagram, found []batch.Problem) {
		report.Problems = append(report.Problems, found...)
	})
	bar.end()
	if err := stop(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return f.write(cmd, report)
}

// write writes the report, and is an error if there is one in it.
func (f *checkFlags) write(cmd *cobra.Command, report *batch.Report) error {
	out := cmd.OutOrStdout()
	if f.format == "text" && isTerminal(out) {
		for i := range report.Problems {
			fmt.Fprintln(out, details(&report.Problems[i]))
		}
	} else if err := report.Write(out, f.format, buildVersion()); err != nil {
		return err
	}
	if n := report.Errors(); n > 0 {
		return fmt.Errorf("%s in %s of %s", count(n, "mistake"), count(report.Diagrams, "diagram"), count(report.Files, "file"))
	}
	return nil
}

// count is a number of things in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
