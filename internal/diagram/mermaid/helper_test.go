package mermaid_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/jsengine"
)

// realms are kept ones that no test uses at the moment.
var realms = make(chan *mermaid.Realm, 4)

func TestMain(m *testing.M) {
	code := m.Run()
	close(realms)
	for r := range realms {
		_ = r.Close()
	}
	os.Exit(code)
}

func bundle(t testing.TB) *jsengine.Bundle {
	t.Helper()
	b, err := engines.Mermaid()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED: ", err)
	}
	return b
}

// fresh returns a realm that nothing was drawn in.
func fresh(t testing.TB) *mermaid.Realm {
	t.Helper()
	r, err := mermaid.Prepare(bundle(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// render draws as a worker process does: in a realm that is brought back to before the
// drawing afterwards.
func render(t testing.TB, req *mermaid.Request) (*mermaid.Drawing, error) {
	t.Helper()
	var r *mermaid.Realm
	select {
	case r = <-realms:
	default:
		var err error
		if r, err = mermaid.Prepare(bundle(t)); err != nil {
			t.Fatal(err)
		}
		if err := r.Keep(); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := r.Reset(); err != nil {
			t.Error(err)
			return
		}
		select {
		case realms <- r:
		default:
			_ = r.Close()
		}
	}()
	return mermaid.Render(context.Background(), r, req)
}

// mustRender fails the test where there is no drawing, and where it is no XML.
func mustRender(t testing.TB, req *mermaid.Request) *mermaid.Drawing {
	t.Helper()
	d, err := render(t, req)
	if err != nil {
		t.Fatalf("%v\n%s", err, req.Code)
	}
	if !req.CheckOnly {
		checkXML(t, d.SVG)
	}
	return d
}

// problemOf fails the test where there is no problem.
func problemOf(t testing.TB, req *mermaid.Request) *mermaid.Problem {
	t.Helper()
	_, err := render(t, req)
	var p *mermaid.Problem
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want a problem\n%s", err, req.Code)
	}
	if p.Message == "" || p.Hint == "" {
		t.Errorf("message %q, hint %q: want both", p.Message, p.Hint)
	}
	return p
}

func config(t testing.TB, text string) mermaid.Config {
	t.Helper()
	c, _, p := mermaid.ParseConfig(json.RawMessage(text))
	if p != nil {
		t.Fatal(p)
	}
	return c
}

func checkXML(t testing.TB, svg string) {
	t.Helper()
	if !strings.HasPrefix(svg, "<svg") || !strings.HasSuffix(svg, "</svg>") {
		t.Errorf("not an svg element: %.60q", svg)
	}
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
}

// corpus finds shared/corpus/mermaid beside the repository.
func corpus(t *testing.T, sub string) []string {
	t.Helper()
	if os.Getenv("WEBODAR_CORPUS") == "" {
		t.Skip("make corpus runs this")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		files, _ := filepath.Glob(filepath.Join(dir, "shared", "corpus", "mermaid", sub, "*.mmd"))
		if len(files) > 0 {
			return files
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	if root := os.Getenv("WEBODAR_CORPUS_DIR"); root != "" {
		if files, _ := filepath.Glob(filepath.Join(root, "mermaid", sub, "*.mmd")); len(files) > 0 {
			return files
		}
	}
	if os.Getenv("WEBODAR_CORPUS") == "required" {
		t.Fatalf("no shared/corpus/mermaid/%s above the package, and WEBODAR_CORPUS_DIR does not name it", sub)
	}
	t.Skipf("SKIPPED: no shared/corpus/mermaid/%s above the package; WEBODAR_CORPUS_DIR=… names another place", sub)
	return nil
}
