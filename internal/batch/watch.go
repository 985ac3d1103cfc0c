package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must be left alone before it is read: editors write in
// several steps.
const settle = 100 * time.Millisecond

// Watch calls changed with the files, of those that names say, that have changed, until
// ctx ends. names are files, or directories with all below them. It is called first with
// those that are there already, from one goroutine, and never while it runs. Directories
// that appear are watched too.
func Watch(ctx context.Context, names []string, changed func(names []string)) error {
	w, err := newWatcher(names)
	if err != nil {
		return err
	}
	defer w.fs.Close()
	files, _ := expand(names)
	if len(files) > 0 {
		changed(files)
	}
	pending := map[string]bool{}
	timer := time.NewTimer(settle)
	timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-w.fs.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return fmt.Errorf("watching: %w", err)
			}
			files, _ := expand(names) // something was missed
			note(pending, files)
		case event := <-w.fs.Events:
			note(pending, w.concerns(event))
		case <-timer.C:
			files := w.present(pending)
			clear(pending)
			if len(files) > 0 && ctx.Err() == nil {
				changed(files)
			}
		}
		if len(pending) > 0 {
			timer.Reset(settle)
		}
	}
}

func note(pending map[string]bool, names []string) {
	for _, name := range names {
		pending[name] = true
	}
}

type watcher struct {
	fs    *fsnotify.Watcher
	files map[string]string // named files, as they were given, by clean path
	trees []string          // named directories
}

func newWatcher(names []string) (*watcher, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	w := &watcher{fs: system, files: map[string]string{}}
	for _, name := range names {
		if err := w.add(name); err != nil {
			return nil, errors.Join(err, system.Close())
		}
	}
	return w, nil
}

func (w *watcher) add(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, reasonOf(err))
	}
	if info.IsDir() {
		w.trees = append(w.trees, filepath.Clean(name))
		_, err := w.addTree(name)
		return err
	}
	// The directory, since editors put another file in place of the one watched.
	w.files[filepath.Clean(name)] = name
	return w.watch(filepath.Dir(name))
}

// addTree watches a directory and those below it, and returns the files of interest in
// them.
func (w *watcher) addTree(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // gone again, or not ours to read
		case !entry.IsDir():
			if drawable(path) {
				files = append(files, path)
			}
			return nil
		case path != root && Skipped(entry.Name()):
			return fs.SkipDir
		}
		return w.watch(path)
	})
	return files, err
}

func (w *watcher) watch(dir string) error {
	if err := w.fs.Add(dir); err != nil {
		return fmt.Errorf("watching %s: %w", dir, err)
	}
	return nil
}

// concerns returns the files that an event is about, if they are of interest.
func (w *watcher) concerns(event fsnotify.Event) []string {
	if !event.Has(fsnotify.Write) && !event.Has(fsnotify.Create) {
		return nil
	}
	path := filepath.Clean(event.Name)
	if name, ok := w.files[path]; ok {
		return []string{name}
	}
	if !slices.ContainsFunc(w.trees, func(tree string) bool { return isBelow(tree, path) }) {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if Skipped(filepath.Base(path)) {
			return nil
		}
		files, _ := w.addTree(path) // a directory that cannot be watched is not of those named
		return files
	}
	if drawable(path) && !strings.HasPrefix(filepath.Base(path), ".") {
		return []string{path}
	}
	return nil
}

func isBelow(tree, path string) bool {
	relative, err := filepath.Rel(tree, path)
	return err == nil && filepath.IsLocal(relative)
}

// present returns those of pending that are there, in order.
func (w *watcher) present(pending map[string]bool) []string {
	var names []string
	for name := range pending {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
