package jsengine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Call calls a global function (a path such as a.b is fine) with args as JSON,
// waits for the promise it may return, and gives the answer as JSON: null for
// undefined. Jobs, timers and animation frames run in virtual time, and only
// until the answer is there; timers that are left then are dropped. Each call begins
// at the same time of the clock and with the same seed.
//
// The error is a [*ScriptError], a [*LimitError], [ErrStalled] or [ErrSpent].
// ctx ends a script that runs, whatever it is doing; the realm is spent then.
func (r *Realm) Call(ctx context.Context, function string, args ...any) (answer json.RawMessage, err error) {
	if r.spent {
		return nil, ErrSpent
	}
	if args == nil {
		args = []any{}
	}
	params, err := json.Marshal(args)
	if err != nil {
		return nil, fmt.Errorf("jsengine: arguments of %s: %w", function, err)
	}
	stop := r.watch(ctx)
	defer stop()
	defer func() {
		// The engine is transpiled C: where it misses a failed allocation,
		// Go sees a nil dereference. That ends the realm, not the process.
		if p := recover(); p != nil {
			answer, err = nil, fmt.Errorf("jsengine: the engine panicked: %v\n%s", p, debug.Stack())
			r.spent = true
		}
	}()
	answer, err = r.pump(ctx, function, string(params))
	if r.m.panicked != nil {
		r.spent = true
		return nil, fmt.Errorf("jsengine: a host function panicked: %v", r.m.panicked)
	}
	if ctx.Err() != nil && err != nil {
		r.spent = true
		return nil, &LimitError{Limit: Time, Err: context.Cause(ctx)}
	}
	if limit, ok := err.(*LimitError); ok && limit.Limit == Memory { //nolint:errorlint // made here, never wrapped
		r.spent = true
	}
	return answer, err
}

// pump starts the function and takes turns until it has an outcome.
func (r *Realm) pump(ctx context.Context, function, params string) (json.RawMessage, error) {
	r.failure = nil
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := r.m.call(r.start, function, params)
	if err != nil {
		return nil, err
	}
	r.m.free(v)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.m.jobs(); err != nil {
			return nil, err
		}
		if r.failure != nil {
			return nil, r.failure
		}
		state, err := r.turned()
		switch {
		case err != nil:
			return nil, err
		case state == "":
			return nil, errors.New("jsengine: the prelude answered nothing")
		case state == "turned":
			continue
		case state == "stalled":
			return nil, ErrStalled
		case state[0] == '+':
			return json.RawMessage(state[1:]), nil
		}
		var thrown ScriptError
		if err := json.Unmarshal([]byte(state[1:]), &thrown); err != nil {
			return nil, fmt.Errorf("jsengine: %w", err)
		}
		return nil, classifyScript(&thrown)
	}
}

// turned has script take a turn, and says how it stands.
func (r *Realm) turned() (string, error) {
	v, err := r.m.call(r.turn)
	if err != nil {
		return "", err
	}
	defer r.m.free(v)
	state, ok := r.m.text(v)
	if !ok {
		return "", r.m.thrown()
	}
	return state, nil
}

// watch has the engine end script once ctx ends, until stop is called.
func (r *Realm) watch(ctx context.Context) (stop func()) {
	over := &atomic.Bool{}
	r.m.interrupt = over
	r.m.sampled = time.Now()
	ended := context.AfterFunc(ctx, func() { over.Store(true) })
	return func() {
		ended()
		if r.m != nil {
			r.m.interrupt = nil
		}
	}
}
