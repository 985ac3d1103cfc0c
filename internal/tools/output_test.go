package tools_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/artifact"
	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/render"
	"github.com/webodar/webodar/internal/tools"
)

const drawn = "<svg></svg>"

// printer is a catalogue whose drawings are all the same, with every place for them.
func printer(t *testing.T, base string) (c *catalog.Catalog, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	files, err := artifact.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	store := artifact.NewStore(nil)
	builtin, err := tools.All(&tools.Options{
		Outputs: tools.Outputs{Store: store, Dir: files, LinkBase: func() string { return base }},
		Drawer: drawFunc(func(context.Context, render.Job) (json.RawMessage, error) {
			return json.RawMessage(`{"drawing":{"type":"pie","title":"","svg":"` + drawn + `"}}`), nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err = catalog.New(&catalog.Options{Tools: builtin, Families: []catalog.Family{tools.Artifacts(store)}})
	if err != nil {
		t.Fatal(err)
	}
	return c, dir
}

func TestOutputResource(t *testing.T) {
	c, _ := printer(t, "http://127.0.0.1:8080")
	a, _ := call(t, c, "mermaid_to_svg", `{"code":"pie","output":"resource"}`)
	r := a.Resource
	if !a.OK || a.SVG != "" || r == nil || r.MIMEType != "image/svg+xml" || r.Bytes != len(drawn) ||
		r.URL != strings.Replace(r.URI, "webodar://artifact/", "http://127.0.0.1:8080/artifacts/", 1) {
		t.Fatalf("%+v", a)
	}
	contents, err := c.ReadFamily(t.Context(), r.URI)
	if err != nil || string(contents.Data) != drawn || contents.MIMEType != "image/svg+xml" || !contents.Text {
		t.Errorf("%+v %v", contents, err)
	}
	res, err := c.Call(t.Context(), "mermaid_to_svg", json.RawMessage(`{"code":"pie","output":"resource"}`))
	if err != nil || res.Picture != nil || len(res.Links) != 1 || res.Links[0].URI == r.URI {
		t.Errorf("%+v %v", res, err)
	}
	for _, uri := range []string{"webodar://artifact/", "webodar://artifact/00000000000000000000000000000000.svg", r.URI + "x", "webodar://other"} {
		if _, err := c.ReadFamily(t.Context(), uri); catalog.AsError(err).Type != catalog.ResourceNotFound {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

func TestOutputFile(t *testing.T) {
	c, dir := printer(t, "")
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, args, code, hint string }{
		{"written", `{"code":"pie","output":"file","path":"docs/a.svg"}`, "", ""},
		{"there already", `{"code":"pie","output":"file","path":"docs/a.svg"}`, "INVALID_INPUT", "overwrite"},
		{"over it", `{"code":"pie","output":"file","path":"docs/a.svg","overwrite":true}`, "", ""},
		{"no path", `{"code":"pie","output":"file"}`, "INVALID_INPUT", "relative path"},
		{"another extension", `{"code":"pie","output":"file","path":"a.sh"}`, "INVALID_INPUT", "extension"},
		{"up", `{"code":"pie","output":"file","path":"../a.svg"}`, "INVALID_INPUT", "relative path"},
		{"up and down", `{"code":"pie","output":"file","path":"docs/../../a.svg"}`, "INVALID_INPUT", "relative path"},
		{"absolute", `{"code":"pie","output":"file","path":"/tmp/a.svg"}`, "INVALID_INPUT", "relative path"},
		{"through a link", `{"code":"pie","output":"file","path":"link/a.svg","overwrite":true}`, "INVALID_INPUT", "relative path"},
		{"a path of another type", `{"code":"pie","output":"file","path":5}`, "INVALID_INPUT", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, failed := call(t, c, "mermaid_to_svg", tt.args)
			if tt.code == "" {
				if failed != nil || a.File == nil || a.File.Path != "docs/a.svg" || a.File.Bytes != len(drawn) || a.SVG != "" {
					t.Errorf("%v %+v", failed, a)
				}
				return
			}
			if failed == nil || failed.Code != tt.code || !strings.Contains(failed.Hint, tt.hint) || strings.Contains(failed.Message, dir) || a.Errors[0].Details["fields"] == nil {
				t.Errorf("%+v", failed)
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(dir, "docs", "a.svg")); err != nil || string(data) != drawn {
		t.Errorf("%q %v", data, err)
	}
}

// Over REST any page may call the tool, but only a trusted caller has files written.
func TestOutputFileOverREST(t *testing.T) {
	c, dir := printer(t, "")
	for _, guarded := range []bool{false, true} {
		ctx := catalog.WithRequest(t.Context(), &catalog.Request{Surface: catalog.REST, Guarded: guarded})
		_, err := c.Call(ctx, "mermaid_to_svg", json.RawMessage(`{"code":"pie","output":"file","path":"a.svg"}`))
		_, statErr := os.Stat(filepath.Join(dir, "a.svg"))
		if guarded != (err == nil) || guarded != (statErr == nil) {
			t.Errorf("guarded %v: %v, %v", guarded, err, statErr)
		}
		if !guarded && catalog.AsError(err).Type != catalog.Forbidden {
			t.Error(err)
		}
	}
}

// A server without these places neither offers nor takes them.
func TestOutputsThatAreNotThere(t *testing.T) {
	c := newCatalog(t, nil)
	for _, output := range []string{"resource", "file", "printer"} {
		a, failed := call(t, c, "mermaid_to_svg", `{"code":"pie","output":"`+output+`"}`)
		if failed == nil || failed.Code != "INVALID_INPUT" || a.Errors[0].Details["fields"] == nil {
			t.Errorf("%s: %+v", output, failed)
		}
	}
}
