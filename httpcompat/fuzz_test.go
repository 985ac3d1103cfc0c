package httpcompat_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/webodar/webodar/httpcompat"
)

// FuzzServe holds for any request what the interface promises for all of them:
// one JSON text of the known shape, with a status that fits.
func FuzzServe(f *testing.F) {
	for _, path := range []string{"/api/tools", "/api/tools/encodePlantUML", "/api/tools/echo", "/api/tools/a%2Fb", "/api/v1/tools/", "/api/x"} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			f.Add(method, path, `{"plantumlCode":"A -> B","text":"\ud800"}`)
			f.Add(method, path, "[\xff")
		}
	}
	h := httpcompat.New(newCatalog(f, encodePlantUML(), echo(), mounted()), nil)
	f.Fuzz(func(t *testing.T, method, path, body string) {
		if !strings.HasPrefix(path, "/") || len(method) > 20 {
			return
		}
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return
		}
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Method, r.URL = method, u
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if method == "OPTIONS" && w.Code == 200 {
			return
		}
		var answer struct {
			Success *bool
			Result  json.RawMessage
			Error   *struct{ Code, Message string }
			Tools   json.RawMessage
			OpenAPI string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		switch {
		case answer.Tools != nil || answer.OpenAPI != "":
			if w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		case answer.Success == nil || *answer.Success == (answer.Error != nil) || *answer.Success != (answer.Result != nil) || *answer.Success != (w.Code == 200):
			t.Errorf("%d %s", w.Code, w.Body)
		case w.Code == 500 && answer.Error.Code == "INTERNAL_ERROR":
			t.Errorf("a bug: %s", w.Body)
		}
	})
}
