package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func tool(name string, h catalog.Handler) catalog.Tool {
	return catalog.Tool{Name: name, Input: &jsonschema.Schema{Type: "object"}, Handler: h}
}

func ok(context.Context, json.RawMessage) (*catalog.Result, error) {
	return &catalog.Result{Structured: map[string]any{}}, nil
}

func newCatalog(t *testing.T, opts *catalog.Options) *catalog.Catalog {
	t.Helper()
	c, err := catalog.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNewRefuses(t *testing.T) {
	for name, tools := range map[string][]catalog.Tool{
		"empty name":          {tool("", ok)},
		"name with dots":      {tool("a.b", ok)},
		"name twice":          {tool("a", ok), tool("a", ok)},
		"no schema":           {{Name: "a", Handler: ok}},
		"schema of no object": {{Name: "a", Handler: ok, Input: &jsonschema.Schema{Type: "string"}}},
	} {
		if _, err := catalog.New(&catalog.Options{Tools: tools}); err == nil {
			t.Errorf("%s: passed", name)
		}
	}
}

// Whatever a handler does, the caller gets an error of the contract.
func TestCallErrors(t *testing.T) {
	own := &catalog.Error{Type: catalog.ToolError, Code: "OWN", Message: "own"}
	c := newCatalog(t, &catalog.Options{Tools: []catalog.Tool{
		tool("panics", func(context.Context, json.RawMessage) (*catalog.Result, error) { panic("boom") }),
		tool("fails", func(context.Context, json.RawMessage) (*catalog.Result, error) { return nil, errors.New("boom") }),
		tool("own", func(context.Context, json.RawMessage) (*catalog.Result, error) { return nil, own }),
		tool("nothing", func(context.Context, json.RawMessage) (*catalog.Result, error) { return nil, nil }),
	}})
	for name, want := range map[string]catalog.Type{
		"panics": catalog.InternalError, "fails": catalog.InternalError, "nothing": catalog.InternalError,
		"own": catalog.ToolError, "onw": catalog.ToolNotFound,
	} {
		_, err := c.Call(t.Context(), name, nil)
		var e *catalog.Error
		if !errors.As(err, &e) || e.Type != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

func TestCallTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stubborn := make(chan struct{})
		slow := func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		exempt := tool("exempt", func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			time.Sleep(time.Hour)
			return ok(ctx, nil)
		})
		exempt.OwnTimeout = true
		c := newCatalog(t, &catalog.Options{ToolTimeout: time.Second, Tools: []catalog.Tool{
			tool("slow", slow), exempt,
			tool("stubborn", func(context.Context, json.RawMessage) (*catalog.Result, error) {
				<-stubborn
				return ok(t.Context(), nil)
			}),
		}})
		for _, name := range []string{"slow", "stubborn"} {
			start := time.Now()
			_, err := c.Call(t.Context(), name, nil)
			if e := catalog.AsError(err); e.Type != catalog.TimeoutError || time.Since(start) != time.Second {
				t.Errorf("%s: got %v after %s", name, err, time.Since(start))
			}
		}
		if _, err := c.Call(t.Context(), "exempt", nil); err != nil {
			t.Errorf("exempt: %v", err)
		}
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Wait(brief); err == nil {
			t.Error("Wait did not wait for the handler that was left behind")
		}
		close(stubborn)
		if err := c.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestCallCancelled(t *testing.T) {
	c := newCatalog(t, &catalog.Options{Tools: []catalog.Tool{
		tool("slow", func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
	}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Call(ctx, "slow", nil)
	if e := catalog.AsError(err); e.Type != catalog.Cancelled {
		t.Errorf("got %v", err)
	}
	if err := c.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// A call that answers is never taken for one that was cut off.
func TestCallSucceedsBesideItsTimer(t *testing.T) {
	c := newCatalog(t, &catalog.Options{Tools: []catalog.Tool{tool("ok", ok)}})
	for range 2000 {
		if _, err := c.Call(t.Context(), "ok", nil); err != nil {
			t.Fatal(err)
		}
	}
}

type arguments struct {
	Name  string   `json:"name"`
	Count int      `json:"count,omitempty"`
	Ratio float64  `json:"ratio,omitempty"`
	Loud  bool     `json:"loud,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Where struct {
		X int `json:"x"`
	} `json:"where,omitzero"`
	Mode string `json:"mode,omitempty"`
}

func TestArguments(t *testing.T) {
	schema := catalog.InputSchema[arguments]()
	schema.Properties["mode"].Enum = []any{"fast", "slow"}
	limit := 10.0
	schema.Properties["count"].Maximum = &limit
	var seen string
	c := newCatalog(t, &catalog.Options{Tools: []catalog.Tool{{
		Name: "t", Input: schema,
		Handler: func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
			seen = string(args)
			return ok(t.Context(), nil)
		},
	}}})
	tests := []struct {
		name, args string
		kind       catalog.Type
		message    string
		seen       string
		warnings   int
	}{
		{"sound", `{"name":"a","count":3}`, "", "", `{"name":"a","count":3}`, 0},
		{"unknown members", `{"name":"a","other":[1]}`, "", "", `{"name":"a","other":[1]}`, 0},
		{"other case", `{"name":"a","NAME":5,"Where":{"x":"y"}}`, "", "", `{"name":"a"}`, 0},
		{"number in a string", `{"name":"a","count":"3","ratio":"0.5"}`, "", "", `{"count":3,"name":"a","ratio":0.5}`, 2},
		{"boolean in a string", `{"name":"a","loud":"true"}`, "", "", `{"loud":true,"name":"a"}`, 1},
		{"whole float", `{"name":"a","count":3.0}`, "", "", `{"name":"a","count":3.0}`, 0},
		{"never into a string", `{"name":5}`, catalog.TypeError, "name: expected string, got 5", "", 0},
		{"no loss", `{"name":"a","count":"3.5"}`, catalog.TypeError, `count: expected integer, got "3.5"`, "", 0},
		{
			"all fields", `{"count":"x","loud":0,"tags":[1,"b",{}],"where":{}}`, catalog.ValidationError,
			`name: missing (string); count: expected integer, got "x"; loud: expected boolean, got 0; tags[0]: expected string, got 1; tags[2]: expected string, got object; where.x: missing (integer)`, "", 0,
		},
		{"enum", `{"name":"a","mode":"medium"}`, catalog.ValidationError, `mode: expected one of fast, slow, got "medium"`, "", 0},
		{"maximum", `{"name":"a","count":11}`, catalog.ValidationError, `count: expected at most 10, got 11`, "", 0},
		{"null", `{"name":null}`, catalog.TypeError, "name: expected string, got null", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen = ""
			res, err := c.Call(t.Context(), "t", json.RawMessage(tt.args))
			if tt.kind == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.seen, seen); diff != "" || len(res.Warnings) != tt.warnings {
					t.Errorf("-want +got:\n%s\nwarnings: %q", diff, res.Warnings)
				}
				return
			}
			e := catalog.AsError(err)
			if e == nil {
				t.Fatal("passed")
			}
			if diff := cmp.Diff([]any{tt.kind, tt.message}, []any{e.Type, e.Message}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"encodePlantUML", "decodePlantUML", "mermaid_to_svg", "mermaid_to_pdf", "files__read"}
	for name, want := range map[string][]string{
		"encodePlantUm":   {"encodePlantUML"},
		"encode_plantuml": {"encodePlantUML"},
		"mermaid":         {"mermaid_to_pdf", "mermaid_to_svg"},
		"mermaidToSvg":    {"mermaid_to_svg"},
		"read":            {"files__read"},
		"somethingElse":   {},
		"":                {},
	} {
		if diff := cmp.Diff(want, catalog.Suggest(name, known)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", name, diff)
		}
	}
}

func TestReplaceTellsListeners(t *testing.T) {
	c := newCatalog(t, &catalog.Options{Tools: []catalog.Tool{tool("a", ok)}})
	told := 0
	cancel := c.OnChange(func() { told++ })
	if err := c.Replace([]catalog.Tool{tool("b", ok)}); err != nil {
		t.Fatal(err)
	}
	if err := c.Replace([]catalog.Tool{tool("bad name", ok)}); err == nil {
		t.Error("a bad tool passed")
	}
	cancel()
	if err := c.Replace(nil); err != nil {
		t.Fatal(err)
	}
	if told != 1 || len(c.Tools()) != 0 {
		t.Errorf("told %d times, %d tools", told, len(c.Tools()))
	}
}
