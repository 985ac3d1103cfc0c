package obs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/obs"
)

func TestAlert(t *testing.T) {
	got := make(chan map[string]any, 10)
	far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var alert map[string]any
		if err := json.NewDecoder(r.Body).Decode(&alert); err != nil {
			t.Error(err)
		}
		got <- alert
	}))
	defer far.Close()
	file := filepath.Join(t.TempDir(), "alert")
	var log bytes.Buffer
	a := obs.NewAlert(catalog.Unobserved{}, &obs.AlertOptions{
		ErrorsPerMinute: 3, URL: far.URL, Command: []string{"tee", file}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	end := func(err *catalog.Error) { a.End(context.Background(), catalog.Event{Err: err, Upstream: "far"}) }
	end(nil)
	for range 5 { // clients that leave are no failures
		end(&catalog.Error{Type: catalog.Cancelled, Code: "CANCELLED"})
	}
	for range 10 { // one alert, however many follow
		end(&catalog.Error{Type: catalog.GatewayTimeout, Code: "GATEWAY_TIMEOUT", Message: "silent"})
	}
	a.Close()
	select {
	case alert := <-got:
		if alert["errors"] != 3.0 || alert["threshold"] != 3.0 || alert["last"] != "silent" || alert["upstream"] != "far" {
			t.Errorf("%v", alert)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the URL was not called")
	}
	if len(got) != 0 {
		t.Error("more than one alert")
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"GATEWAY_TIMEOUT":3`) {
		t.Errorf("the command got %s, %v", text, err)
	}
	if n := strings.Count(log.String(), "alert: too many requests fail"); n != 1 {
		t.Errorf("%d lines in the log:\n%s", n, log.String())
	}
}

func TestReadyParts(t *testing.T) {
	h := &obs.Health{}
	h.Watch(func() obs.Parts {
		return obs.Parts{Degraded: []string{"far"}, Details: map[string]any{"upstreams": []string{"why"}}}
	})
	for _, may := range []bool{false, true} {
		w := httptest.NewRecorder()
		h.ReadyFor(func(*http.Request) bool { return may })(w, httptest.NewRequest("GET", "/", nil))
		body := w.Body.String()
		if w.Code != 200 || !strings.Contains(body, `"degraded":["far"]`) || strings.Contains(body, "why") != may {
			t.Errorf("may see details %v: %d %s", may, w.Code, body)
		}
	}
}
