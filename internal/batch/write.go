package batch

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/webodar/webodar/internal/markdown"
)

// write writes a file in one step, so that nobody ever sees half of one, and not at all
// if it holds data already. Links are followed.
func write(path string, data []byte, stdout io.Writer) (unchanged bool, err error) {
	if path == Stdin {
		_, err := stdout.Write(data)
		return false, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return false, errors.New("there is a directory of this name")
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device
		return false, os.WriteFile(path, data, mode)
	case err == nil:
		mode = info.Mode().Perm()
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			return true, nil
		}
	default:
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return false, err
		}
	}
	temporary := filepath.Join(filepath.Dir(path), ".webodar-"+rand.Text())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return false, err
	}
	_, err = f.Write(data)
	if info != nil { // what the old file allows, whatever the umask
		err = errors.Join(err, f.Chmod(mode))
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return false, errors.Join(err, os.Remove(temporary))
	}
	return false, nil
}

func (d *Diagram) unwritable(path string, err error) Problem {
	p := Problem{File: display(d.File.Name), Severity: Error, Code: "FILE_UNWRITABLE", Message: fmt.Sprintf("cannot write %s: %v", path, reasonOf(err))}
	p.Line, p.Column = d.Place(0, 0)
	return p
}

// embed puts pictures into a Markdown file, unless it has changed since it was read.
func (f *File) embed(pictures map[int]markdown.Picture, opts *DrawOptions) Outcome {
	o := Outcome{File: f}
	out := markdown.Embed(f.Data, pictures)
	fail := func(code, message, hint string) Outcome {
		o.Problems = []Problem{{File: display(f.Name), Line: 1, Column: 1, Severity: Error, Code: code, Message: message, Hint: hint}}
		return o
	}
	if f.Name != Stdin {
		now, err := readFile(f.Name)
		if err != nil || !bytes.Equal(now, f.Data) {
			return fail("FILE_CHANGED", "the file was changed while its diagrams were drawn, and is left as it is", "Run the command again.")
		}
	}
	unchanged, err := write(f.Name, out, opts.Stdout)
	if err != nil {
		return fail("FILE_UNWRITABLE", "cannot be written: "+reasonOf(err).Error(), "")
	}
	o.Path, o.Unchanged = f.Name, unchanged
	return o
}
