package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/batch"
	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// renderFlags are what render and watch have in common.
type renderFlags struct {
	out, outDir, format, kind         string
	theme, background, diagramOptions string
	timeout                           time.Duration
	scale                             float64
	width                             int
	jobs                              int
	inPlace, quiet                    bool
}

func newRender() *cobra.Command {
	f := &renderFlags{}
	cmd := &cobra.Command{
		Use:   "render FILE…|-",
		Short: "Draw the diagrams of files",
		Long: `Draw the diagrams of files: Mermaid files (.mmd, .mermaid), and every mermaid fence
of Markdown files (.md). Of a directory, those below it. Pictures go beside their file,
into --out-dir (with the structure of a directory that was named), or to -o; that of
standard input goes to standard output. The n-th diagram of README.md becomes
README-n.svg.

With --in-place each fence of a Markdown file gives way to its picture, with the source
folded below it. Done again, it draws what has changed and nothing else.

A line tells of each picture, and of each failure, which stops nothing; the exit code
is 1 if there was any.`,
		Example: `  webodar render diagram.mmd
  webodar render docs/*.mmd --out-dir img --theme dark
  webodar render README.md --in-place --out-dir docs/img
  echo 'pie "a": 1' | webodar render - > pie.svg`,
		RunE: func(cmd *cobra.Command, args []string) error { return renderFiles(cmd, args, f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the one picture to this `FILE` (- for standard output)")
	f.define(cmd)
	flags.Lookup("output").Annotations = map[string][]string{notSetting: {}}
	return cmd
}

func (f *renderFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.outDir, "out-dir", "", "write pictures into this `DIRECTORY`")
	flags.StringVar(&f.format, "format", "", strings.Join(batch.Formats, ", ")+" (default: by -o, or svg)")
	flags.StringVar(&f.kind, "kind", "", "what the files hold, whatever their names say: "+strings.Join(batch.Kinds, ", "))
	flags.BoolVar(&f.inPlace, "in-place", false, "put the pictures into the Markdown files")
	flags.StringVar(&f.theme, "theme", "", "Mermaid theme (default: Mermaid's choice by the type of diagram)")
	flags.StringVar(&f.background, "background", "", "CSS `COLOUR` of the background, or transparent")
	flags.StringVar(&f.diagramOptions, "mermaid-config", "", "read Mermaid's configuration, a JSON object, from this `FILE`")
	flags.Float64Var(&f.scale, "scale", 0, "pixels for each px, of a PNG (default 1)")
	flags.IntVar(&f.width, "width", 0, "width in pixels, of a PNG, instead of --scale")
	fontDirFlag(flags)
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "`TIME` for one diagram, 1s to 2m")
	flags.IntVar(&f.jobs, "jobs", 0, "diagrams drawn at a time (default: one a core)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "tell of failures only")
	for _, name := range []string{"out-dir", "format", "kind", "in-place"} {
		flags.Lookup(name).Annotations = map[string][]string{notSetting: {}}
	}
	completeWith(cmd, "format", batch.Formats)
	completeWith(cmd, "kind", batch.Kinds)
	completeWith(cmd, "theme", mermaid.Themes)
}

func renderFiles(cmd *cobra.Command, args []string, f *renderFlags) error {
	opts, err := f.options(cmd, args)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	files, problems := batch.Load(ctx, args, f.loading(cmd))
	total := batch.Diagrams(files)
	if err := f.fits(opts, files, total); err != nil {
		return err
	}
	cat, stop, err := catalogFor(cmd, total)
	if err != nil {
		return err
	}
	r := newReporter(cmd, total, f.quiet || opts.Out == batch.Stdin)
	for _, p := range problems {
		r.problem(&p)
	}
	opts.Done = r.progress
	batch.Draw(ctx, cat, files, opts, r.outcome)
	r.end()
	if err := stop(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %d of %d diagrams", r.drawn, total)
	}
	return r.failure("drawn", total+len(problems))
}
