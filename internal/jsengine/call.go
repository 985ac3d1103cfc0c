package jsengine

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"modernc.org/quickjs"
)

// Call calls a global function (a path such as a.b is fine) with args as JSON,
// waits for the promise it may return, and gives the answer as JSON: null for
// undefined. Jobs, timers and animation frames run in virtual time, and only
// until the answer is there; what is queued then stays queued for a next Call.
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
	if _, err := r.start.Call(quickjs.UndefinedValue, function, params); err != nil {
		return nil, classify(err)
	}
	for {
		// An interrupt is forgotten between calls into script, so the
		// context is asked before each, and watch repeats itself.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := r.vm.ExecutePendingJobs(); err != nil {
			return nil, classify(err)
		}
		if r.failure != nil {
			return nil, r.failure
		}
		got, err := r.turn.Call(quickjs.UndefinedValue)
		if err != nil {
			return nil, classify(err)
		}
		state, ok := got.(string)
		switch {
		case !ok || state == "":
			return nil, fmt.Errorf("jsengine: the prelude answered %T", got)
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

// watch interrupts the engine once ctx ends, until stop is called. It repeats,
// because the engine forgets an interrupt that comes between two calls.
func (r *Realm) watch(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	vm, over, gone := r.vm, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-over:
			return
		case <-ctx.Done():
		}
		again := time.NewTicker(time.Millisecond)
		defer again.Stop()
		for {
			vm.Interrupt()
			select {
			case <-over:
				return
			case <-again.C:
			}
		}
	}()
	return func() {
		close(over)
		<-gone
	}
}
