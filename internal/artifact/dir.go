package artifact

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// Reason says why a file was not written.
type Reason string

// The reasons of a [PathError].
const (
	BadPath Reason = "bad path"   // not a relative path without dot elements
	Outside Reason = "outside"    // a link in it leads out of the directory
	Exists  Reason = "exists"     // and the caller did not ask to overwrite
	NoFile  Reason = "not a file" // there is something that is no plain file
	System  Reason = "system"     // the system said no
)

// PathError is a path that was refused, or could not be written.
type PathError struct {
	Reason Reason
	Path   string
	Cause  error // may be nil
}

func (e *PathError) Error() string {
	switch e.Reason {
	case BadPath:
		return fmt.Sprintf("%q is not a path below the directory", e.Path)
	case Outside:
		return fmt.Sprintf("%q leads out of the directory", e.Path)
	case Exists:
		return fmt.Sprintf("there is a file at %q already", e.Path)
	case NoFile:
		return fmt.Sprintf("%q is not a plain file", e.Path)
	}
	return fmt.Sprintf("%q cannot be written", e.Path)
}

func (e *PathError) Unwrap() error { return e.Cause }

// Dir writes files below one directory and nowhere else: neither a path nor a link in
// it leads out. Its methods are safe for concurrent use.
type Dir struct{ root *os.Root }

// OpenDir returns the directory at dir, which it makes if it is not there.
func OpenDir(dir string) (*Dir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{root}, nil
}

// Close lets go of the directory.
func (d *Dir) Close() error { return d.root.Close() }

// maxPath is the most bytes a path may have.
const maxPath = 1024

// Write writes a file at a path with slashes, and the directories above it. A file that
// is there is replaced in one step, and only if overwrite says so. The error is a
// [*PathError].
func (d *Dir) Write(name string, data []byte, overwrite bool) error {
	if err := CheckPath(name); err != nil {
		return err
	}
	local := filepath.FromSlash(name)
	if parent := filepath.Dir(local); parent != "." {
		if err := d.root.MkdirAll(parent, 0o755); err != nil {
			return refused(name, err)
		}
	}
	info, err := d.root.Lstat(local)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return &PathError{Reason: NoFile, Path: name}
	case err == nil && !overwrite:
		return &PathError{Reason: Exists, Path: name}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return refused(name, err)
	}
	if !overwrite {
		return d.create(name, local, data)
	}
	temporary := filepath.Join(filepath.Dir(local), "."+rand.Text()+".tmp")
	if err := d.create(name, temporary, data); err != nil {
		return err
	}
	if err := d.root.Rename(temporary, local); err != nil {
		return errors.Join(refused(name, err), d.root.Remove(temporary))
	}
	return nil
}

// create writes a file that must not be there yet; after a failure it is gone again.
func (d *Dir) create(name, local string, data []byte) error {
	f, err := d.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return &PathError{Reason: Exists, Path: name, Cause: err}
	}
	if err != nil {
		return refused(name, err)
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(refused(name, err), d.root.Remove(local))
	}
	return nil
}

// refused tells a way out of the directory from other failures. os.Root has no error
// value for it.
func refused(name string, err error) *PathError {
	e := &PathError{Reason: System, Path: name, Cause: err}
	if strings.Contains(err.Error(), "escapes") {
		e.Reason = Outside
	}
	return e
}

// CheckPath says, without a look at the disk, what is wrong with a path for [Dir.Write].
// The error is a [*PathError].
func CheckPath(name string) error {
	if !isPlain(name) {
		return &PathError{Reason: BadPath, Path: clip(name)}
	}
	return nil
}

// isPlain reports whether name is relative, in its shortest form, and a name on every
// system: without drive, backslash, wildcards, control characters or hidden elements.
func isPlain(name string) bool {
	if name == "" || len(name) > maxPath || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)) ||
		strings.ContainsAny(name, `\:*?"<>|`) || strings.ContainsFunc(name, unicode.IsControl) {
		return false
	}
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(element, ".") || strings.TrimRight(element, " .") != element {
			return false
		}
	}
	return true
}

func clip(name string) string {
	if r := []rune(name); len(r) > 100 {
		return string(r[:99]) + "…"
	}
	return name
}
