package httpd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpd"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves routes on loopback and returns the address, and a function that
// stops the server and returns what Serve returned.
func start(t *testing.T, s *httpd.Server) (addr string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { _ = stop() })
	return l.Addr().String(), stop
}

func refuse(w http.ResponseWriter, _ *http.Request, status int, e *catalog.Error) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"code": e.Code})
}

func answer(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
}

func routes() []httpd.Route {
	return []httpd.Route{
		{Path: "/browser", Handler: answer("in"), Guard: httpd.GuardBrowser, Refuse: refuse, CORS: http.Header{"Access-Control-Allow-Methods": {"POST"}}},
		{Path: "/open", Handler: answer("in"), Guard: httpd.GuardOpen, Refuse: refuse},
		{Path: "/free", Methods: []string{"GET", "HEAD"}, Handler: answer("in"), Refuse: refuse},
		{Path: "/panic", Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") }), Refuse: refuse},
		{Path: "/", Handler: answer("rest"), Refuse: refuse},
	}
}

func client(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestGuard(t *testing.T) {
	plain := httpd.New(&httpd.Options{AllowHosts: []string{"Diagrams.example.org"}, AllowOrigins: []string{"https://app.example.org"}}, routes()...)
	locked := httpd.New(&httpd.Options{Token: "s3cret"}, routes()...)
	plainAddr, _ := start(t, plain)
	lockedAddr, _ := start(t, locked)
	c := client(t)
	tests := []struct {
		name, addr, method, path string
		header                   map[string]string
		status                   int
		body                     string
	}{
		{"loopback", plainAddr, "GET", "/browser", nil, 200, "in"},
		{"localhost", plainAddr, "GET", "/open", map[string]string{"Host": "localhost:8080"}, 200, "in"},
		{"IPv6 loopback", plainAddr, "GET", "/open", map[string]string{"Host": "[::1]:8080"}, 200, "in"},
		{"allowed host", plainAddr, "GET", "/open", map[string]string{"Host": "diagrams.example.org"}, 200, "in"},
		{"rebound host", plainAddr, "GET", "/open", map[string]string{"Host": "evil.example"}, 403, `{"code":"FORBIDDEN"}`},
		{"look-alike host", plainAddr, "GET", "/open", map[string]string{"Host": "localhost.evil.example"}, 403, `{"code":"FORBIDDEN"}`},
		{"probe by any host", plainAddr, "GET", "/free", map[string]string{"Host": "10.0.0.7:8080"}, 200, "in"},
		{"foreign origin", plainAddr, "POST", "/browser", map[string]string{"Origin": "https://evil.example"}, 403, `{"code":"FORBIDDEN"}`},
		{"null origin", plainAddr, "POST", "/browser", map[string]string{"Origin": "null"}, 403, `{"code":"FORBIDDEN"}`},
		{"foreign origin, open", plainAddr, "POST", "/open", map[string]string{"Origin": "https://evil.example"}, 200, "in"},
		{"same origin", plainAddr, "POST", "/browser", map[string]string{"Origin": "http://" + plainAddr}, 200, "in"},
		{"other port", plainAddr, "POST", "/browser", map[string]string{"Origin": "http://127.0.0.1:1"}, 403, `{"code":"FORBIDDEN"}`},
		{"allowed origin", plainAddr, "POST", "/browser", map[string]string{"Origin": "https://app.example.org"}, 200, "in"},
		{"preflight", plainAddr, "OPTIONS", "/browser", map[string]string{"Origin": "https://app.example.org"}, 204, ""},
		{"no token", lockedAddr, "GET", "/open", nil, 401, `{"code":"UNAUTHORIZED"}`},
		{"wrong token", lockedAddr, "GET", "/open", map[string]string{"Authorization": "Bearer s3cre"}, 401, `{"code":"UNAUTHORIZED"}`},
		{"wrong scheme", lockedAddr, "GET", "/open", map[string]string{"Authorization": "Basic s3cret"}, 401, `{"code":"UNAUTHORIZED"}`},
		{"token", lockedAddr, "GET", "/open", map[string]string{"Authorization": "bearer s3cret"}, 200, "in"},
		{"probe without token", lockedAddr, "GET", "/free", nil, 200, "in"},
		{"preflight without token", lockedAddr, "OPTIONS", "/open", nil, 200, "in"},
		{"method", plainAddr, "POST", "/free", nil, 405, `{"code":"METHOD_NOT_ALLOWED"}`},
		{"panic", plainAddr, "GET", "/panic", nil, 500, `{"code":"INTERNAL_ERROR"}`},
		{"no redirect", plainAddr, "POST", "//open", nil, 200, "rest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tt.method, "http://"+tt.addr+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range tt.header {
				req.Header.Set(k, v)
			}
			req.Host = tt.header["Host"]
			res, err := c.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]any{tt.status, tt.body}, []any{res.StatusCode, strings.TrimSpace(string(body))}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if res.Header.Get("X-Request-Id") == "" {
				t.Error("no request id")
			}
			if origin := res.Header.Get("Access-Control-Allow-Origin"); tt.name == "allowed origin" && origin != "https://app.example.org" {
				t.Errorf("Access-Control-Allow-Origin %q", origin)
			}
		})
	}
}

func TestMayUseGuarded(t *testing.T) {
	var s *httpd.Server
	may := make(chan bool, 1)
	ask := httpd.Route{Path: "/", Refuse: refuse, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { may <- s.MayUseGuarded(r) })}
	for _, tt := range []struct {
		name, token, origin, auth string
		want                      bool
	}{
		{"no browser", "", "", "", true},
		{"a page", "", "https://evil.example", "", false},
		{"its own page, unnamed", "", "http://127.0.0.1", "", false},
		{"a page by name", "", "https://app.example.org", "", true},
		{"token missing", "x", "", "", false},
		{"token", "x", "https://evil.example", "Bearer x", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s = httpd.New(&httpd.Options{Token: tt.token, AllowOrigins: []string{"https://app.example.org"}}, ask)
			addr, _ := start(t, s)
			req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range map[string]string{"Origin": tt.origin, "Authorization": tt.auth} {
				if v != "" {
					req.Header.Set(k, v)
				}
			}
			res, err := client(t).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if got := <-may; got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// Fixed bug of bare net/http: a client too slow with its header is cut off
// without a word.
func TestSlowHeader(t *testing.T) {
	addr, _ := start(t, httpd.New(&httpd.Options{HeaderTimeout: 50 * time.Millisecond}, routes()...))
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET /open HTTP/1.1\r\nHost: local")
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || !strings.Contains(string(answer), "CONNECTION_TIMEOUT") {
		t.Errorf("got %q, %v", answer, err)
	}
}

// Fixed bug of bare net/http: what is no request is answered in plain text.
func TestNoRequest(t *testing.T) {
	addr, _ := start(t, httpd.New(nil, routes()...))
	for request, status := range map[string]int{
		"GARBAGE\r\n\r\n":        400,
		"GET / HTTP/1.1\r\n\r\n": 400,
		"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n": 431,
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, request)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Error struct{ Code, Message string }
		}
		if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.StatusCode != status || body.Error.Code != "INVALID_REQUEST" || body.Error.Message == "" {
			t.Errorf("%.20q: %d, %+v, %v", request, res.StatusCode, body, err)
		}
		res.Body.Close()
	}
}

// A connection that is merely idle ends in silence.
func TestIdleConnection(t *testing.T) {
	addr, _ := start(t, httpd.New(&httpd.Options{HeaderTimeout: 50 * time.Millisecond, IdleTimeout: 50 * time.Millisecond}, routes()...))
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET /open HTTP/1.1\r\nHost: localhost\r\n\r\n")
	answer, err := io.ReadAll(conn)
	if err != nil || strings.Contains(string(answer), "408") || !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
		t.Errorf("got %q, %v", answer, err)
	}
}

// A client that does not read its answer does not hold the handler for good.
func TestClientDoesNotRead(t *testing.T) {
	failed := make(chan error, 1)
	s := httpd.New(&httpd.Options{WriteTimeout: 50 * time.Millisecond}, httpd.Route{Path: "/", Refuse: refuse, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		piece := make([]byte, 1<<20)
		for range 1000 {
			if _, err := w.Write(piece); err != nil {
				failed <- err
				return
			}
		}
		failed <- nil
	})})
	addr, _ := start(t, s)
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err := <-failed; err == nil {
		t.Error("1 GB was written to a client that reads nothing")
	}
}

// The time is for what is written at a time: a slow handler is no slow client.
func TestSlowHandler(t *testing.T) {
	s := httpd.New(&httpd.Options{WriteTimeout: 50 * time.Millisecond}, httpd.Route{Path: "/", Refuse: refuse, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, part := range []string{"a", "b", "c"} {
			<-time.After(60 * time.Millisecond)
			fmt.Fprint(w, part)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		}
	})})
	addr, _ := start(t, s)
	c := client(t)
	for range 2 { // the second on the same connection
		res, err := c.Get("http://" + addr)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || string(body) != "abc" {
			t.Errorf("got %q, %v", body, err)
		}
	}
}

func TestStopFinishesWhatRuns(t *testing.T) {
	running, finish := make(chan struct{}), make(chan struct{})
	s := httpd.New(nil, httpd.Route{Path: "/", Refuse: refuse, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(running)
		<-finish
		fmt.Fprint(w, "done")
	})})
	told := make(chan struct{})
	s.OnStop(func() { close(told) })
	addr, stop := start(t, s)
	got := make(chan string, 1)
	c := client(t)
	go func() {
		res, err := c.Get("http://" + addr)
		if err != nil {
			got <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		got <- string(body)
	}()
	<-running
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	<-told
	close(finish)
	if text := <-got; text != "done" {
		t.Errorf("the request in flight got %q", text)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestTooManyConnections(t *testing.T) {
	addr, _ := start(t, httpd.New(&httpd.Options{Connections: 1}, routes()...))
	ask := func(c net.Conn, path string) string {
		t.Helper()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err.Error()
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(res.StatusCode, " ", strings.TrimSpace(string(body)))
	}
	dial := func() net.Conn {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	first := dial()
	if got := ask(first, "/open"); got != "200 in" {
		t.Errorf("the first: %s", got)
	}
	second := dial()
	if got := ask(second, "/open"); got != `503 {"code":"CONNECTION_REFUSED"}` {
		t.Errorf("the second: %s", got)
	}
	second.Close()
	// Probes are let in, so that one can see what is going on.
	if got := ask(dial(), "/free"); got != "200 in" {
		t.Errorf("a probe: %s", got)
	}
	if got := ask(first, "/open"); got != "200 in" {
		t.Errorf("the first, again: %s", got)
	}
}
