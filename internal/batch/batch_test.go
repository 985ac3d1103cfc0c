package batch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/batch"
	"github.com/webodar/webodar/internal/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tools answers as the drawing tools do: the picture of code is <code>.
type tools func(ctx context.Context, tool, code string) error

func (f tools) Call(ctx context.Context, tool string, args json.RawMessage) (*catalog.Result, error) {
	var in struct {
		Code string `json:"code"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	if err := f(ctx, tool, strings.TrimSpace(in.Code)); err != nil {
		return nil, err
	}
	return &catalog.Result{
		Structured: map[string]any{"ok": true, "warnings": []string{}, "errors": []any{}},
		Picture:    &catalog.Picture{MIMEType: "image/svg+xml", Data: []byte("<" + strings.TrimSpace(in.Code) + ">")},
	}, nil
}

func draws(context.Context, string, string) error { return nil }

// in makes a directory with files, by name, and changes into it.
func in(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t *testing.T, names ...string) []*batch.File {
	t.Helper()
	files, problems := batch.Load(t.Context(), names, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return files
}

// Outcomes come in order though jobs end in any, and no more run at a time than allowed.
func TestDrawInOrder(t *testing.T) {
	files := map[string]string{}
	var names []string
	for i := range 30 {
		name := fmt.Sprintf("%02d.mmd", i)
		files[name] = name
		names = append(names, name)
	}
	in(t, files)
	var running, most atomic.Int32
	var mu sync.Mutex
	calls := 0
	draw := tools(func(context.Context, string, string) error {
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls%7 == 0 {
			return catalog.Internal(errors.New("seventh"))
		}
		return nil
	})
	var got []string
	failed, progressed := 0, 0
	var progress atomic.Int32
	batch.Draw(t.Context(), draw, load(t, names...), &batch.DrawOptions{OutDir: "out", Jobs: 3, Done: func(int, int) { progress.Add(1) }}, func(o batch.Outcome) {
		got = append(got, o.File.Name)
		if o.Failed() {
			failed++
		} else if data, err := os.ReadFile(o.Path); string(data) != "<"+o.File.Name+">" {
			t.Errorf("%s: %q, %v", o.Path, data, err)
		}
		progressed = int(progress.Load())
	})
	if diff := cmp.Diff(names, got); diff != "" {
		t.Error(diff)
	}
	if failed != 4 || most.Load() > 3 || progressed != 30 {
		t.Errorf("%d failed, %d at a time, %d done", failed, most.Load(), progressed)
	}
}

func TestDrawCancelled(t *testing.T) {
	in(t, map[string]string{"a.mmd": "a", "b.mmd": "b", "c.md": "```mermaid\nc\n```\n"})
	ctx, cancel := context.WithCancel(t.Context())
	draw := tools(func(ctx context.Context, _, code string) error {
		if code == "b" {
			cancel()
		}
		if ctx.Err() != nil {
			return &catalog.Error{Type: catalog.Cancelled, Code: "CANCELLED", Message: "left"}
		}
		return nil
	})
	cancelled := 0
	batch.Draw(ctx, draw, load(t, "a.mmd", "b.mmd", "c.md"), &batch.DrawOptions{Jobs: 1, InPlace: true}, func(o batch.Outcome) {
		if o.Failed() && o.Problems[0].Cancelled() {
			cancelled++
		}
	})
	if text, err := os.ReadFile("c.md"); cancelled != 2 || string(text) != "```mermaid\nc\n```\n" {
		t.Errorf("%d cancelled; c.md %q %v", cancelled, text, err)
	}
}

// A Markdown file that someone else changed meanwhile is left alone.
func TestDrawInPlaceChanged(t *testing.T) {
	in(t, map[string]string{"a.md": "```mermaid\na\n```\n"})
	draw := tools(func(context.Context, string, string) error { return os.WriteFile("a.md", []byte("changed"), 0o644) })
	var last batch.Outcome
	batch.Draw(t.Context(), draw, load(t, "a.md"), &batch.DrawOptions{InPlace: true}, func(o batch.Outcome) { last = o })
	if text, _ := os.ReadFile("a.md"); string(text) != "changed" || !last.Failed() || last.Problems[0].Code != "FILE_CHANGED" {
		t.Errorf("%q, %+v", text, last.Problems)
	}
}

// Files keep their modes and links; nothing else is left in the directory.
func TestDrawKeeps(t *testing.T) {
	in(t, map[string]string{"a.mmd": "a", "real/a.svg": "old", "b.mmd": "b"})
	if err := errors.Join(os.Chmod("real/a.svg", 0o600), os.Symlink("real/a.svg", "a.svg"), os.Mkdir("b.svg", 0o755)); err != nil {
		t.Fatal(err)
	}
	var problems []string
	batch.Draw(t.Context(), tools(draws), load(t, "a.mmd", "b.mmd"), &batch.DrawOptions{}, func(o batch.Outcome) {
		for _, p := range o.Problems {
			problems = append(problems, p.String())
		}
	})
	if diff := cmp.Diff([]string{"b.mmd:1:1: cannot write b.svg: there is a directory of this name"}, problems); diff != "" {
		t.Error(diff)
	}
	info, err := os.Lstat("a.svg")
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	text, err := os.ReadFile("real/a.svg")
	if info, _ := os.Stat("real/a.svg"); err != nil || string(text) != "<a>" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q %v %v", text, info, err)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 5 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestLoad(t *testing.T) {
	in(t, map[string]string{
		"a.mmd": "\ufeffpie\n", "b.MD": "\ufeff```mermaid\r\npie\r\n```\r\n", "c.puml": "x", "d.txt": "x", "bad.mmd": "ok\nno\xff",
		"sub/e.mermaid": "x", "sub/.hidden/f.mmd": "x", "sub/vendor/g.mmd": "x", "sub/h.puml": "x",
	})
	files, problems := batch.Load(t.Context(), []string{"a.mmd", "./a.mmd", "b.MD", "c.puml", "d.txt", "bad.mmd", "none", "sub", "-"}, &batch.LoadOptions{
		Stdin: func(context.Context) ([]byte, error) { return []byte("stdin"), nil },
	})
	var got []string
	for _, f := range files {
		for _, d := range f.Diagrams {
			got = append(got, fmt.Sprintf("%s %s %q", d.Name(), d.Kind, d.Code))
		}
	}
	for _, p := range problems {
		got = append(got, p.Code+" "+p.String())
	}
	want := []string{
		`a.mmd mermaid "pie\n"`,
		`b.MD:1 mermaid "pie\n"`,
		`c.puml plantuml "x"`,
		filepath.Join("sub", "e.mermaid") + ` mermaid "x"`,
		`stdin mermaid "stdin"`,
		"UNKNOWN_KIND d.txt:1:1: the extension says nothing of what is in the file. Say it with --kind: mermaid, plantuml, markdown.",
		"INVALID_UTF8 bad.mmd:2:3: the file is not UTF-8 from here on. Convert it first, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
		"FILE_UNREADABLE none:1:1: cannot be read: no such file or directory. Check the path.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Where a server would have a log, the shell tells what happened.
func TestCause(t *testing.T) {
	in(t, map[string]string{"a.mmd": "a"})
	fails := tools(func(context.Context, string, string) error {
		return &catalog.Error{Cause: errors.New("the pipe\nbroke"), Envelope: map[string]any{"errors": []any{map[string]any{
			"code": "RENDER_FAILED", "message": "the drawing engine failed", "details": map[string]any{"hint": "Try a simpler diagram; the server's log has the details."},
		}}}}
	})
	batch.Draw(t.Context(), fails, load(t, "a.mmd"), &batch.DrawOptions{}, func(o batch.Outcome) {
		if got := o.Problems[0].String(); got != "a.mmd:1:1: the drawing engine failed: the pipe broke. Try a simpler diagram." {
			t.Error(got)
		}
	})
}

// What tools say of lines is about the diagram; people and programs look into the file.
func TestCheckPlaces(t *testing.T) {
	in(t, map[string]string{"a.md": "x\n\n> - ```mermaid\n>   one\n>   two\n>   ```\n"})
	check := tools(func(context.Context, string, string) error {
		return &catalog.Error{Envelope: map[string]any{"ok": false, "warnings": []string{"line 1 is odd"}, "errors": []any{map[string]any{
			"code": "PARSE_ERROR", "message": `line 2, column 2: "line 2" does not fit line 1`,
			"details": map[string]any{"line": 2, "column": 2, "hint": "See line 1.", "source": "two", "caret": " ^"},
		}}}}
	})
	report := batch.Report{Files: 1, Diagrams: 1}
	batch.Check(t.Context(), check, load(t, "a.md"), nil, func(_ *batch.Diagram, found []batch.Problem) {
		report.Problems = append(report.Problems, found...)
	})
	var b bytes.Buffer
	if err := report.Write(&b, "text", ""); err != nil {
		t.Fatal(err)
	}
	const want = `a.md:5:6: "line 2" does not fit line 4. See line 4.
a.md:3:1: warning: line 4 is odd
`
	if diff := cmp.Diff(want, b.String()); diff != "" || report.Errors() != 1 {
		t.Error(diff)
	}
}
