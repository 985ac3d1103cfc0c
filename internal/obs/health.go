package obs

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
)

// Health answers whether the process lives and whether it takes work.
type Health struct {
	stopping atomic.Bool
}

// Stop makes the server not ready: it finishes what it has and takes no more.
func (h *Health) Stop() { h.stopping.Store(true) }

// Live is the handler of /healthz: 200 as long as the process answers.
func (h *Health) Live(w http.ResponseWriter, _ *http.Request) {
	writeStatus(w, http.StatusOK, "ok")
}

// Ready is the handler of /readyz: 200 when the server takes work, else 503.
func (h *Health) Ready(w http.ResponseWriter, _ *http.Request) {
	if h.stopping.Load() {
		writeStatus(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	writeStatus(w, http.StatusOK, "ready")
}

func writeStatus(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The client is gone if this fails.
	_ = json.NewEncoder(w).Encode(map[string]string{"status": text})
}
