package batch

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// target is where a diagram's picture goes.
type target struct {
	diagram *Diagram
	path    string
	problem *Problem // why it cannot be drawn
}

// plan gives each diagram a path. Two never have the same one, and none has that of a
// file that is read.
func plan(files []*File, opts *DrawOptions) []target {
	var targets []target
	taken := map[string]string{}
	for _, f := range files {
		if f.Name != Stdin {
			taken[key(f.Name)] = f.Name
		}
	}
	for _, f := range files {
		for _, d := range f.Diagrams {
			t := target{diagram: d, path: d.path(opts)}
			other, clash := taken[key(t.path)]
			switch {
			case d.Kind == PlantUML:
				p := d.notInBuild()
				t.problem = &p
			case t.path == Stdin:
			case clash:
				t.problem = d.clash(t.path, other)
			default:
				taken[key(t.path)] = d.Name()
			}
			targets = append(targets, t)
		}
	}
	return targets
}

// path is where d's picture goes.
func (d *Diagram) path(opts *DrawOptions) string {
	if opts.Out != "" {
		return opts.Out
	}
	name := d.File.Name
	if name == Stdin {
		name = "stdin"
	}
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if d.Number > 0 {
		base = fmt.Sprintf("%s-%d", base, d.Number)
	}
	dir := filepath.Join(opts.OutDir, d.File.below)
	if opts.OutDir == "" {
		dir = filepath.Dir(name)
	}
	return filepath.Join(dir, base+"."+opts.format())
}

func (d *Diagram) clash(path, other string) *Problem {
	p := Problem{
		File: display(d.File.Name), Severity: Error, Code: "OUTPUT_CLASH", Message: fmt.Sprintf("the picture would go to %s, and so would that of %s", path, other),
		Hint: "Draw them by separate commands, with another --out-dir.",
	}
	if KindOf(path) != "" {
		p.Message, p.Hint = fmt.Sprintf("the picture would overwrite %s, which is read", other), "Give another name with -o."
	}
	p.Line, p.Column = d.Place(0, 0)
	return &p
}

// key is the same for two names of one path.
func key(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return filepath.Clean(path)
}

// link is path as a Markdown file refers to it.
func (f *File) link(path string) string {
	from := "."
	if f.Name != Stdin {
		from = filepath.Dir(f.Name)
	}
	relative, err := filepath.Rel(from, path)
	if err != nil { // one of them is absolute, or on another drive
		a, errA := filepath.Abs(from)
		b, errB := filepath.Abs(path)
		if errors.Join(errA, errB) != nil {
			return filepath.ToSlash(path)
		}
		if relative, err = filepath.Rel(a, b); err != nil {
			return filepath.ToSlash(path)
		}
	}
	return filepath.ToSlash(relative)
}
