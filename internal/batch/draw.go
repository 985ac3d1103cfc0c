package batch

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/markdown"
)

// Formats are those that pictures can have.
var Formats = []string{"svg", "pdf", "png"}

// DrawOptions say what becomes of the diagrams. The zero value puts an SVG beside each
// file.
type DrawOptions struct {
	Format    string         // one of [Formats]; empty: svg
	Arguments map[string]any // of the tool, beside the source: theme, background and others
	Out       string         // where the picture goes if there is one diagram; "-" is Stdout
	OutDir    string         // where pictures go; empty: beside their file
	InPlace   bool           // put the pictures into Markdown files
	Jobs      int            // at a time; 0: one a core
	Stdout    io.Writer
	// Done, if not nil, is called each time a diagram is done with, in no order and
	// from any goroutine.
	Done func(done, total int)
}

// Outcome is what became of a diagram, or of a Markdown file that pictures were put into.
type Outcome struct {
	Diagram   *Diagram // nil for a file
	File      *File
	Path      string // of what was written; "-" for Stdout; empty if nothing was
	Unchanged bool   // it was there already
	Elapsed   time.Duration
	Problems  []Problem

	alt string
}

// Failed reports whether there is no picture.
func (o *Outcome) Failed() bool {
	return slices.ContainsFunc(o.Problems, func(p Problem) bool { return p.Severity == Error })
}

// Diagrams counts those in files.
func Diagrams(files []*File) int {
	n := 0
	for _, f := range files {
		n += len(f.Diagrams)
	}
	return n
}

// Draw draws every diagram and tells of each in order. It returns when all is written, or
// soon after ctx has ended: then the outcomes that are missing have a problem that is
// [Problem.Cancelled].
func Draw(ctx context.Context, tools Caller, files []*File, opts *DrawOptions, tell func(Outcome)) {
	targets := plan(files, opts)
	var done atomic.Int64
	pictures := map[int]markdown.Picture{}
	told := 0
	inOrder(ctx, len(targets), cmp.Or(opts.Jobs, runtime.GOMAXPROCS(0)), func(ctx context.Context, i int) Outcome {
		o := targets[i].draw(ctx, tools, opts)
		if n := int(done.Add(1)); opts.Done != nil {
			opts.Done(n, len(targets))
		}
		return o
	}, func(o Outcome) {
		tell(o)
		d := o.Diagram
		if !o.Failed() {
			pictures[d.index] = markdown.Picture{Path: d.File.link(o.Path), Alt: o.alt}
		}
		told++
		if told < len(targets) && targets[told].diagram.File == d.File {
			return
		}
		if opts.InPlace && d.File.Kind == Markdown && ctx.Err() == nil {
			tell(d.File.embed(pictures, opts))
		}
		clear(pictures)
	})
}

// draw draws one diagram and writes the picture.
func (t *target) draw(ctx context.Context, tools Caller, opts *DrawOptions) Outcome {
	begin := time.Now()
	d := t.diagram
	o := Outcome{Diagram: d, File: d.File}
	if t.problem != nil {
		o.Problems = []Problem{*t.problem}
		return o
	}
	arguments := map[string]any{"code": d.Code}
	if opts.InPlace {
		arguments["include_ast"] = true // its title says what the picture shows
	}
	maps.Copy(arguments, opts.Arguments)
	args, err := json.Marshal(arguments)
	if err != nil {
		o.Problems = []Problem{d.problem(catalog.Internal(err))}
		return o
	}
	a, picture, problems := d.readAnswer(tools.Call(ctx, "mermaid_to_"+opts.format(), args))
	if len(problems) == 0 && picture == nil {
		problems = []Problem{d.problem(catalog.Internal(errNoPicture))}
	}
	o.Problems = append(d.warnings(a.Warnings), problems...)
	o.Elapsed = time.Since(begin)
	if len(problems) > 0 {
		return o
	}
	o.alt = cmp.Or(a.AST.Title, mermaid.Describe(a.AST.Type))
	unchanged, err := write(t.path, picture, opts.Stdout)
	if err != nil {
		o.Problems = append(o.Problems, d.unwritable(t.path, err))
		return o
	}
	o.Path, o.Unchanged = t.path, unchanged
	return o
}

func (o *DrawOptions) format() string { return cmp.Or(o.Format, "svg") }
