package jsengine

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"modernc.org/quickjs"
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
	// GCThreshold is the heap size at which cycles are first collected. A
	// realm lives for one job and counts references, so collecting early
	// costs much and brings little. 0 means [DefaultGCThreshold].
	GCThreshold uint64
	// Console receives what script writes to console: "log", "info", "warn",
	// "error" or "debug", and the text, cut at some length; a script that
	// writes without end is cut off. nil drops it.
	Console func(level, text string)
}

// Realm is one global object. Its methods are for one goroutine at a time.
type Realm struct {
	vm      *quickjs.VM
	bundle  *Bundle
	start   quickjs.Value
	turn    quickjs.Value
	spent   bool
	failure error // what a host function could not tell script, told after the call
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
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("jsengine: %w", err)
	}
	r := &Realm{vm: vm, bundle: opts.Bundle}
	if err := r.prepare(opts, first); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Realm) prepare(opts *Options, first *Program) error {
	r.vm.SetMemoryLimit(uintptr(or(opts.MemoryLimit, DefaultMemoryLimit)))
	r.vm.SetGCThreshold(uintptr(or(opts.GCThreshold, DefaultGCThreshold)))
	r.vm.SetMaxStackSize(uintptr(opts.MaxStack))
	if err := r.registerInternals(opts); err != nil {
		return err
	}
	if err := r.boot(first); err != nil {
		return err
	}
	for name, f := range opts.Host {
		if err := r.register(name, f); err != nil {
			return err
		}
	}
	for _, p := range opts.Programs {
		if err := r.run(p); err != nil {
			return err
		}
	}
	// Programs may have queued microtasks, such as an async initialisation.
	if _, err := r.vm.ExecutePendingJobs(); err != nil {
		return classify(err)
	}
	return nil
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
	funcs := map[string]any{
		"__jsengine_settings": func() string { return string(set) },
		"__jsengine_log":      func(level, text string) { console(level, text) },
		"__jsengine_chunk":    r.chunk,
	}
	for name, f := range funcs {
		if err := r.vm.RegisterFunc(name, f, false); err != nil {
			return fmt.Errorf("jsengine: %w", err)
		}
	}
	return nil
}

// boot evaluates the prelude, whose value is an object with the functions that
// Call uses.
func (r *Realm) boot(first *Program) error {
	v, err := r.vm.EvalBytecodeValue(first.code)
	if err != nil {
		return classify(err)
	}
	defer v.Free()
	for name, to := range map[string]*quickjs.Value{"start": &r.start, "turn": &r.turn} {
		atom, err := r.vm.NewAtom(name)
		if err != nil {
			return err
		}
		if *to, err = v.GetPropertyValue(atom); err != nil {
			return err
		}
	}
	return nil
}

// chunk evaluates a chunk and returns the function that it is. EvalBytecode may
// be called from inside a function that script called.
func (r *Realm) chunk(name string) quickjs.Value {
	code, err := r.bundle.Chunk(name)
	if err != nil {
		r.failure = err
		return quickjs.UndefinedValue
	}
	v, err := r.vm.EvalBytecodeValue(code)
	if err != nil {
		r.failure = fmt.Errorf("jsengine: chunk %s: %w", name, classify(err))
		return quickjs.UndefinedValue
	}
	return v
}

func (r *Realm) run(p *Program) error {
	v, err := r.vm.EvalBytecodeValue(p.code)
	if err == nil {
		v.Free()
		return nil
	}
	if r.failure != nil {
		err = r.failure
	}
	return fmt.Errorf("jsengine: %s: %w", p.name, classify(err))
}

// Close frees the realm. It may be called more than once.
func (r *Realm) Close() error {
	if r.vm == nil {
		return nil
	}
	r.start.Free()
	r.turn.Free()
	err := r.vm.Close()
	r.vm, r.spent = nil, true
	return err
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}
