// Package obs makes the server observable: structured logs, Prometheus metrics
// and health endpoints.
//
//	logger, err := obs.NewLogger(os.Stderr, "text", "info")
//	rec := obs.NewRecorder(logger, "1.2.3")
//	mux.Handle("/metrics", rec.Handler())
//
// A [Recorder] is the catalogue's observer: one log line and one count for each
// request. The package decides nothing; it does not sample, alert or export
// traces.
package obs
