package jsengine

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

//go:embed prelude.js
var preludeSource string

// Epoch is where a realm's clock starts unless [Options.Now] says otherwise.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Defaults of [Options].
const (
	DefaultMemoryLimit = 512 << 20
	DefaultGCThreshold = 96 << 20
	DefaultSeed        = 1
)

// Options configure a realm. The zero value is a realm with nothing but the
// language.
type Options struct {
	// Bundle is where requireChunk finds chunks.
	Bundle *Bundle
	// Host are Go functions that script can call by these global names.
	Host map[string]HostFunc
	// Programs are evaluated in order before New returns.
	Programs []*Program
	// Now is where the clock starts. Zero means [Epoch].
	Now time.Time
	// Seed starts Math.random. 0 means [DefaultSeed].
	Seed uint32
	// MemoryLimit bounds the engine's heap in bytes. 0 means
	// [DefaultMemoryLimit].
	MemoryLimit uint64
	// MaxStack bounds the depth of calls, in slots of about one a frame. 0
	// means the engine's own 5,000. Far beyond that (40,000) Go ends the
	// process.
	MaxStack uint64
	// GCThreshold is by how much the heap grows, from the start or from
	// [Realm.Freeze], until cycles are first collected. A realm lives for one
	// job and counts references, so collecting early costs much and brings
	// little. 0 means [DefaultGCThreshold].
	GCThreshold uint64
	// Console receives what script writes to console: "log", "info", "warn",
	// "error" or "debug", and the text, cut at some length; a script that
	// writes without end is cut off. nil drops it.
	Console func(level, text string)
}

// Realm is one global object. Its methods are for one goroutine at a time.
type Realm struct {
	m *machine
	// allowance is Options.GCThreshold.
	allowance uint64
	bundle    *Bundle
	start     value
	turn      value
	spent     bool
	failure   error // what a host function could not tell script, told after the call
}

// New returns a realm that has evaluated opts.Programs.
func New(opts *Options) (*Realm, error) {
	if opts == nil {
		opts = &Options{}
	}
	first, err := prelude()
	if err != nil {
		return nil, err
	}
	allowance := or(opts.GCThreshold, DefaultGCThreshold)
	m, err := newMachine(or(opts.MemoryLimit, DefaultMemoryLimit), allowance, opts.MaxStack)
	if err != nil {
		return nil, err
	}
	r := &Realm{m: m, bundle: opts.Bundle, allowance: allowance}
	if err := r.prepare(opts, first); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Realm) prepare(opts *Options, first *Program) error {
	if err := r.registerInternals(opts); err != nil {
		return err
	}
	if err := r.boot(first); err != nil {
		return err
	}
	// In order: what is registered first is not to depend on Go's maps.
	for _, name := range slices.Sorted(maps.Keys(opts.Host)) {
		if err := r.m.register(hostEntry{name: name, call: opts.Host[name]}); err != nil {
			return err
		}
	}
	for _, p := range opts.Programs {
		if err := r.run(p); err != nil {
			return err
		}
	}
	// Programs may have queued microtasks, such as an async initialisation.
	return r.m.jobs()
}

// settings travel to the prelude as JSON.
type settings struct {
	Now  int64  `json:"now"`
	Seed uint32 `json:"seed"`
}

// registerInternals registers what the prelude takes off the global object
// before other script runs.
func (r *Realm) registerInternals(opts *Options) error {
	now := opts.Now
	if now.IsZero() {
		now = Epoch
	}
	set, err := json.Marshal(settings{Now: now.UnixMilli(), Seed: or(opts.Seed, DefaultSeed)})
	if err != nil {
		return err
	}
	console := opts.Console
	if console == nil {
		console = func(string, string) {}
	}
	for _, f := range []hostEntry{
		{name: "__jsengine_settings", call: func([]any) (any, error) { return string(set), nil }},
		{name: "__jsengine_log", call: func(args []any) (any, error) {
			console(fmt.Sprint(args[0]), fmt.Sprint(args[1]))
			return nil, nil
		}},
		{name: "__jsengine_chunk", raw: r.chunk},
	} {
		if err := r.m.register(f); err != nil {
			return err
		}
	}
	return nil
}

// boot evaluates the prelude, whose value is an array of the functions that Call uses.
func (r *Realm) boot(first *Program) error {
	v, err := r.m.load(first.code)
	if err != nil {
		return err
	}
	defer r.m.free(v)
	r.start, r.turn = r.m.element(v, 0), r.m.element(v, 1)
	return nil
}

// chunk evaluates a chunk and returns the function that it is.
func (r *Realm) chunk(args []value) value {
	name, ok := r.m.text(args[0])
	if !ok {
		return exception
	}
	code, err := r.bundle.Chunk(name)
	if err != nil {
		r.failure = err
		return undefined
	}
	v, err := r.m.load(code)
	if err != nil {
		r.failure = fmt.Errorf("jsengine: chunk %s: %w", name, err)
		return undefined
	}
	return v
}

func (r *Realm) run(p *Program) error {
	v, err := r.m.load(p.code)
	if err == nil {
		r.m.free(v)
		return nil
	}
	if r.failure != nil {
		err = r.failure
	}
	return fmt.Errorf("jsengine: %s: %w", p.name, err)
}

// Freeze remembers the realm as it is now, for Reset to bring back. It is for between
// calls.
func (r *Realm) Freeze() error {
	if r.spent {
		return ErrSpent
	}
	r.m.collect(r.allowance)
	return r.m.heap.freeze()
}

// Reset makes the realm what it was when it was frozen, to the byte, whatever has run
// since: also after a limit or a panic ended a call.
func (r *Realm) Reset() error {
	switch {
	case r.m == nil:
		return ErrSpent
	case r.m.heap.frozen == nil:
		return errors.New("jsengine: the realm was never frozen")
	}
	if err := r.m.heap.thaw(); err != nil {
		r.spent = true
		return err
	}
	r.m.panicked, r.failure, r.spent = nil, nil, false
	return nil
}

// Close frees the realm. It may be called more than once.
func (r *Realm) Close() error {
	if r.m == nil {
		return nil
	}
	err := r.m.close()
	r.m, r.spent = nil, true
	return err
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}
