package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/batch"
	"github.com/webodar/webodar/internal/catalog"
)

func newWatch() *cobra.Command {
	f := &renderFlags{}
	cmd := &cobra.Command{
		Use:   "watch PATH…",
		Short: "Draw the diagrams of files whenever they change",
		Long: `Draw the diagrams of files, as render does, and again whenever one changes, until
Ctrl-C. Of a directory, those below it, new ones too. A line tells of each picture and of
each mistake; a picture stays as it was while its source is broken.`,
		Example: `  webodar watch docs
  webodar watch README.md --in-place --out-dir docs/img`,
		RunE: func(cmd *cobra.Command, args []string) error { return watchFiles(cmd, args, f) },
	}
	f.define(cmd)
	return cmd
}

func watchFiles(cmd *cobra.Command, args []string, f *renderFlags) error {
	opts, err := f.options(cmd, args)
	if err != nil {
		return err
	}
	cat, stop, err := catalogFor(cmd, many) // workers stay warm for the next change
	if err != nil {
		return err
	}
	err = batch.Watch(cmd.Context(), args, func(names []string) {
		f.redraw(cmd, cat, opts, args, names)
	})
	if err != nil {
		err = usageError{err}
	}
	return errors.Join(err, stop())
}

// redraw draws what has changed, and says when all is well again.
func (f *renderFlags) redraw(cmd *cobra.Command, cat *catalog.Catalog, opts *batch.DrawOptions, roots, names []string) {
	ctx := cmd.Context()
	files, problems := batch.Load(ctx, names, &batch.LoadOptions{Kind: batch.Kind(f.kind), Roots: roots})
	r := newReporter(cmd, batch.Diagrams(files), f.quiet)
	for _, p := range problems {
		r.problem(&p)
	}
	round := *opts
	round.Done = r.progress
	batch.Draw(ctx, cat, files, &round, r.outcome)
	r.end()
	if !f.quiet && !errors.Is(ctx.Err(), context.Canceled) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d drawn, %d failed; waiting for changes\n", r.drawn, r.failed)
	}
}
