package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/webodar/webodar/internal/catalog"
)

// metrics count what upstreams do. The gauges are read when they are asked for.
type metrics struct {
	gateway  *Gateway
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	retries  *prometheus.CounterVec
}

var (
	upDesc       = prometheus.NewDesc("webodar_upstream_up", "1 when the server is connected and answers, else 0.", []string{"upstream"}, nil)
	breakerDesc  = prometheus.NewDesc("webodar_upstream_breaker_state", "1 for the state that the circuit breaker is in.", []string{"upstream", "state"}, nil)
	inFlightDesc = prometheus.NewDesc("webodar_upstream_requests_in_flight", "Requests that the server has not answered yet.", []string{"upstream"}, nil)
	startsDesc   = prometheus.NewDesc("webodar_upstream_starts_total", "Starts of the server's process.", []string{"upstream"}, nil)
)

func newMetrics(g *Gateway, r prometheus.Registerer) *metrics {
	m := &metrics{
		gateway: g,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "webodar_upstream_requests_total", Help: "Requests to mounted servers, by server, code (ok for success) and type of failure.",
		}, []string{"upstream", "code", "type"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "webodar_upstream_request_duration_seconds", Help: "Time from a request to a mounted server to its answer, retries included.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"upstream"}),
		retries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "webodar_upstream_retries_total", Help: "Requests that were sent again.",
		}, []string{"upstream"}),
	}
	if r != nil {
		r.MustRegister(m.requests, m.duration, m.retries, m)
	}
	return m
}

func (m *metrics) observe(upstream string, err error, took time.Duration) {
	code, kind := "ok", ""
	if err != nil {
		code, kind = "CANCELLED", string(catalog.Cancelled)
		if errors.Is(err, context.DeadlineExceeded) {
			code, kind = "TIMEOUT", string(catalog.TimeoutError)
		}
		var own *catalog.Error
		if errors.As(err, &own) {
			code, kind = own.Code, string(own.Type)
		}
	}
	m.requests.WithLabelValues(upstream, code, kind).Inc()
	m.duration.WithLabelValues(upstream).Observe(took.Seconds())
}

func (m *metrics) retried(upstream string) { m.retries.WithLabelValues(upstream).Inc() }

// Describe implements [prometheus.Collector].
func (m *metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{upDesc, breakerDesc, inFlightDesc, startsDesc} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *metrics) Collect(ch chan<- prometheus.Metric) {
	for _, s := range m.gateway.Status() {
		up := 0.0
		if s.State == Up {
			up = 1
		}
		ch <- prometheus.MustNewConstMetric(upDesc, prometheus.GaugeValue, up, s.Name)
		ch <- prometheus.MustNewConstMetric(inFlightDesc, prometheus.GaugeValue, float64(s.InFlight), s.Name)
		ch <- prometheus.MustNewConstMetric(startsDesc, prometheus.CounterValue, float64(s.Starts), s.Name)
		ch <- prometheus.MustNewConstMetric(breakerDesc, prometheus.GaugeValue, 1, s.Name, s.Breaker)
	}
}
