package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// answer is a JSON-RPC response as it came off the wire.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

func parseAnswer(t *testing.T, text string) *answer {
	t.Helper()
	a := &answer{}
	if err := json.Unmarshal([]byte(text), a); err != nil {
		t.Fatalf("the answer is no JSON-RPC response: %v\n%.500s", err, text)
	}
	if a.Version != "2.0" || (a.Result == nil) == (a.Error == nil) {
		t.Fatalf("the answer is no JSON-RPC 2.0 response: %.500s", text)
	}
	return a
}

// unmarshal decodes text, which must be JSON.
func unmarshal(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("decoding: %v\n%.500s", err, text)
	}
}

// initialize is the first message of a session.
func initialize(version string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,`+
		`"capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}}`, version)
}

const (
	initialized   = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	latestSession = "2025-11-25" // the newest protocol version that has sessions
	latest        = "2026-07-28"
)

// modernMeta is what a request of the newest protocol carries in its params.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + latest + `",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"e2e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// handshake opens an MCP session on stdio.
func (p *process) handshake(t *testing.T, version string) {
	t.Helper()
	p.write(t, initialize(version)+"\n")
	text, err := p.line(t)
	if err != nil {
		t.Fatal(err)
	}
	if a := parseAnswer(t, text); a.Error != nil {
		t.Fatalf("initialize failed: %s", text)
	}
	p.write(t, initialized+"\n")
}

// httpClient is a client of one endpoint that keeps one connection.
type httpClient struct {
	*http.Client
	url    string
	header http.Header
}

func newHTTPClient(t *testing.T, url string) *httpClient {
	t.Helper()
	transport := &http.Transport{MaxConnsPerHost: 1}
	t.Cleanup(transport.CloseIdleConnections)
	return &httpClient{
		Client: &http.Client{Transport: transport, Timeout: patience}, url: url,
		header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}},
	}
}

// do sends a request and returns the answer with its body read.
func (c *httpClient) do(t *testing.T, method, path, body string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = c.header.Clone()
	res, err := c.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: reading the answer: %v", method, path, err)
	}
	return res, string(text)
}

// rpc posts one message to /mcp and returns the status and the message that
// answers it, out of the event stream if it came in one.
func (c *httpClient) rpc(t *testing.T, message string) (*http.Response, string) {
	t.Helper()
	res, text := c.do(t, http.MethodPost, "/mcp", message)
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return res, text
	}
	var last string
	for line := range strings.Lines(text) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:"); ok && strings.TrimSpace(data) != "" {
			last = strings.TrimSpace(data)
		}
	}
	return res, last
}

// handshake opens an MCP session over HTTP.
func (c *httpClient) handshake(t *testing.T, version string) {
	t.Helper()
	res, text := c.rpc(t, initialize(version))
	if a := parseAnswer(t, text); a.Error != nil {
		t.Fatalf("initialize failed: %s", text)
	}
	c.header.Set("Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"))
	c.header.Set("Mcp-Protocol-Version", version)
	if res, text := c.rpc(t, initialized); res.StatusCode != http.StatusAccepted {
		t.Fatalf("notifications/initialized: status %d: %s", res.StatusCode, text)
	}
}

// within fails the test if f takes longer than limit.
func within(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	begun := time.Now()
	f()
	if took := time.Since(begun); took > limit {
		t.Errorf("%s took %s, more than %s", what, took.Round(time.Millisecond), limit)
	}
}
