package render

import (
	"context"
	"encoding/json"
	"time"
)

// Local does jobs in this process, one at a time for each caller: for commands that
// draw one thing and end. What protects a server (the kill, the crash that costs
// one job) is not here.
type Local struct {
	Kinds Kinds
}

// Do does a job.
func (l *Local) Do(ctx context.Context, job Job) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, &StoppedError{Err: context.Cause(ctx)}
	}
	begin := time.Now()
	p, err := prepare(l.Kinds, job.Kind)
	if err != nil {
		return nil, jobError(err)
	}
	defer p.Close()
	if job.Progress != nil {
		job.Progress(Progress{Running: true, Elapsed: time.Since(begin)})
	}
	answer, err := run(ctx, p, job.Input)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &StoppedError{Running: true, Err: context.Cause(ctx)}
	case err != nil:
		return nil, jobError(err)
	}
	return answer, nil
}

// Close does nothing: nothing is kept.
func (l *Local) Close() error { return nil }
