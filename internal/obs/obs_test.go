package obs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/obs"
)

func TestRecorder(t *testing.T) {
	var log bytes.Buffer
	logger, err := obs.NewLogger(&log, "json", "info")
	if err != nil {
		t.Fatal(err)
	}
	r := obs.NewRecorder(logger, "1.2.3")
	events := []catalog.Event{
		{RequestID: "a", Surface: catalog.REST, Method: "POST /api/tools/{name}", Tool: "encodePlantUML", Duration: 2 * time.Millisecond, UserAgent: "curl/8", Peer: "127.0.0.1:5", Status: 200},
		{RequestID: "b", Surface: catalog.Stdio, Method: "tools/call", Err: &catalog.Error{Type: catalog.ToolNotFound, Code: "TOOL_NOT_FOUND", Message: "no"}},
		{RequestID: "c", Surface: catalog.HTTP, Method: "tools/call", Err: catalog.Internal(errors.New("the cause"))},
		{RequestID: "d", Surface: catalog.HTTP, Method: "ping"},
	}
	for _, ev := range events {
		r.Begin(ev.Surface)
		r.End(context.Background(), ev)
	}
	r.Begin(catalog.HTTP)

	type line struct {
		Level, Surface, Tool, Type, Code, Cause string
		RequestID                               string `json:"request_id"`
		UserAgent                               string `json:"user_agent"`
	}
	var got []line
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		got = append(got, l)
	}
	want := []line{
		{Level: "INFO", Surface: "rest", Tool: "encodePlantUML", RequestID: "a", UserAgent: "curl/8"},
		{Level: "WARN", Surface: "stdio", Type: "ToolNotFoundError", Code: "TOOL_NOT_FOUND", RequestID: "b"},
		{Level: "ERROR", Surface: "http", Type: "InternalError", Code: "INTERNAL_ERROR", Cause: "the cause", RequestID: "c"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log: -want +got:\n%s", diff)
	}

	w := httptest.NewRecorder()
	r.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, sample := range []string{
		`webodar_requests_total{code="ok",surface="rest",tool="encodePlantUML",type=""} 1`,
		`webodar_requests_total{code="TOOL_NOT_FOUND",surface="stdio",tool="",type="ToolNotFoundError"} 1`,
		`webodar_request_duration_seconds_bucket{surface="rest",tool="encodePlantUML",le="0.0025"} 1`,
		`webodar_requests_in_flight{surface="http"} 1`,
		`webodar_build_info{goversion="go`,
	} {
		if !strings.Contains(w.Body.String(), sample) {
			t.Errorf("metrics lack %s", sample)
		}
	}
}

func TestNewLoggerRefuses(t *testing.T) {
	for _, bad := range [][2]string{{"xml", "info"}, {"text", "loud"}} {
		if _, err := obs.NewLogger(&bytes.Buffer{}, bad[0], bad[1]); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
}

func TestHealth(t *testing.T) {
	h := &obs.Health{}
	probe := func(f http.HandlerFunc) (int, string) {
		w := httptest.NewRecorder()
		f(w, httptest.NewRequest("GET", "/", nil))
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	check := func(f http.HandlerFunc, status int, body string) {
		t.Helper()
		gotStatus, gotBody := probe(f)
		if diff := cmp.Diff([]any{status, body}, []any{gotStatus, gotBody}); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	check(h.Live, 200, `{"status":"ok"}`)
	check(h.Ready, 200, `{"status":"ready"}`)
	h.Stop()
	check(h.Live, 200, `{"status":"ok"}`)
	check(h.Ready, 503, `{"status":"stopping"}`)
}
