package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzMessage sends whatever to the endpoint: every answer is JSON, or empty,
// and the server goes on.
func FuzzMessage(f *testing.F) {
	for _, m := range malformed {
		f.Add(m.text)
	}
	for _, a := range answers {
		f.Add(call("q", a.tool, a.args))
	}
	f.Add(strings.Split(initialize, "\n")[0])
	f.Fuzz(func(t *testing.T, text string) {
		fix := newFixture(t, nil)
		close(fix.release) // no call blocks
		h := fix.serve(t, nil).Handler()
		post := func(body string) *httptest.ResponseRecorder {
			req := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			if strings.Contains(body, "listen") {
				t.Skip("a subscription has no end")
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, req)
			return w
		}
		w := post(text)
		body := strings.TrimSpace(w.Body.String())
		if strings.HasPrefix(body, "event:") {
			_, body, _ = strings.Cut(body, "data: ")
			body, _, _ = strings.Cut(body, "\n")
		}
		if w.Code != http.StatusAccepted && !json.Valid([]byte(body)) {
			t.Errorf("%d, not JSON: %q", w.Code, body)
		}
		if w.Code >= 500 {
			t.Errorf("%d: %s", w.Code, body)
		}
		if w := post(`{"jsonrpc":"2.0","id":"after","method":"ping"}`); !strings.Contains(w.Body.String(), `"result":{}`) {
			t.Errorf("ping: %d %s", w.Code, w.Body)
		}
	})
}
