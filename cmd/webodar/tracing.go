package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/obs"
	"github.com/webodar/webodar/internal/render"
	"github.com/webodar/webodar/internal/tools"
)

// newTracer exports traces if OpenTelemetry's variables ask for it, until stop is
// called. That it cannot be done keeps no server from serving.
func newTracer(log *slog.Logger, console io.Writer) (tracer catalog.Tracer, stop func()) {
	tracing, err := obs.NewTracing(&obs.TracingOptions{Version: buildVersion(), Logger: log, Console: console})
	if err != nil {
		log.Error("traces are not exported", "err", err)
	}
	if tracing == nil {
		return catalog.Untraced{}, func() {}
	}
	return tracing, func() {
		if err := tracing.Close(); err != nil {
			log.Warn("stopping the export of traces", "err", err)
		}
	}
}

// tracedDrawer has a span for each drawing.
type tracedDrawer struct {
	tools.Drawer
	tracer catalog.Tracer
}

// Do implements [tools.Drawer].
func (d tracedDrawer) Do(ctx context.Context, job render.Job) (json.RawMessage, error) {
	ctx, end := d.tracer.Step(ctx, catalog.Step{Method: "draw", Name: job.Kind})
	res, err := d.Drawer.Do(ctx, job)
	end(err)
	return res, err
}
