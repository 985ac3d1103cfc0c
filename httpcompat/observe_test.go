package httpcompat_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

// recorder keeps what an observer hears.
type recorder struct {
	begun  chan catalog.Surface
	events chan catalog.Event
}

var _ catalog.Observer = (*recorder)(nil)

func newRecorder() *recorder {
	return &recorder{make(chan catalog.Surface, 16), make(chan catalog.Event, 16)}
}

func (r *recorder) Begin(s catalog.Surface)                 { r.begun <- s }
func (r *recorder) End(_ context.Context, ev catalog.Event) { r.events <- ev }

func (r *recorder) wantBegun(t testing.TB) {
	t.Helper()
	select {
	case s := <-r.begun:
		if s != catalog.REST {
			t.Errorf("begun on %s", s)
		}
	case <-time.After(wait):
		t.Fatal("no request has begun")
	}
}

func (r *recorder) next(t testing.TB) catalog.Event {
	t.Helper()
	select {
	case ev := <-r.events:
		return ev
	case <-time.After(wait):
		t.Fatal("no request has ended")
		return catalog.Event{}
	}
}

func TestEvents(t *testing.T) {
	tests := []struct {
		method, path, body string
		pattern, tool      string
		status             int
		code               string
	}{
		{"GET", "/api/tools", "", "GET /api/tools", "", 200, ""},
		{"HEAD", "/api/v1/tools/", "", "HEAD /api/v1/tools", "", 200, ""},
		{"OPTIONS", "/api/tools/echo", "", "OPTIONS /api/tools/{name}", "", 200, ""},
		{"GET", "/api/openapi.json", "", "GET /api/openapi.json", "", 200, ""},
		{"POST", "/api/tools/echo", `{"text":"a"}`, "POST /api/tools/{name}", "echo", 200, ""},
		{"POST", "/api/v1/tools/echo", `{`, "POST /api/v1/tools/{name}", "echo", 400, "INVALID_JSON"},
		{"POST", "/api/tools/unknown", `{}`, "POST /api/tools/{name}", "", 404, "TOOL_NOT_FOUND"},
		{"POST", "/api/tools/fs_read", `{}`, "POST /api/tools/{name}", "", 404, "TOOL_NOT_FOUND"},
		{"POST", "/api/tools/fail", `{"how":"marshal panic"}`, "POST /api/tools/{name}", "fail", 500, "INTERNAL_ERROR"},
		{"MAKE-UP", "/api/made/up", "", "OTHER /api/", "", 404, "NOT_FOUND"},
	}
	seen := newRecorder()
	h := newHandler(t, &httpcompat.Options{Observer: seen})
	for _, tt := range tests {
		w := do(h, tt.method, tt.path, tt.body, "User-Agent", "test/1")
		seen.wantBegun(t)
		ev := seen.next(t)
		if ev.RequestID == "" || ev.RequestID != w.Header().Get("X-Request-Id") {
			t.Errorf("%s: id %q, header %q", tt.pattern, ev.RequestID, w.Header().Get("X-Request-Id"))
		}
		code := ""
		if ev.Err != nil {
			code = ev.Err.Code
		}
		if code != tt.code {
			t.Errorf("%s: code %q, want %q", tt.pattern, code, tt.code)
		}
		if ev.Duration <= 0 {
			t.Errorf("%s: took %s", tt.pattern, ev.Duration)
		}
		ev.RequestID, ev.Duration, ev.Err = "", 0, nil
		want := catalog.Event{
			Surface: catalog.REST, Method: tt.pattern, Tool: tt.tool, Peer: "192.0.2.1:1234", UserAgent: "test/1", Status: tt.status,
		}
		if diff := cmp.Diff(want, ev); diff != "" || w.Code != tt.status {
			t.Errorf("%s: answered %d, -want +got:\n%s", tt.pattern, w.Code, diff)
		}
	}
}

// What went wrong is for the log alone.
func TestCauseStaysInside(t *testing.T) {
	seen := newRecorder()
	h := newHandler(t, &httpcompat.Options{Observer: seen})
	tests := []struct{ tool, body, secret string }{
		{"fail", `{}`, "a secret of the implementation"},
		{"fail", `{"how":"panic"}`, "at the disco"},
		{"fail", `{"how":"marshal panic"}`, "while encoding"},
		{"fail", `{"how":"NaN"}`, "unsupported value"},
		{"encodePlantUML", "{\"plantumlCode\":\"\xff\"}", "0xff"},
	}
	for _, tt := range tests {
		w := do(h, "POST", "/api/tools/"+tt.tool, tt.body)
		ev := seen.next(t)
		if strings.Contains(w.Body.String(), tt.secret) {
			t.Errorf("%s: the answer says %s", tt.body, w.Body)
		}
		if ev.Err == nil || ev.Err.Cause == nil || !strings.Contains(ev.Err.Cause.Error(), tt.secret) {
			t.Errorf("%s: the event does not say %q: %+v", tt.body, tt.secret, ev.Err)
		}
	}
}

func TestListenersRequestID(t *testing.T) {
	seen := newRecorder()
	h := newHandler(t, &httpcompat.Options{Observer: seen})
	ctx := catalog.WithRequest(t.Context(), &catalog.Request{ID: "r1", Surface: catalog.REST})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/api/tools", nil))
	if ev := seen.next(t); ev.RequestID != "r1" {
		t.Errorf("id %q, want the listener's", ev.RequestID)
	}
	if got := w.Header().Get("X-Request-Id"); got != "" {
		t.Errorf("X-Request-Id %q is the listener's to set", got)
	}
}
