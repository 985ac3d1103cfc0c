package obs

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/webodar/webodar/internal/catalog"
)

// Recorder writes one log line and one count for each request.
type Recorder struct {
	logger   *slog.Logger
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight *prometheus.GaugeVec
}

var _ catalog.Observer = (*Recorder)(nil)

// NewRecorder returns a recorder with a metrics registry of its own. version
// is the program's, for webodar_build_info.
func NewRecorder(logger *slog.Logger, version string) *Recorder {
	r := &Recorder{
		logger:   logger,
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "webodar_requests_total",
			Help: "Requests answered, by surface, tool, code (ok for success) and type of failure.",
		}, []string{"surface", "tool", "code", "type"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "webodar_request_duration_seconds",
			Help: "Time from reading a request to its answer.",
			// From a link (some 50 µs) to a large drawing.
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"surface", "tool"}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "webodar_requests_in_flight",
			Help: "Requests read and not yet answered.",
		}, []string{"surface"}),
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "webodar_build_info", Help: "Always 1; the labels say what is running.",
	}, []string{"version", "goversion"})
	build.WithLabelValues(version, runtime.Version()).Set(1)
	r.registry.MustRegister(r.requests, r.duration, r.inFlight, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Registry is where further metrics can be registered.
func (r *Recorder) Registry() prometheus.Registerer { return r.registry }

// Handler serves the metrics in Prometheus' format.
func (r *Recorder) Handler() http.Handler {
	return promhttp.HandlerFor(r.registry, promhttp.HandlerOpts{})
}

// Begin implements [catalog.Observer].
func (r *Recorder) Begin(s catalog.Surface) { r.inFlight.WithLabelValues(string(s)).Inc() }

// End implements [catalog.Observer].
func (r *Recorder) End(ctx context.Context, ev catalog.Event) {
	surface := string(ev.Surface)
	code, kind := "ok", ""
	if ev.Err != nil {
		code, kind = ev.Err.Code, string(ev.Err.Type)
	}
	r.inFlight.WithLabelValues(surface).Dec()
	r.requests.WithLabelValues(surface, ev.Tool, code, kind).Inc()
	if !ev.Stream {
		r.duration.WithLabelValues(surface, ev.Tool).Observe(ev.Duration.Seconds())
	}
	r.log(ctx, ev)
}

func (r *Recorder) log(ctx context.Context, ev catalog.Event) {
	level := slog.LevelInfo
	switch {
	case ev.Err != nil && ev.Err.Type == catalog.InternalError:
		level = slog.LevelError
	case ev.Err != nil:
		level = slog.LevelWarn
	case ev.Surface != catalog.REST && ev.Tool == "" && ev.Method != "initialize":
		level = slog.LevelDebug // pings, lists and notifications
	}
	if !r.logger.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 12)
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	text("request_id", ev.RequestID)
	text("surface", string(ev.Surface))
	text("method", ev.Method)
	text("tool", ev.Tool)
	text("upstream", ev.Upstream)
	attrs = append(attrs, slog.Duration("duration", ev.Duration))
	if ev.Status != 0 {
		attrs = append(attrs, slog.Int("status", ev.Status))
	}
	text("peer", ev.Peer)
	text("user_agent", catalog.Clip(ev.UserAgent, 200))
	if ev.Err != nil {
		text("type", string(ev.Err.Type))
		text("code", ev.Err.Code)
		text("error", ev.Err.Message)
		if ev.Err.Cause != nil {
			text("cause", ev.Err.Cause.Error())
		}
	}
	r.logger.LogAttrs(ctx, level, "request", attrs...)
}
