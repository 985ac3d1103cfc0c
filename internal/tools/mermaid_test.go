package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/render"
	"github.com/webodar/webodar/internal/tools"
)

// drawFunc is a Drawer for what needs no engine.
type drawFunc func(ctx context.Context, job render.Job) (json.RawMessage, error)

func (f drawFunc) Do(ctx context.Context, job render.Job) (json.RawMessage, error) {
	return f(ctx, job)
}

func mermaidCatalog(t *testing.T, d tools.Drawer) *catalog.Catalog {
	t.Helper()
	c, err := catalog.New(&catalog.Options{Tools: []catalog.Tool{
		tools.MermaidToSVG(d, &tools.Outputs{}), tools.MermaidToPDF(d, &tools.Outputs{}), tools.MermaidToPNG(d, &tools.Outputs{}), tools.MermaidParse(d),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// engine draws in this process.
func engine(t *testing.T) tools.Drawer {
	t.Helper()
	bundle, err := engines.Mermaid()
	if err != nil {
		t.Skip(err)
	}
	return &render.Local{Kinds: render.Kinds{tools.MermaidKind: tools.Mermaid(bundle, nil)}}
}

// answer is an envelope as clients see it.
type answer struct {
	OK        bool     `json:"ok"`
	RequestID string   `json:"request_id"`
	Warnings  []string `json:"warnings"`
	Errors    []struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"errors"`
	SVG           string `json:"svg"`
	PDF           []byte `json:"pdf"`
	PNG           []byte `json:"png"`
	Width, Height int
	AST           json.RawMessage `json:"ast"`
	Valid         bool            `json:"valid"`
	Type          string          `json:"diagram_type"`
	Title         string          `json:"title"`

	Resource *struct {
		URI, URL string
		MIMEType string `json:"mime_type"`
		Bytes    int
	} `json:"resource"`
	File *struct {
		Path  string
		Bytes int
	} `json:"file"`
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// call calls a tool and holds the answer against the envelope and the tool's schema.
func call(t *testing.T, c *catalog.Catalog, name, args string) (answer, *catalog.Error) {
	t.Helper()
	var structured any
	res, err := c.Call(t.Context(), name, json.RawMessage(args))
	failed := catalog.AsError(err)
	if err != nil {
		structured = failed.Structured()
	} else {
		structured = res.Structured
	}
	raw, err := json.Marshal(structured)
	if err != nil {
		t.Fatal(err)
	}
	checkSchema(t, c, name, raw)
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	if !uuid.MatchString(a.RequestID) {
		t.Errorf("request_id %q is no UUID", a.RequestID)
	}
	if a.Warnings == nil || a.Errors == nil || a.OK != (len(a.Errors) == 0) || a.OK && failed != nil {
		t.Errorf("the envelope contradicts itself: %.300s", raw)
	}
	if !a.OK && (a.SVG != "" || a.PDF != nil || a.PNG != nil || a.AST != nil) {
		t.Error("a failure has a payload")
	}
	return a, failed
}

func TestMermaidArguments(t *testing.T) {
	c := mermaidCatalog(t, drawFunc(func(context.Context, render.Job) (json.RawMessage, error) {
		return json.RawMessage(`{"drawing":{"type":"pie","title":"","svg":"<svg></svg>","model":{"type":"pie","title":""}}}`), nil
	}))
	big := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		name, args string
		codes      string // of the errors
		warning    string // a part of one
	}{
		{"all", `{"code":"pie","theme":"dark","background":"#fff","config_json":{"pie":{"textPosition":0.5}},"timeout_ms":1000,"include_ast":true}`, "", ""},
		{"config as a string", `{"code":"pie","config_json":"{\"pie\":{\"textPosition\":0.5}}"}`, "", ""},
		{"nulls", `{"code":"pie","theme":null,"config_json":null,"timeout_ms":null}`, "", ""},
		{"strings for other types", `{"code":"pie","timeout_ms":"2000","include_ast":"true"}`, "", "took the string"},
		{"unknown member", `{"code":"pie","backgroud":"white"}`, "", "did you mean background"},
		{"transparent", `{"code":"pie","background":"transparent"}`, "", ""},
		{"limit", `{"code":"` + big + `"}`, "", ""},
		{"over the limit", `{"code":"` + big + `x"}`, "INPUT_TOO_LARGE", ""},
		{"no code", `{}`, "INVALID_INPUT", ""},
		{"blank code", `{"code":" \n\ufeff"}`, "INVALID_INPUT", ""},
		{"code of another type", `{"code":5}`, "INVALID_INPUT", ""},
		{"half a surrogate pair", `{"code":"pie \ud800"}`, "INVALID_INPUT", ""},
		{"theme", `{"code":"pie","theme":"drak"}`, "INVALID_INPUT", ""},
		{"background", `{"code":"pie","background":"url(x)"}`, "INVALID_INPUT", ""},
		{"short time", `{"code":"pie","timeout_ms":999}`, "INVALID_TIMEOUT", ""},
		{"long time", `{"code":"pie","timeout_ms":120001}`, "INVALID_TIMEOUT", ""},
		{"fraction", `{"code":"pie","timeout_ms":1000.5}`, "INVALID_TIMEOUT", ""},
		{"config is no JSON", `{"code":"pie","config_json":"{a}"}`, "INVALID_CONFIG", ""},
		{"config is an array", `{"code":"pie","config_json":"[]"}`, "INVALID_CONFIG", ""},
		{"config is a number", `{"code":"pie","config_json":3}`, "INVALID_CONFIG", ""},
		{"refused key", `{"code":"pie","config_json":{"securityLevel":"loose"}}`, "INVALID_CONFIG", ""},
		{"everything at once", `{"theme":1,"config_json":3,"timeout_ms":5}`, "INVALID_INPUT INVALID_INPUT INVALID_CONFIG INVALID_TIMEOUT", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, failed := call(t, c, "mermaid_to_svg", tt.args)
			var codes []string
			for _, e := range a.Errors {
				codes = append(codes, e.Code)
				if e.Details["fields"] == nil || e.Details["hint"] == nil {
					t.Errorf("%s: details %v, want fields and a hint", e.Code, e.Details)
				}
			}
			if got := strings.Join(codes, " "); got != tt.codes {
				t.Errorf("got %q, want %q", got, tt.codes)
			}
			if failed != nil && failed.Type != catalog.ValidationError {
				t.Errorf("type %s", failed.Type)
			}
			if joined := strings.Join(a.Warnings, "\n"); !strings.Contains(joined, tt.warning) || (joined == "") != (tt.warning == "") {
				t.Errorf("warnings %q, want %q", a.Warnings, tt.warning)
			}
		})
	}
}

func TestMermaidToSVG(t *testing.T) {
	c := mermaidCatalog(t, engine(t))
	a, _ := call(t, c, "mermaid_to_svg", `{"code":"pie title Pets\n \"Dogs\" : 3\n \"Cats\" : 2","include_ast":true,"background":"#ffffff"}`)
	if !a.OK || !strings.HasPrefix(a.SVG, "<svg") || !strings.Contains(a.SVG, "background-color: #ffffff") {
		t.Fatalf("%+v", a)
	}
	const want = `{"showData":false,"slices":[{"label":"Dogs","value":3},{"label":"Cats","value":2}],"title":"Pets","type":"pie"}`
	if diff := cmp.Diff(want, canonical(t, a.AST)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	a, failed := call(t, c, "mermaid_to_svg", `{"code":"flowchart TD\nA--"}`)
	if failed == nil || failed.Code != "PARSE_ERROR" || failed.Type != catalog.ToolError {
		t.Fatalf("%+v", failed)
	}
	e := a.Errors[0]
	if e.Message != "line 2, column 4: the link from A ends without a target node" || e.Details["line"] != 2.0 || e.Details["column"] != 4.0 ||
		e.Details["source"] != "A--" || e.Details["caret"] != "   ^" || e.Details["hint"] == nil || cmp.Diff([]any{"a node"}, e.Details["expected"]) != "" {
		t.Errorf("%+v", e)
	}
	a, _ = call(t, c, "mermaid_to_svg", `{"code":"flowchrt TD\nA-->B"}`)
	if a.Errors[0].Code != "UNSUPPORTED_DIAGRAM" || cmp.Diff([]any{"flowchart"}, a.Errors[0].Details["suggestions"]) != "" {
		t.Errorf("%+v", a.Errors[0])
	}
}

func TestMermaidParse(t *testing.T) {
	c := mermaidCatalog(t, engine(t))
	a, _ := call(t, c, "mermaid_parse", `{"code":"---\ntitle: T\n---\nflowchart LR\n A[x] -->|y| B"}`)
	const want = `{"direction":"LR","edges":[{"arrow":"arrow_point","from":"A","stroke":"normal","text":"y","to":"B"}],"subgraphs":[],"title":"T","type":"flowchart","vertices":[{"id":"A","shape":"square","text":"x"},{"id":"B","shape":"square","text":"B"}]}`
	if !a.OK || !a.Valid || a.Type != "flowchart" || a.Title != "T" || canonical(t, a.AST) != want {
		t.Errorf("%+v\n%s", a, a.AST)
	}
	a, failed := call(t, c, "mermaid_parse", `{"code":"sequenceDiagram\n A B: x"}`)
	if failed != nil || a.Valid || a.Type != "sequenceDiagram" || a.Errors[0].Code != "PARSE_ERROR" || a.Errors[0].Details["line"] != 2.0 || a.Errors[0].Details["hint"] == nil {
		t.Errorf("%v %+v", failed, a)
	}
}

func canonical(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, _ := json.Marshal(v)
	return strings.NewReplacer(`\u003e`, ">", `\u003c`, "<").Replace(string(out))
}

// Time runs from the call on, and its end has a code of its own.
func TestMermaidTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mermaidCatalog(t, drawFunc(func(ctx context.Context, _ render.Job) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, &render.StoppedError{Running: true, Err: context.Cause(ctx)}
		}))
		begin := time.Now()
		a, _ := call(t, c, "mermaid_to_svg", `{"code":"pie","timeout_ms":1500}`)
		if a.Errors[0].Code != "RENDER_TIMEOUT" || time.Since(begin) != 1500*time.Millisecond {
			t.Errorf("%+v after %s", a.Errors, time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Call(ctx, "mermaid_to_svg", json.RawMessage(`{"code":"pie"}`)); catalog.AsError(err).Type != catalog.Cancelled {
			t.Errorf("a caller that left: %v", err)
		}
	})
}

func TestMermaidFailures(t *testing.T) {
	for _, tt := range []struct {
		err  error
		says string
	}{
		{&render.CrashError{Cause: errors.New("signal: killed"), Stderr: "/secret/path"}, "ended"},
		{render.ErrBusy, "waiting"},
		{render.ErrClosed, "stopping"},
		{&render.JobError{Message: "/secret/path: no such thing"}, "engine failed"},
	} {
		c := mermaidCatalog(t, drawFunc(func(context.Context, render.Job) (json.RawMessage, error) { return nil, tt.err }))
		a, failed := call(t, c, "mermaid_to_svg", `{"code":"pie"}`)
		if a.Errors[0].Code != "RENDER_FAILED" || !strings.Contains(a.Errors[0].Message, tt.says) || strings.Contains(a.Errors[0].Message, "secret") || failed.Cause == nil {
			t.Errorf("%v: %+v", tt.err, a.Errors)
		}
	}
	c := mermaidCatalog(t, tools.NoDrawer(&engines.MissingError{Engine: "mermaid", Cause: errors.New("it was built without engine assets")}))
	a, _ := call(t, c, "mermaid_parse", `{"code":"pie"}`)
	if e := a.Errors[0]; e.Code != "RENDER_FAILED" || !strings.Contains(e.Message, "not in this binary") || strings.Contains(e.Message, "\n") || e.Details["hint"] == nil {
		t.Errorf("%+v", e)
	}
}

func TestMermaidProgress(t *testing.T) {
	c := mermaidCatalog(t, drawFunc(func(_ context.Context, job render.Job) (json.RawMessage, error) {
		job.Progress(render.Progress{Ahead: 2})
		job.Progress(render.Progress{Running: true})
		return json.RawMessage(`{"drawing":{"type":"pie","title":"","svg":"<svg></svg>"}}`), nil
	}))
	var got []string
	ctx := catalog.WithRequest(t.Context(), &catalog.Request{Progress: func(_ context.Context, done, _ float64, message string) {
		got = append(got, message)
		if int(done) != len(got) {
			t.Errorf("step %v is number %d", done, len(got))
		}
	}})
	if _, err := c.Call(ctx, "mermaid_to_svg", json.RawMessage(`{"code":"pie"}`)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"waiting, 2 before this", "drawing"}, got); diff != "" {
		t.Error(diff)
	}
}
