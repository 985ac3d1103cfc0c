package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

const pingMessage = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestToken starts a server that asks for a bearer token.
func TestToken(t *testing.T) {
	const token = "a-token-for-this-test"
	p := start(t, []string{"WEBODAR_TOKEN=" + token}, "serve", "--http", "127.0.0.1:0", "--log-level", "debug")
	c := newHTTPClient(t, p.url(t, "HTTP"))
	requests := []struct{ method, path, body string }{
		{http.MethodPost, "/mcp", pingMessage},
		{http.MethodGet, "/mcp", ""},
		{http.MethodDelete, "/mcp", ""},
		{http.MethodGet, "/api/tools", ""},
		{http.MethodPost, encodePath, source("A -> B")},
		{http.MethodPost, "/api/v1/tools/encodePlantUML", source("A -> B")},
		{http.MethodGet, "/metrics", ""},
	}
	for _, credentials := range []string{"", "Bearer wrong", "Bearer ", "Bearer " + token + "x", "Basic " + token, token} {
		c.header.Set("Authorization", credentials)
		for _, r := range requests {
			res, text := c.do(t, r.method, r.path, r.body)
			if res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(res.Header.Get("WWW-Authenticate"), "Bearer") ||
				!strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
				t.Errorf("%s %s with %q: status %d, headers %v", r.method, r.path, credentials, res.StatusCode, res.Header)
			}
			if strings.HasPrefix(r.path, "/api") && !strings.Contains(text, `"UNAUTHORIZED"`) {
				t.Errorf("%s %s: %s", r.method, r.path, text)
			}
		}
	}
	c.header.Set("Authorization", "Bearer "+token)
	for _, r := range requests {
		if r.path == "/mcp" && r.method != http.MethodPost {
			continue // these want a session too
		}
		if res, text := c.do(t, r.method, r.path, r.body); res.StatusCode != http.StatusOK {
			t.Errorf("%s %s with the token: status %d: %s", r.method, r.path, res.StatusCode, text)
		}
	}
	c.handshake(t, latestSession)
	if res, text := c.do(t, http.MethodDelete, "/mcp", ""); res.StatusCode/100 != 2 {
		t.Errorf("ending the session: status %d: %s", res.StatusCode, text)
	}
	c.header.Del("Authorization")
	for _, path := range []string{"/healthz", "/readyz"} { // probes have no token
		if res, _ := c.do(t, http.MethodGet, path, ""); res.StatusCode != http.StatusOK {
			t.Errorf("GET %s without the token: status %d", path, res.StatusCode)
		}
	}
	if res, _ := c.do(t, http.MethodOptions, encodePath, ""); res.StatusCode/100 != 2 ||
		res.Header.Get("Access-Control-Allow-Headers") != "Content-Type, Authorization" {
		t.Errorf("preflight: status %d, headers %v", res.StatusCode, res.Header)
	}
	if strings.Contains(p.log.String(), token) {
		t.Error("the token is in the log")
	}
}

// TestRefusedAddress asks for listeners that other machines could reach.
func TestRefusedAddress(t *testing.T) {
	for _, flag := range []string{"--http", "--compat"} {
		for _, addr := range []string{"0.0.0.0:0", "[::]:0"} {
			p := start(t, nil, "serve", flag, addr)
			if code := p.exitCode(t); code != 2 {
				t.Errorf("serve %s %s: exit code %d, want 2", flag, addr, code)
			}
			if !strings.Contains(p.log.String(), "WEBODAR_TOKEN") {
				t.Errorf("serve %s %s does not say what to do: %s", flag, addr, p.log)
			}
		}
	}
}

// TestForeignPage calls as a page of another site would: with its own Origin,
// and with a name of its own that resolves to this machine.
func TestForeignPage(t *testing.T) {
	url := start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP")
	for _, r := range []struct {
		path, host, origin string
		status             int
	}{
		{"/mcp", "", "https://evil.example", http.StatusForbidden},
		{"/mcp", "", "null", http.StatusForbidden},
		{"/mcp", "evil.example", "", http.StatusForbidden},
		{"/mcp", "evil.example", "http://evil.example", http.StatusForbidden},
		{"/mcp", "localhost", "http://localhost", http.StatusOK},
		{encodePath, "evil.example", "", http.StatusForbidden},
		{encodePath, "", "https://any.example", http.StatusOK}, // touches nothing but its input
	} {
		body := pingMessage
		if r.path == encodePath {
			body = source("A -> B")
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+r.path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		c := newHTTPClient(t, url)
		req.Header, req.Host = c.header.Clone(), r.host
		if r.origin != "" {
			req.Header.Set("Origin", r.origin)
		}
		res, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != r.status {
			t.Errorf("%s with Host %q and Origin %q: status %d, want %d", r.path, r.host, r.origin, res.StatusCode, r.status)
		}
	}
}

// TestCompat serves REST on a listener of its own beside MCP on stdio. The end
// of stdin ends both.
func TestCompat(t *testing.T) {
	p := start(t, nil, "serve", "--compat", "127.0.0.1:0")
	c := newHTTPClient(t, p.url(t, "REST"))
	p.handshake(t, latestSession)
	for range 3 {
		p.write(t, pingMessage+"\n")
		if text, err := p.line(t); err != nil || parseAnswer(t, text).Error != nil {
			t.Errorf("ping on stdio: %q, %v", text, err)
		}
		if res, text := c.do(t, http.MethodPost, encodePath, source("Bob -> Alice")); res.StatusCode != http.StatusOK ||
			!strings.Contains(text, "SyfFKj2rKt3CoKnE1G00") {
			t.Errorf("REST beside it: status %d: %s", res.StatusCode, text)
		}
	}
	if res, _ := c.do(t, http.MethodPost, "/mcp", pingMessage); res.StatusCode != http.StatusNotFound {
		t.Errorf("/mcp on the REST listener: status %d, want 404", res.StatusCode)
	}
	p.in.Close()
	if text, err := p.line(t); err != io.EOF {
		t.Errorf("after the end of stdin: %q, %v", text, err)
	}
	p.stops(t, promptly)
}

// TestSlowSender begins messages and does not end them.
func TestSlowSender(t *testing.T) {
	const quick = "--request-timeout=300ms"
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		p := start(t, nil, "serve", quick)
		p.handshake(t, latestSession)
		p.write(t, `{"jsonrpc":"2.0","id":1,"meth`)
		text, err := p.line(t)
		if err != nil {
			t.Fatal(err)
		}
		if a := parseAnswer(t, text); string(a.ID) != "null" || a.Error == nil || a.Error.Data["type"] != "ConnectionTimeout" {
			t.Errorf("want a ConnectionTimeout: %s", text)
		}
		if text, err := p.line(t); err != io.EOF {
			t.Errorf("the connection goes on: %q, %v", text, err)
		}
		p.stops(t, promptly)
	})
	for path, want := range map[string]string{"/mcp": `"ConnectionTimeout"`, encodePath: `"CONNECTION_TIMEOUT"`} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			url := start(t, nil, "serve", "--http", "127.0.0.1:0", quick).url(t, "HTTP")
			conn := beginUpload(t, url, path)
			text, err := io.ReadAll(conn)
			if err != nil || !strings.Contains(string(text), "HTTP/1.1 408") || !strings.Contains(string(text), want) {
				t.Errorf("%v, want status 408 and %s, then the end:\n%s", err, want, text)
			}
		})
	}
}
