package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
)

// check compares the answer to m with what the contract says.
func (m *malformed) check(t *testing.T, text string) {
	t.Helper()
	a := parseAnswer(t, text)
	wantID := m.id
	if wantID == "" {
		wantID = "null"
	}
	if string(a.ID) != wantID {
		t.Errorf("id %s, want %s: %.300s", a.ID, wantID, text)
	}
	switch {
	case m.sound:
		if a.Error != nil {
			t.Errorf("a sound message was refused: %.300s", text)
		}
	case m.code == 0:
		var result struct {
			IsError    bool `json:"isError"`
			Structured struct {
				Error struct {
					Type string `json:"type"`
				} `json:"error"`
			} `json:"structuredContent"`
		}
		unmarshal(t, string(a.Result), &result)
		if got := result.Structured.Error.Type; !result.IsError || got != m.typ {
			t.Errorf("isError %v of type %q, want true and %q: %.300s", result.IsError, got, m.typ, text)
		}
	case a.Error == nil:
		t.Errorf("a result, want %s: %.300s", m.typ, text)
	default:
		if a.Error.Code != m.code || a.Error.Data["type"] != m.typ {
			t.Errorf("code %d type %v, want %d %s: %.300s", a.Error.Code, a.Error.Data["type"], m.code, m.typ, text)
		}
		for _, name := range m.data {
			if _, ok := a.Error.Data[name]; !ok {
				t.Errorf("data has no %q: %.300s", name, text)
			}
		}
		if a.Error.Message == "" {
			t.Errorf("no message: %.300s", text)
		}
	}
}

func ping(serial int) (request, answer string) {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"ping %d","method":"ping"}`, serial), fmt.Sprintf(`"ping %d"`, serial)
}

// TestMalformedStdio sends every message through one session, each followed by
// a ping.
func TestMalformedStdio(t *testing.T) {
	p := start(t, nil, "serve")
	p.handshake(t, latestSession)
	for i, m := range malformedMessages {
		ok := t.Run(m.name, func(t *testing.T) {
			p.write(t, m.text+"\n")
			if !m.silent {
				text, err := p.line(t)
				if err != nil {
					t.Fatalf("no answer: %v", err)
				}
				m.check(t, text)
			}
			if m.closes {
				if text, err := p.line(t); err != io.EOF {
					t.Errorf("the connection goes on: %q, %v", text, err)
				}
				if code := p.exitCode(t); code != 0 {
					t.Errorf("exit code %d, want 0", code)
				}
				return
			}
			request, id := ping(i)
			p.write(t, request+"\n")
			text, err := p.line(t)
			if err != nil {
				t.Fatalf("the ping behind it has no answer: %v", err)
			}
			if a := parseAnswer(t, text); string(a.ID) != id || a.Error != nil {
				t.Errorf("the ping behind it was answered with %.300s", text)
			}
		})
		if !ok && p.gone() {
			t.Fatal("the process is gone; the rest cannot be tried")
		}
	}
}

// TestMalformedHTTP sends every message over one connection, each followed by
// a ping: within a session, and without one.
func TestMalformedHTTP(t *testing.T) {
	p := start(t, nil, "serve", "--http", "127.0.0.1:0")
	url := p.url(t, "HTTP")
	t.Run("session", func(t *testing.T) {
		c := newHTTPClient(t, url)
		c.handshake(t, latestSession)
		malformedOverHTTP(t, c)
	})
	t.Run("no session", func(t *testing.T) {
		c := newHTTPClient(t, url)
		c.header.Set("Mcp-Protocol-Version", latestSession)
		malformedOverHTTP(t, c)
	})
}

func malformedOverHTTP(t *testing.T, c *httpClient) {
	// The ping ahead of the first message opens the connection to be kept.
	request, _ := ping(-1)
	c.rpc(t, request)
	for i, m := range malformedMessages {
		t.Run(m.name, func(t *testing.T) {
			res, text := c.rpc(t, m.text)
			if want := m.wantStatus(); res.StatusCode != want {
				t.Errorf("status %d, want %d", res.StatusCode, want)
			}
			if m.silent {
				if text != "" {
					t.Errorf("an answer where none is owed: %s", text)
				}
			} else {
				m.check(t, text)
			}
			if m.closes {
				if !res.Close {
					t.Error("the answer does not say that the connection closes")
				}
				return
			}
			reused := false
			trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
			request, id := ping(i)
			req, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodPost, c.url+"/mcp", strings.NewReader(request))
			if err != nil {
				t.Fatal(err)
			}
			req.Header = c.header.Clone()
			pong, err := c.Do(req)
			if err != nil {
				t.Fatalf("the ping behind it: %v", err)
			}
			defer pong.Body.Close()
			body, err := io.ReadAll(pong.Body)
			if err != nil || pong.StatusCode != http.StatusOK || !strings.Contains(string(body), `"id":`+id) {
				t.Errorf("the ping behind it: status %d, %v: %s", pong.StatusCode, err, body)
			}
			if !reused {
				t.Error("the connection was not kept")
			}
		})
	}
}

func (m *malformed) wantStatus() int {
	switch {
	case m.silent:
		return http.StatusAccepted
	case m.sound:
		return http.StatusOK
	case m.status != 0:
		return m.status
	}
	return http.StatusBadRequest
}

// TestDuplicateID sends a request whose id is still in flight. It must fail by
// itself, and the first request must run on.
func TestDuplicateID(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		p := start(t, nil, "serve")
		p.handshake(t, "2025-03-26")
		p.write(t, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`+"\n")
		text, err := p.line(t)
		if err != nil {
			t.Fatal(err)
		}
		checkDuplicate(t, text)
	})
	t.Run("HTTP", func(t *testing.T) {
		p := start(t, nil, "serve", "--http", "127.0.0.1:0")
		c := newHTTPClient(t, p.url(t, "HTTP"))
		c.handshake(t, "2025-03-26")
		_, text := c.rpc(t, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
		if !strings.Contains(text, "InvalidRequestError") || !strings.Contains(text, "in flight") {
			t.Errorf("the duplicate was not refused: %s", text)
		}
		request, id := ping(1)
		if res, text := c.rpc(t, request); res.StatusCode != http.StatusOK || !strings.Contains(text, id) {
			t.Errorf("the ping behind it: status %d: %s", res.StatusCode, text)
		}
	})
}

func checkDuplicate(t *testing.T, text string) {
	t.Helper()
	var answers []*answer
	unmarshal(t, text, &answers)
	results, refusals := 0, 0
	for _, a := range answers {
		switch {
		case a.Error == nil:
			results++
		case a.Error.Code == -32600 && a.Error.Data["type"] == "InvalidRequestError":
			refusals++
		}
	}
	if len(answers) != 2 || results != 1 || refusals != 1 {
		t.Errorf("want one result and one refusal: %s", text)
	}
}
