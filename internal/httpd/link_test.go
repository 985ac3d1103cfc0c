package httpd_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpd"
)

// labels keeps what the log would show of requests.
type labels struct {
	catalog.Unobserved
	seen []string
}

func (l *labels) End(_ context.Context, ev catalog.Event) { l.seen = append(l.seen, ev.Method) }

// A link opens without a token, for one level below its path; under a foreign Host it is
// refused, and its name stays out of the log.
func TestLinks(t *testing.T) {
	seen := &labels{}
	s := httpd.New(&httpd.Options{Token: "s3cret", Observer: seen},
		httpd.Route{Path: "/links/", Handler: answer("linked"), Guard: httpd.GuardLink, Refuse: refuse},
		httpd.Route{Path: "/", Handler: answer("rest"), Refuse: refuse})
	addr, stop := start(t, s)
	c := client(t)
	for path, want := range map[string]string{
		"/links/name": "linked", "/links/": "linked", "/links": "rest", "/links/a/b": "rest", "/linksname": "rest", "/links/%2e%2e/x": "rest",
	} {
		for _, host := range []string{"localhost", "evil.example"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			res, err := c.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			refused := want == "linked" && host == "evil.example"
			if err != nil || refused != (res.StatusCode == http.StatusForbidden) || !refused && string(body) != want {
				t.Errorf("%s at %s: %d %q %v", path, host, res.StatusCode, body, err)
			}
		}
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(seen.seen, ", "); got != "GET /links/, GET /links/" {
		t.Errorf("logged %q", got)
	}
}
