// Package obs makes the server observable: structured logs, Prometheus metrics,
// health endpoints and OpenTelemetry traces.
//
//	logger, err := obs.NewLogger(os.Stderr, "text", "info")
//	rec := obs.NewRecorder(logger, "1.2.3")
//	mux.Handle("/metrics", rec.Handler())
//
// A [Recorder] is the catalogue's observer: one log line and one count for each
// request; [Alert] stands in front of it. [Tracing] is the catalogue's tracer, when
// OpenTelemetry's environment variables ask for one. Metrics are not pushed: they
// are there for whoever asks.
package obs
