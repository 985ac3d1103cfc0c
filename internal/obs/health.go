package obs

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
)

// Health answers whether the process lives and whether it takes work.
type Health struct {
	stopping atomic.Bool
	parts    atomic.Pointer[func() Parts]
}

// Parts are what the server can do without, in part.
type Parts struct {
	Degraded []string // names of what does not work
	// Details are for who may know: members of the answer's object.
	Details map[string]any
}

// Watch has Ready ask for the state of parts.
func (h *Health) Watch(parts func() Parts) { h.parts.Store(&parts) }

// Stop makes the server not ready: it finishes what it has and takes no more.
func (h *Health) Stop() { h.stopping.Store(true) }

// Live is the handler of /healthz: 200 as long as the process answers.
func (h *Health) Live(w http.ResponseWriter, _ *http.Request) {
	writeStatus(w, http.StatusOK, map[string]any{"status": "ok"})
}

// Ready is the handler of /readyz: 200 when the server takes work, else 503.
func (h *Health) Ready(w http.ResponseWriter, r *http.Request) { h.ReadyFor(nil)(w, r) }

// ReadyFor is [Health.Ready] with details for those requests that may see them;
// nil lets none. A server of which a part does not work takes work still: its
// status is 200 with the word degraded.
func (h *Health) ReadyFor(may func(*http.Request) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, status := map[string]any{"status": "ready"}, http.StatusOK
		if parts := h.parts.Load(); parts != nil {
			p := (*parts)()
			if len(p.Degraded) > 0 {
				body["status"], body["degraded"] = "degraded", p.Degraded
			}
			if may != nil && may(r) {
				for name, value := range p.Details {
					body[name] = value
				}
			}
		}
		if h.stopping.Load() {
			body["status"], status = "stopping", http.StatusServiceUnavailable
		}
		writeStatus(w, status, body)
	}
}

func writeStatus(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The client is gone if this fails.
	_ = json.NewEncoder(w).Encode(body)
}
