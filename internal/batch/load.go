package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// maxFile is the most bytes a file may have. Each diagram has a lower limit of its own.
const maxFile = catalog.DefaultMessageBytes

// LoadOptions say how files are read. Nil suits where standard input is not among them.
type LoadOptions struct {
	Kind  Kind // of every file; empty: by the extension, and Mermaid for standard input
	Stdin func(ctx context.Context) ([]byte, error)
	// Roots are directories that the files were found below, beside those that are
	// named: an output directory gets the same structure.
	Roots []string
}

// Load reads files, and of directories those whose extension stands for a kind that can
// be drawn. What cannot be read is a problem and stops nothing. A file that is named
// twice is read once.
func Load(ctx context.Context, names []string, opts *LoadOptions) ([]*File, []Problem) {
	if opts == nil {
		opts = &LoadOptions{}
	}
	roots := slices.Clone(opts.Roots)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			roots = append(roots, name)
		}
	}
	names, problems := expand(names)
	var files []*File
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		f, p := load(ctx, name, opts)
		if p != nil {
			problems = append(problems, *p)
			continue
		}
		f.below = below(roots, name)
		files = append(files, f)
	}
	return files, problems
}

// below is the directory of a file relative to the root that it is below; empty if it
// is below none.
func below(roots []string, name string) string {
	for _, root := range roots {
		if relative, err := filepath.Rel(root, filepath.Dir(name)); err == nil && filepath.IsLocal(relative) {
			return relative
		}
	}
	return ""
}

func load(ctx context.Context, name string, opts *LoadOptions) (*File, *Problem) {
	kind := cmp.Or(opts.Kind, KindOf(name))
	if kind == "" && name == Stdin {
		kind = Mermaid
	}
	if kind == "" {
		if _, err := os.Stat(name); err != nil {
			return nil, unreadable(name, err)
		}
		return nil, &Problem{
			File: name, Line: 1, Column: 1, Severity: Error, Code: "UNKNOWN_KIND", Message: "the extension says nothing of what is in the file",
			Hint: "Say it with --kind: " + strings.Join(Kinds, ", ") + ".",
		}
	}
	var data []byte
	var err error
	if name == Stdin {
		if opts.Stdin == nil {
			return nil, unreadable(name, errors.New("there is no standard input here"))
		}
		data, err = opts.Stdin(ctx)
	} else {
		data, err = readFile(name)
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	if p := checkText(name, data); p != nil {
		return nil, p
	}
	return newFile(name, kind, data), nil
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		return nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	return data, err
}

func unreadable(name string, err error) *Problem {
	p := &Problem{
		File: display(name), Line: 1, Column: 1, Severity: Error, Code: "FILE_UNREADABLE",
		Message: "cannot be read: " + reasonOf(err).Error(), Hint: "Pass the path of a plain file, or - to read standard input.",
	}
	var coded *catalog.Error
	switch {
	case errors.As(err, &coded):
		p.Code, p.Message, p.Hint = coded.Code, coded.Message, coded.Hint
	case errors.Is(err, fs.ErrNotExist):
		p.Hint = "Check the path."
	case errors.Is(err, fs.ErrPermission):
		p.Hint = "Make the file readable for you."
	}
	return p
}

// reasonOf is err without the path, which is told anyway.
func reasonOf(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}

// expand puts what is in directories in place of them.
func expand(names []string) (files []string, problems []Problem) {
	seen := map[string]bool{}
	add := func(name string) {
		if key := filepath.Clean(name); !seen[key] {
			seen[key] = true
			files = append(files, name)
		}
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if name == Stdin || err != nil || !info.IsDir() {
			add(name) // an error shows when it is read
			continue
		}
		err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				problems = append(problems, *unreadable(path, err))
			case entry.IsDir() && path != name && Skipped(entry.Name()):
				return fs.SkipDir
			case entry.Type().IsRegular() && drawable(path):
				add(path)
			}
			return nil
		})
		if err != nil {
			problems = append(problems, *unreadable(name, err))
		}
	}
	return files, problems
}

// Skipped reports whether a directory of this name is left out of those that are walked:
// hidden ones, and where package managers keep what others wrote.
func Skipped(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "vendor"}, name)
}

// drawable reports whether a file that nobody named is of interest.
func drawable(name string) bool {
	kind := KindOf(name)
	return kind == Mermaid || kind == Markdown
}
