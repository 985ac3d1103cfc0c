package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/webodar/webodar/mcpserver"
)

// httpClient is a client of the endpoint that keeps one connection and one
// session.
type httpClient struct {
	t       *testing.T
	url     string
	client  *http.Client
	session string
	version string
	conns   func() int
}

func startHTTP(t *testing.T, s *mcpserver.Server) *httpClient {
	t.Helper()
	srv := httptest.NewUnstartedServer(s.Handler())
	opened := map[string]bool{}
	handler := srv.Config.Handler
	seen := make(chan string, 1000)
	srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.RemoteAddr
		handler.ServeHTTP(w, r)
	})
	srv.Start()
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close() // ends streams that srv.Close would wait for
		srv.Close()
	})
	return &httpClient{t: t, url: srv.URL, client: &http.Client{Transport: transport}, version: "2025-11-25", conns: func() int {
		for len(seen) > 0 {
			opened[<-seen] = true
		}
		return len(opened)
	}}
}

func (c *httpClient) request(method, body string) *http.Request {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
		req.Header.Set("Mcp-Protocol-Version", c.version)
	}
	return req
}

// post sends a message and returns the answer, the last one of a stream.
func (c *httpClient) post(body string) (int, map[string]any) {
	c.t.Helper()
	return c.do(c.request("POST", body))
}

func (c *httpClient) do(req *http.Request) (int, map[string]any) {
	c.t.Helper()
	res, err := c.client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		last := bytes.LastIndex(body, []byte("data: "))
		body = bytes.TrimSpace(body[last+len("data: "):])
	}
	if len(body) == 0 {
		return res.StatusCode, nil
	}
	var msg map[string]any
	if err := json.Unmarshal(body, &msg); err != nil {
		c.t.Fatalf("%d, not JSON: %s", res.StatusCode, body)
	}
	return res.StatusCode, msg
}

// fire sends a message and does not care what comes back.
func (c *httpClient) fire(body string) {
	res, err := c.client.Do(c.request("POST", body))
	if err != nil {
		c.t.Error(err)
		return
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		c.t.Error(err)
	}
}

func (c *httpClient) initialize() {
	c.t.Helper()
	for line := range strings.Lines(initialize) {
		if status, got := c.post(line); status >= 300 {
			c.t.Fatalf("initialize: %d %v", status, got)
		}
	}
}
