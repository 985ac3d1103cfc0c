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
	Families  []Family
	Prompts   []Prompt
	// ToolTimeout bounds each call but those of tools with a limit of their
	// own. 0 means [DefaultToolTimeout].
	ToolTimeout time.Duration
	// Admit is asked before each call but those of inline tools, and may refuse
	// it; release is called when the call has ended. Nil admits everything.
	Admit func(ctx context.Context) (release func(), refused *Error)
	// Tracer follows calls. Nil means [Untraced].
	Tracer Tracer
}

// Catalog holds what the server offers. Its methods are safe for concurrent
// use; reading never waits for a change.
type Catalog struct {
	timeout  time.Duration
	families []Family
	admit    func(ctx context.Context) (func(), *Error)
	tracer   Tracer
	settled  <-chan struct{} // nil: at once
	current  atomic.Pointer[snapshot]

	mu        sync.Mutex // guards changes and listeners
	offer     offer
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
	templates []Template
	prompts   []Prompt
	missing   func(Kind, string) *Error
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
	c := &Catalog{timeout: opts.ToolTimeout, families: opts.Families, admit: opts.Admit, tracer: opts.Tracer, listeners: map[int]func(){}}
	if c.timeout <= 0 {
		c.timeout = DefaultToolTimeout
	}
	if c.tracer == nil {
		c.tracer = Untraced{}
	}
	c.offer = offer{tools: opts.Tools, resources: slices.Clone(opts.Resources), prompts: slices.Clone(opts.Prompts)}
	s, err := newSnapshot(&c.offer, &snapshot{})
	if err != nil {
		return nil, err
	}
	c.current.Store(s)
	return c, nil
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func newSnapshot(o *offer, before *snapshot) (*snapshot, error) {
	s := &snapshot{
		byName:    make(map[string]*entry, len(o.tools)+len(o.mount.Tools)),
		resources: slices.Concat(o.resources, o.mount.Resources), templates: o.mount.Templates,
		prompts: slices.Concat(o.prompts, o.mount.Prompts), missing: o.mount.Missing,
	}
	for _, t := range slices.Concat(o.tools, o.mount.Tools) {
		if !toolName.MatchString(t.Name) {
			return nil, fmt.Errorf("tool name %q: want 1 to 64 of A-Z a-z 0-9 _ -", t.Name)
		}
		if s.byName[t.Name] != nil {
			return nil, fmt.Errorf("tool name %q is taken twice", t.Name)
		}
		if t.Input == nil || t.Mounted == nil && t.Input.Type != "object" {
			return nil, fmt.Errorf("tool %q: input schema must have type object", t.Name)
		}
		e := &entry{Tool: t}
		if old := before.byName[t.Name]; old != nil && old.Input == t.Input {
			e.input = old.input
		} else {
			var err error
			if e.input, err = t.Input.Resolve(nil); err != nil && t.Mounted == nil {
				return nil, fmt.Errorf("tool %q: input schema: %w", t.Name, err)
			}
		}
		s.tools = append(s.tools, e)
		s.byName[t.Name] = e
		s.names = append(s.names, t.Name)
	}
	return s, nil
}

// Replace puts other built-in tools in place of the present ones, at once, and
// tells the listeners. Calls that run go on. On error nothing changes.
func (c *Catalog) Replace(tools []Tool) error {
	return c.change(func(o *offer) { o.tools = tools })
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
	return nil, s.noTool(name)
}

func (s *snapshot) noTool(name string) *Error {
	if err := s.explain(KindTool, name); err != nil {
		return err
	}
	return toolNotFound(name, s.names)
}

// Call runs a tool. args is a valid JSON object in UTF-8; empty means {}. The
// error, if any, is an *[Error].
func (c *Catalog) Call(ctx context.Context, name string, args json.RawMessage) (*Result, error) {
	s := c.current.Load()
	e := s.byName[name]
	if e == nil {
		return nil, s.noTool(name)
	}
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	var notes []string
	var err *Error
	if !e.Inline {
		release, refused := c.Admit(ctx)
		if refused != nil {
			return nil, refused
		}
		defer release()
	}
	switch {
	case e.Mounted != nil:
		if err = checkMounted(e, args); err != nil {
			return nil, err
		}
	case !e.OwnCodes:
		if args, notes, err = checkArguments(e.Input, e.input, args); err != nil {
			return nil, err
		}
	}
	res, failure := c.run(ctx, e, args)
	if failure != nil {
		return nil, AsError(failure)
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

// Admit asks whether one more call may begin; doors do so for what they forward
// themselves. release is called when it has ended.
func (c *Catalog) Admit(ctx context.Context) (release func(), refused *Error) {
	if c.admit == nil {
		return func() {}, nil
	}
	return c.admit(ctx)
}

// run calls the handler within its time. A handler of a tool of our own that outlives
// its time is left behind, its context cancelled, and [Catalog.Wait] waits for it.
func (c *Catalog) run(ctx context.Context, e *entry, args json.RawMessage) (*Result, error) {
	if e.Inline {
		return protect(ctx, e, args)
	}
	limit := c.timeout
	if e.OwnTimeout {
		limit = 0
	} else if e.Timeout > 0 {
		limit = e.Timeout
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	var out outcome
	if e.Mounted != nil {
		out.res, out.err = protect(ctx, e, args) // waits for a server, and for no longer than ctx
	} else {
		out = c.await(ctx, e, args)
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
		return nil, timeout(e, limit)
	}
	return nil, &Error{Type: Cancelled, Code: "CANCELLED", Message: "the call was cancelled", Cause: context.Cause(ctx)}
}

// outcome is how a call ended.
type outcome struct {
	res *Result
	err error
}

// await waits for a handler for as long as ctx lasts.
func (c *Catalog) await(ctx context.Context, e *entry, args json.RawMessage) outcome {
	done := make(chan outcome, 1)
	c.running.Go(func() {
		res, err := protect(ctx, e, args)
		done <- outcome{res, err}
	})
	select {
	case out := <-done:
		return out
	case <-ctx.Done():
		return outcome{err: ctx.Err()}
	}
}

// timeout is the server's own limit on a call.
func timeout(e *entry, limit time.Duration) *Error {
	cancelled := []string{"tool " + e.Name}
	if e.Mounted != nil {
		cancelled = append(cancelled, "its request to server "+e.Mounted.Server)
	}
	return &Error{
		Type: TimeoutError, Code: "TIMEOUT",
		Message: fmt.Sprintf("tool %q did not finish within %s and was cancelled", e.Name, limit),
		Hint:    "Try a smaller input, or start the server with a higher --tool-timeout.",
		Details: map[string]any{"timeoutMs": limit.Milliseconds(), "cancelled": cancelled},
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
