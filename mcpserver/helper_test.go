package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/mcpserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type echoIn struct {
	Text  string `json:"text" jsonschema:"what to say"`
	Count int    `json:"count,omitempty" jsonschema:"how often"`
	Loud  bool   `json:"loud,omitempty"`
}

type echoOut struct {
	Text string `json:"text"`
	catalog.Warned
}

// fixture is a catalogue of tools that behave as their names say.
type fixture struct {
	catalog *catalog.Catalog
	started chan string   // names of tools as they start to block
	ended   chan error    // why a blocked tool ended
	release chan struct{} // closed to let them go on
}

func tool(name string, h catalog.Handler) catalog.Tool {
	return catalog.Tool{
		Name: name, Description: name, Input: catalog.InputSchema[struct{}](),
		Output: catalog.OutputSchema[echoOut](), Handler: h,
	}
}

func newFixture(t *testing.T, opts *catalog.Options) *fixture {
	t.Helper()
	f := &fixture{started: make(chan string, 100), ended: make(chan error, 100), release: make(chan struct{})}
	echo := tool("echo", func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
		var in echoIn
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, err
		}
		return &catalog.Result{Structured: &echoOut{Text: in.Text}, Text: in.Text}, nil
	})
	echo.Input = catalog.InputSchema[echoIn]()
	own := tool("own", func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
		return nil, &catalog.Error{
			Type: catalog.ToolError, Code: "NO_LUCK", Message: "luck ran out", Hint: "Try another day.",
			Details: map[string]any{"args": args},
		}
	})
	own.OwnCodes = true
	o := catalog.Options{}
	if opts != nil {
		o = *opts
	}
	o.Tools = []catalog.Tool{
		echo, own,
		tool("block", func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			f.started <- "block"
			select {
			case <-f.release:
				return &catalog.Result{Structured: &echoOut{Text: "released"}}, nil
			case <-ctx.Done():
				f.ended <- context.Cause(ctx)
				return nil, ctx.Err()
			}
		}),
		tool("panic", func(context.Context, json.RawMessage) (*catalog.Result, error) { panic("secret detail") }),
		tool("fail", func(context.Context, json.RawMessage) (*catalog.Result, error) {
			return nil, errors.New("secret detail")
		}),
		tool("unencodable", func(context.Context, json.RawMessage) (*catalog.Result, error) {
			return &catalog.Result{Structured: map[string]any{"text": math.NaN()}}, nil
		}),
		tool("steps", func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			catalog.Progress(ctx, 1, 2, "half")
			catalog.Progress(ctx, 2, 2, "whole")
			return &catalog.Result{Structured: &echoOut{Text: "done"}}, nil
		}),
	}
	o.Resources = []catalog.Resource{{
		URI: "test://page", Name: "page", MIMEType: "text/plain",
		Read: func(context.Context) (string, error) { return "a page", nil },
	}}
	o.Prompts = []catalog.Prompt{{
		Name:      "greet",
		Arguments: []catalog.PromptArgument{{Name: "who", Required: true, Values: []string{"Ada", "Alan", "Grace"}}},
		Render:    func(_ context.Context, args map[string]string) (string, error) { return "Greet " + args["who"], nil },
	}}
	c, err := catalog.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	f.catalog = c
	return f
}

// observer keeps the events.
type observer struct {
	mu     sync.Mutex
	begun  int
	events []catalog.Event
}

func (o *observer) Begin(catalog.Surface) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun++
}

func (o *observer) End(_ context.Context, ev catalog.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, ev)
}

func (o *observer) all() (begun int, events []catalog.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.begun, append([]catalog.Event(nil), o.events...)
}

func (f *fixture) serve(t *testing.T, opts *mcpserver.Options) *mcpserver.Server {
	t.Helper()
	s := mcpserver.New(f.catalog, opts)
	t.Cleanup(s.Close)
	return s
}

// stdio is a client on the other end of ServeStdio.
type stdio struct {
	in   io.WriteCloser
	out  *json.Decoder
	done chan error // ServeStdio's result
	t    *testing.T
}

func startStdio(t *testing.T, s *mcpserver.Server) *stdio {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &stdio{in: inW, out: json.NewDecoder(outR), done: make(chan error, 1), t: t}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := s.ServeStdio(ctx, inR, outW)
		outW.CloseWithError(io.EOF)
		inR.CloseWithError(io.ErrClosedPipe) // lets the reader behind ServeStdio end
		c.done <- err
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		outR.CloseWithError(io.EOF)
	})
	return c
}

func (c *stdio) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		c.t.Fatalf("sending %.100s: %v", text, err)
	}
}

const initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func (c *stdio) initialize() {
	c.t.Helper()
	c.send(initialize)
	if got := c.recv(); got["result"] == nil {
		c.t.Fatalf("initialize: %v", got)
	}
}

// recv returns the next message, nil at the end.
func (c *stdio) recv() map[string]any {
	c.t.Helper()
	var msg map[string]any
	if err := c.out.Decode(&msg); err != nil {
		if errors.Is(err, io.EOF) {
			return nil
		}
		c.t.Fatalf("receiving: %v", err)
	}
	return msg
}

// dig walks into decoded JSON.
func dig(v any, path ...string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}
