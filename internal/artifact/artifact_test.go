package artifact_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/webodar/webodar/internal/artifact"
)

func put(t *testing.T, s *artifact.Store, data string) artifact.Artifact {
	t.Helper()
	a, err := s.Put([]byte(data), "image/svg+xml", ".svg")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestStore(t *testing.T) {
	s := artifact.NewStore(&artifact.Options{Bytes: 10, Count: 3})
	a := put(t, s, "aaaa")
	if !regexp.MustCompile(`^[0-9a-f]{32}\.svg$`).MatchString(a.Name) || a.Bytes != 4 ||
		a.URI() != "webodar://artifact/"+a.Name || a.Path() != "/artifacts/"+a.Name {
		t.Errorf("%+v", a)
	}
	if name, ok := artifact.NameOf(a.URI()); !ok || name != a.Name {
		t.Errorf("name %q", name)
	}
	if data, mimeType, ok := s.Get(a.Name); string(data) != "aaaa" || mimeType != "image/svg+xml" || !ok {
		t.Errorf("got %q, %s, %v", data, mimeType, ok)
	}
	b, c := put(t, s, "bbbb"), put(t, s, "cc")
	has := func(a artifact.Artifact) bool { _, _, ok := s.Get(a.Name); return ok }
	if !has(a) || !has(b) || !has(c) {
		t.Error("something was forgotten before its time")
	}
	d := put(t, s, "d") // the fourth
	if has(a) || !has(b) || !has(c) || !has(d) {
		t.Error("the count is not kept, or another than the oldest was forgotten")
	}
	e := put(t, s, "eeeeeeee") // with d 9 bytes
	if has(b) || has(c) || !has(d) || !has(e) {
		t.Error("the bytes are not kept, or too much was forgotten")
	}
	var large *artifact.TooLargeError
	if _, err := s.Put(make([]byte, 11), "", ""); !errors.As(err, &large) || !has(e) {
		t.Errorf("more than the store: %v", err)
	}
	if x, y := put(t, s, "x"), put(t, s, "x"); x.Name == y.Name {
		t.Error("two artifacts have one name")
	}
}

func TestDirWrites(t *testing.T) {
	base := filepath.Join(t.TempDir(), "made")
	d, err := artifact.OpenDir(base)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	write := func(name, data string, overwrite bool) {
		t.Helper()
		if err := d.Write(name, []byte(data), overwrite); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(filepath.Join(base, filepath.FromSlash(name))); string(got) != data {
			t.Errorf("%s holds %q: %v", name, got, err)
		}
	}
	write("a.svg", "one", false)
	write("deep/er/b c.svg", "two", true)
	write("a.svg", "three", true)
	wants(t, d.Write("a.svg", []byte("four"), false), artifact.Exists)
	if err := os.Symlink(filepath.Join(base, "deep"), filepath.Join(base, "absolute")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("deep", filepath.Join(base, "inside")); err != nil {
		t.Fatal(err)
	}
	write("inside/c.svg", "five", false)
	files, err := filepath.Glob(filepath.Join(base, ".*"))
	if err != nil || len(files) > 0 {
		t.Errorf("left behind: %q, %v", files, err)
	}
}

func wants(t *testing.T, err error, reason artifact.Reason) {
	t.Helper()
	var bad *artifact.PathError
	if !errors.As(err, &bad) || bad.Reason != reason || bad.Error() == "" {
		t.Errorf("got %v, want %s", err, reason)
	}
}

// Nothing leads out of the directory, and what lies beside it stays as it was.
func TestDirHolds(t *testing.T) {
	base := t.TempDir()
	outside := filepath.Join(base, "outside")
	inside := filepath.Join(base, "inside")
	if err := errors.Join(os.MkdirAll(outside, 0o755), os.WriteFile(filepath.Join(outside, "kept.svg"), []byte("kept"), 0o644)); err != nil {
		t.Fatal(err)
	}
	d, err := artifact.OpenDir(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for link, target := range map[string]string{
		"out": outside, "up": "../outside", "file.svg": "../outside/kept.svg", "new.svg": "../outside/new.svg", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(inside, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(inside, "dir.svg"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, reason := range map[string]artifact.Reason{
		"":                                artifact.BadPath,
		".":                               artifact.BadPath,
		"..":                              artifact.BadPath,
		"../outside/kept.svg":             artifact.BadPath,
		"a/../../outside/kept.svg":        artifact.BadPath,
		"a/../b.svg":                      artifact.BadPath,
		"./a.svg":                         artifact.BadPath,
		"a//b.svg":                        artifact.BadPath,
		"a/":                              artifact.BadPath,
		"/etc/passwd":                     artifact.BadPath,
		outside + "/kept.svg":             artifact.BadPath,
		`..\outside\kept.svg`:             artifact.BadPath,
		`C:\a.svg`:                        artifact.BadPath,
		"C:a.svg":                         artifact.BadPath,
		"//server/share/a.svg":            artifact.BadPath,
		"a\x00.svg":                       artifact.BadPath,
		"a\n.svg":                         artifact.BadPath,
		".git/config":                     artifact.BadPath,
		".a.svg":                          artifact.BadPath,
		"a. /b.svg":                       artifact.BadPath,
		strings.Repeat("a/", 600) + "b":   artifact.BadPath,
		"out/kept.svg":                    artifact.Outside,
		"out/new.svg":                     artifact.Outside,
		"out/dir/new.svg":                 artifact.Outside,
		"up/kept.svg":                     artifact.Outside,
		"file.svg":                        artifact.NoFile,
		"new.svg":                         artifact.NoFile,
		"dir.svg":                         artifact.NoFile,
		"loop/a.svg":                      artifact.System,
		strings.Repeat("a", 300) + ".svg": artifact.System,
	} {
		for _, overwrite := range []bool{false, true} {
			t.Run(fmt.Sprintf("%.40q,%v", name, overwrite), func(t *testing.T) {
				wants(t, d.Write(name, []byte("evil"), overwrite), reason)
			})
		}
	}
	files, err := os.ReadDir(outside)
	kept, readErr := os.ReadFile(filepath.Join(outside, "kept.svg"))
	if err != nil || readErr != nil || len(files) != 1 || string(kept) != "kept" {
		t.Errorf("outside: %v %q %v %v", files, kept, err, readErr)
	}
}

func TestStoreTogether(t *testing.T) {
	s := artifact.NewStore(&artifact.Options{Count: 5})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				a, err := s.Put([]byte("x"), "", "")
				if err != nil {
					t.Error(err)
				}
				s.Get(a.Name)
			}
		})
	}
	group.Wait()
}
