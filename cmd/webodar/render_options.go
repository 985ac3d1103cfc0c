package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/batch"
	"github.com/webodar/webodar/internal/catalog"
)

// options are what the flags say, as far as no file is needed to know that it makes
// sense.
func (f *renderFlags) options(cmd *cobra.Command, args []string) (*batch.DrawOptions, error) {
	if len(args) == 0 {
		return nil, usageError{errors.New("name the files to draw, or - for standard input; usage: " + cmd.UseLine())}
	}
	if err := oneOf(cmd, "output", "out-dir"); err != nil {
		return nil, err
	}
	if err := oneOf(cmd, "output", "in-place"); err != nil {
		return nil, err
	}
	format := f.format
	if extension := strings.TrimPrefix(filepath.Ext(f.out), "."); format == "" && f.out != "" && f.out != batch.Stdin {
		if !slices.Contains(batch.Formats, extension) {
			return nil, usageError{fmt.Errorf("-o %s: the name does not end with one of .%s; say the format with --format", f.out, strings.Join(batch.Formats, ", ."))}
		}
		format = extension
	}
	if format == "" {
		format = "svg"
	}
	if !slices.Contains(batch.Formats, format) {
		return nil, usageError{fmt.Errorf("--format %s: want one of %s", format, strings.Join(batch.Formats, ", "))}
	}
	if f.kind != "" && !slices.Contains(batch.Kinds, f.kind) {
		return nil, usageError{fmt.Errorf("--kind %s: want one of %s", f.kind, strings.Join(batch.Kinds, ", "))}
	}
	if format != "png" && (f.scale != 0 || f.width != 0) {
		return nil, usageError{errors.New("--scale and --width are for PNG")}
	}
	arguments, err := f.arguments(cmd)
	if err != nil {
		return nil, err
	}
	return &batch.DrawOptions{
		Format: format, Arguments: arguments, Out: f.out, OutDir: f.outDir, InPlace: f.inPlace, Jobs: f.jobs, Stdout: cmd.OutOrStdout(),
	}, nil
}

// arguments are those of the drawing tool, which checks them.
func (f *renderFlags) arguments(cmd *cobra.Command) (map[string]any, error) {
	a := map[string]any{"timeout_ms": f.timeout.Milliseconds()}
	for name, value := range map[string]string{"theme": f.theme, "background": f.background} {
		if value != "" {
			a[name] = value
		}
	}
	if f.scale != 0 {
		a["scale"] = f.scale
	}
	if f.width != 0 {
		a["width"] = f.width
	}
	if f.diagramOptions != "" {
		data, err := readInput(cmd, f.diagramOptions)
		if err != nil {
			return nil, err
		}
		if a["config_json"], err = checkText(f.diagramOptions, data); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (f *renderFlags) loading(cmd *cobra.Command) *batch.LoadOptions {
	return &batch.LoadOptions{Kind: batch.Kind(f.kind), Stdin: func(context.Context) ([]byte, error) { return readInput(cmd, stdinName) }}
}

// fits refuses what cannot be done with these files.
func (f *renderFlags) fits(opts *batch.DrawOptions, files []*batch.File, total int) error {
	markdown := slices.ContainsFunc(files, func(f *batch.File) bool { return f.Kind == batch.Markdown })
	stdin := slices.ContainsFunc(files, func(f *batch.File) bool { return f.Name == batch.Stdin })
	switch {
	case opts.Out != "" && total > 1:
		return usageError{fmt.Errorf("-o takes one diagram, and there are %d: use --out-dir", total)}
	case opts.InPlace && !markdown && len(files) > 0:
		return usageError{errors.New("--in-place is for Markdown files, and none is among these")}
	case stdin && opts.Out == "" && opts.OutDir == "":
		if total > 1 || opts.InPlace {
			return usageError{errors.New("pictures of several diagrams on standard input need --out-dir")}
		}
		opts.Out = batch.Stdin
	}
	if opts.Out == batch.Stdin && opts.Format != "svg" && isTerminal(opts.Stdout) {
		return usageError{fmt.Errorf("a %s would garble the terminal: write it to a file with -o", strings.ToUpper(opts.Format))}
	}
	return nil
}

// catalogFor is the catalogue for n diagrams: one is drawn in this process, several in
// workers beside each other. stop ends those.
func catalogFor(cmd *cobra.Command, n int) (cat *catalog.Catalog, stop func() error, err error) {
	stop = func() error { return nil }
	if n <= 1 {
		cat, err = newCatalog(cmd, nil, nil)
		return cat, stop, err
	}
	dirs, err := checkedFontDirs(cmd)
	if err != nil {
		return nil, nil, err
	}
	drawer, stop, err := pooledDrawer(dirs, drawing{})
	if err != nil {
		return nil, nil, err
	}
	if cat, err = newCatalog(cmd, nil, drawer); err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return cat, stop, nil
}
