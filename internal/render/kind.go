package render

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"
)

// Kind makes engines for one kind of job.
type Kind interface {
	// Prepare returns an engine that no job has used.
	Prepare() (Prepared, error)
}

// Prepared is an engine that is ready for its one job.
type Prepared interface {
	// Run does the job. In a worker process ctx has no deadline: the pool
	// kills. Locally Run must return when ctx ends.
	Run(ctx context.Context, input json.RawMessage) (json.RawMessage, error)
	Close() error
}

// Reusable is a Prepared that can be brought back to before a job, which a worker
// process makes use of. What a job answers must not depend on how often that was done,
// nor on how warm the engine is.
type Reusable interface {
	Prepared
	// Keep remembers the engine as it is, for Reset.
	Keep() error
	// Reset brings back what Keep remembered.
	Reset() error
	// Warm does a step, of a second at most, of what makes later jobs faster,
	// and reports whether there is another. Keep follows it.
	Warm() (more bool, err error)
}

// Kinds are the kinds of jobs by name.
type Kinds map[string]Kind

// Job is one thing to draw.
type Job struct {
	Kind  string
	Input json.RawMessage
	// Progress, if not nil, is called when the job is queued, when it starts
	// and about once a second until it ends. It must return soon.
	Progress func(Progress)
}

// Progress says how a job stands.
type Progress struct {
	Running bool // false while it is queued
	Ahead   int  // jobs before it in the queue
	Elapsed time.Duration
}

// Runner does jobs. The error is a [*JobError], a [*CrashError], a
// [*StoppedError], [ErrBusy] or [ErrClosed].
type Runner interface {
	Do(ctx context.Context, job Job) (json.RawMessage, error)
	Close() error
}

var (
	_ Runner = (*Pool)(nil)
	_ Runner = (*Local)(nil)
)

// prepare makes an engine, and an error of a panic.
func prepare(kinds Kinds, name string) (p Prepared, err error) {
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, fmt.Errorf("preparing %s panicked: %v\n%s", name, v, debug.Stack())
		}
	}()
	kind := kinds[name]
	if kind == nil {
		return nil, fmt.Errorf("no kind of job is named %q", name)
	}
	return kind.Prepare()
}

// run runs a prepared job and closes its engine; a panic is an error.
func run(ctx context.Context, p Prepared, input json.RawMessage) (answer json.RawMessage, err error) {
	defer func() {
		if v := recover(); v != nil {
			answer, err = nil, fmt.Errorf("the job panicked: %v\n%s", v, debug.Stack())
		}
	}()
	answer, err = p.Run(ctx, input)
	if err == nil && !json.Valid(answer) {
		err = fmt.Errorf("the job's answer is not JSON")
	}
	return answer, err
}
