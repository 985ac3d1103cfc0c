package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// DefaultToolTimeout bounds a call when [Options.ToolTimeout] does not.
const DefaultToolTimeout = 60 * time.Second

// Options configure a catalogue. The zero value offers nothing.
type Options struct {
	Tools     []Tool
	Resources []Resource
	Prompts   []Prompt
	// ToolTimeout bounds each call but those of tools with a limit of their
	// own. 0 means [DefaultToolTimeout].
	ToolTimeout time.Duration
}

// Catalog holds what the server offers. Its methods are safe for concurrent
// use; reading never waits for a change.
type Catalog struct {
	timeout time.Duration
	current atomic.Pointer[snapshot]

	mu        sync.Mutex // guards changes and listeners
	listeners map[int]func()
	nextID    int

	running sync.WaitGroup // handlers that were left behind by a timeout
}

// snapshot is one immutable state of the catalogue.
type snapshot struct {
	tools     []*entry
	byName    map[string]*entry
	names     []string
	resources []Resource
	prompts   []Prompt
}

// entry is a tool with its input schema made ready.
type entry struct {
	Tool
	input *jsonschema.Resolved
}

// New returns a catalogue. It refuses tools whose names or schemas are broken.
func New(opts *Options) (*Catalog, error) {
	if opts == nil {
		opts = &Options{}
	}
	c := &Catalog{timeout: opts.ToolTimeout, listeners: map[int]func(){}}
	if c.timeout <= 0 {
		c.timeout = DefaultToolTimeout
	}
	s, err := newSnapshot(opts.Tools, opts.Resources, opts.Prompts)
	if err != nil {
		return nil, err
	}
	c.current.Store(s)
	return c, nil
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func newSnapshot(tools []Tool, resources []Resource, prompts []Prompt) (*snapshot, error) {
	s := &snapshot{
		byName: make(map[string]*entry, len(tools)), resources: slices.Clone(resources), prompts: slices.Clone(prompts),
	}
	for _, t := range tools {
		if !toolName.MatchString(t.Name) {
			return nil, fmt.Errorf("tool name %q: want 1 to 64 of A-Z a-z 0-9 _ -", t.Name)
		}
		if s.byName[t.Name] != nil {
			return nil, fmt.Errorf("tool name %q is taken twice", t.Name)
		}
		if t.Input == nil || t.Input.Type != "object" {
			return nil, fmt.Errorf("tool %q: input schema must have type object", t.Name)
		}
		resolved, err := t.Input.Resolve(nil)
		if err != nil {
			return nil, fmt.Errorf("tool %q: input schema: %w", t.Name, err)
		}
		e := &entry{Tool: t, input: resolved}
		s.tools = append(s.tools, e)
		s.byName[t.Name] = e
		s.names = append(s.names, t.Name)
	}
	return s, nil
}

// Replace puts other tools in place of the present ones, at once, and tells the
// listeners. Calls that run go on. On error nothing changes.
func (c *Catalog) Replace(tools []Tool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.current.Load()
	s, err := newSnapshot(tools, old.resources, old.prompts)
	if err != nil {
		return err
	}
	c.current.Store(s)
	for _, f := range c.listeners {
		f()
	}
	return nil
}

// OnChange calls f after each change until cancel is called. f must not call
// the catalogue's changing methods.
func (c *Catalog) OnChange(f func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.nextID
	c.nextID++
	c.listeners[id] = f
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.listeners, id)
	}
}

// Tools returns the tools in their order. The caller must not change them.
func (c *Catalog) Tools() []*Tool {
	s := c.current.Load()
	tools := make([]*Tool, len(s.tools))
	for i, e := range s.tools {
		tools[i] = &e.Tool
	}
	return tools
}

// Tool returns one tool, or an error of type [ToolNotFound] with suggestions.
func (c *Catalog) Tool(name string) (*Tool, error) {
	s := c.current.Load()
	if e := s.byName[name]; e != nil {
		return &e.Tool, nil
	}
	return nil, toolNotFound(name, s.names)
}

// Call runs a tool. args is a valid JSON object in UTF-8; empty means {}. The
// error, if any, is an *[Error].
func (c *Catalog) Call(ctx context.Context, name string, args json.RawMessage) (*Result, error) {
	s := c.current.Load()
	e := s.byName[name]
	if e == nil {
		return nil, toolNotFound(name, s.names)
	}
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	var notes []string
	if !e.OwnCodes {
		var err *Error
		if args, notes, err = checkArguments(e.Input, e.input, args); err != nil {
			return nil, err
		}
	}
	res, err := c.run(ctx, e, args)
	if err != nil {
		return nil, AsError(err)
	}
	if res == nil {
		return nil, Internal(fmt.Errorf("tool %q returned neither result nor error", name))
	}
	for _, note := range notes {
		res.Warnings = append(res.Warnings, note)
		if w, ok := res.Structured.(interface{ Warn(string) }); ok {
			w.Warn(note)
		}
	}
	return res, nil
}

// run calls the handler within its time. A handler that outlives its time is
// left behind, its context cancelled, and [Catalog.Wait] waits for it.
func (c *Catalog) run(ctx context.Context, e *entry, args json.RawMessage) (*Result, error) {
	if e.Inline {
		return protect(ctx, e, args)
	}
	limit := c.timeout
	if e.OwnTimeout {
		limit = 0
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	type outcome struct {
		res *Result
		err error
	}
	done := make(chan outcome, 1)
	c.running.Go(func() {
		res, err := protect(ctx, e, args)
		done <- outcome{res, err}
	})
	var out outcome
	select {
	case out = <-done:
	case <-ctx.Done():
		out.err = ctx.Err()
	}
	if out.err == nil || ctx.Err() == nil {
		return out.res, out.err
	}
	// The context ended and the handler failed or did not answer: the context
	// is the reason, whatever the handler made of it.
	var own *Error
	if errors.As(out.err, &own) && own.Type != InternalError {
		return nil, own
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && limit > 0 {
		return nil, timeout(e.Name, limit)
	}
	return nil, &Error{Type: Cancelled, Code: "CANCELLED", Message: "the call was cancelled", Cause: context.Cause(ctx)}
}

// timeout is the server's own limit on a call.
func timeout(tool string, limit time.Duration) *Error {
	return &Error{
		Type: TimeoutError, Code: "TIMEOUT",
		Message: fmt.Sprintf("tool %q did not finish within %s and was cancelled", tool, limit),
		Hint:    "Try a smaller input, or start the server with a higher --tool-timeout.",
		Details: map[string]any{"timeoutMs": limit.Milliseconds(), "cancelled": []string{"tool " + tool}},
	}
}

// protect turns a panic into one failed call.
func protect(ctx context.Context, e *entry, args json.RawMessage) (res *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, Internal(fmt.Errorf("tool %q panicked: %v\n%s", e.Name, p, debug.Stack()))
		}
	}()
	return e.Handler(ctx, args)
}

// Wait blocks until no handler runs any more, or ctx ends.
func (c *Catalog) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		c.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
