package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/render"
)

// MermaidKind is the name of mermaid's kind of job.
const MermaidKind = "mermaid"

// Drawer does drawing jobs; [render.Runner] is one.
type Drawer interface {
	Do(ctx context.Context, job render.Job) (json.RawMessage, error)
}

// NoDrawer is a Drawer for a binary without its engine. cause says so in one line,
// and by a method Hint() string what to do.
func NoDrawer(cause error) Drawer { return noDrawer{cause} }

type noDrawer struct{ cause error }

func (n noDrawer) Do(context.Context, render.Job) (json.RawMessage, error) {
	return nil, &missingEngine{n.cause}
}

type missingEngine struct{ cause error }

func (e *missingEngine) Error() string { return e.cause.Error() }
func (e *missingEngine) Unwrap() error { return e.cause }

// errOutOfTime is why a job's context ends at its own time limit.
var errOutOfTime = errors.New("the job's time is over")

// drawMermaid does a mermaid job within its time, which counts from here: queueing is
// part of it. The error is a [*mermaid.Problem], a [*failedDrawing], or ctx's.
func drawMermaid(ctx context.Context, d Drawer, job *mermaidJob, limit time.Duration) (*pressed, error) {
	input, err := json.Marshal(job)
	if err != nil {
		return nil, catalog.Internal(err)
	}
	bounded, cancel := context.WithTimeoutCause(ctx, limit, errOutOfTime)
	defer cancel()
	answer, err := d.Do(bounded, render.Job{Kind: MermaidKind, Input: input, Progress: progress(ctx)})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, failedJob(err, limit)
	}
	var out pressed
	if err := json.Unmarshal(answer, &out); err != nil || out.Drawing == nil && out.Problem == nil {
		return nil, catalog.Internal(fmt.Errorf("an answer to a mermaid job that is no outcome: %.200s", answer))
	}
	if out.Problem != nil {
		return nil, out.Problem
	}
	if out.Unpainted != nil {
		return nil, out.Unpainted.failure(job.Paint)
	}
	return &out, nil
}

// failure is that of a drawing that could not be painted.
func (u *unpainted) failure(how *painting) *failedDrawing {
	f := drawFail{Code: string(mermaid.RenderFailed), Message: "the picture could not be painted", cause: errors.New(u.Message)}
	f.hint = "Ask for SVG, or simplify the diagram; the server's log has the details."
	if u.TooBig {
		f.Message = "the picture is too large to be painted: " + u.Message
		f.hint = "Split the diagram."
		if how.Format == "png" {
			f.hint = "Ask for a smaller width or scale, or for SVG or PDF."
		}
	}
	if how.Format == "pdf" {
		f.Code = "PDF_GENERATION_FAILED"
	}
	return &failedDrawing{f}
}

// progress tells the caller how a job stands, if the caller asked.
func progress(ctx context.Context) func(render.Progress) {
	if catalog.RequestOf(ctx).Progress == nil {
		return nil
	}
	steps := 0.0
	return func(p render.Progress) {
		message := "drawing"
		if !p.Running {
			message = fmt.Sprintf("waiting, %d before this", p.Ahead)
		}
		steps++ // must grow from one to the next
		catalog.Progress(ctx, steps, 0, message)
	}
}

// failedDrawing is a failure that is not the diagram's.
type failedDrawing struct{ drawFail }

func (e *failedDrawing) Error() string { return e.Message }

func failedJob(err error, limit time.Duration) *failedDrawing {
	f := drawFail{Code: string(mermaid.RenderFailed), cause: err}
	var (
		stopped *render.StoppedError
		crash   *render.CrashError
		missing *missingEngine
		hinter  interface{ Hint() string }
	)
	switch {
	case errors.As(err, &stopped) && errors.Is(stopped.Err, errOutOfTime):
		f.Code = "RENDER_TIMEOUT"
		f.Message = fmt.Sprintf("the drawing was not ready within %d ms and was stopped", limit.Milliseconds())
		f.hint = fmt.Sprintf("Simplify the diagram, or raise timeout_ms up to %d.", maxTimeout)
		f.Details = map[string]any{"timeout_ms": limit.Milliseconds(), "queued": !stopped.Running}
	case errors.As(err, &missing):
		f.Message = missing.Error()
		if errors.As(err, &hinter) {
			f.hint = hinter.Hint()
		}
	case errors.Is(err, render.ErrBusy):
		f.Message, f.hint = "too many drawings are waiting", "Try again in a few seconds."
	case errors.Is(err, render.ErrClosed):
		f.Message, f.hint = "the server is stopping", "Try again when it is back."
	case errors.As(err, &crash):
		f.Message = "the process that drew the diagram ended"
		f.hint = "The diagram may need more memory than a drawing may use; simplify it, or try again."
	default:
		f.Message, f.hint = "the drawing engine failed", "Try a simpler diagram; the server's log has the details."
	}
	return &failedDrawing{f}
}
