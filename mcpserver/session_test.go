package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/mcpserver"
)

// events reads an event stream.
func events(body io.Reader) func() map[string]any {
	lines := bufio.NewScanner(body)
	return func() map[string]any {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var msg map[string]any
				if json.Unmarshal([]byte(data), &msg) == nil {
					return msg
				}
			}
		}
		return nil
	}
}

// Progress makes the answer an event stream; without it the answer is JSON.
func TestSessionProgress(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, nil))
	c.initialize()
	for _, tt := range []struct{ meta, contentType string }{
		{"", "application/json"},
		{`,"_meta":{"progressToken":"tok"}`, "text/event-stream"},
	} {
		res, err := c.client.Do(c.request("POST", `{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"steps","arguments":{}`+tt.meta+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if got := res.Header.Get("Content-Type"); got != tt.contentType {
			t.Errorf("Content-Type %q, want %q", got, tt.contentType)
		}
		if tt.meta == "" {
			continue
		}
		next := events(res.Body)
		for _, want := range []string{"half", "whole"} {
			if got := next(); dig(got, "params", "message") != want {
				t.Errorf("got %v, want progress %q", got, want)
			}
		}
		if got := next(); got["id"] != "p" || got["result"] == nil {
			t.Errorf("result: %v", got)
		}
	}
}

// What belongs to no request goes to the stream that GET opens; a later GET
// takes it over.
func TestSessionListener(t *testing.T) {
	f := newFixture(t, nil)
	c := startHTTP(t, f.serve(t, nil))
	c.initialize()
	open := func() *http.Response {
		res, err := c.client.Do(c.request("GET", ""))
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("GET: %v, %v", res, err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	first := open()
	second := open()
	if rest, err := io.ReadAll(first.Body); err != nil || len(rest) > 0 {
		t.Errorf("the first stream: %q, %v", rest, err)
	}
	if err := f.catalog.Replace([]catalog.Tool{}); err != nil {
		t.Fatal(err)
	}
	if got := events(second.Body)(); got["method"] != "notifications/tools/list_changed" {
		t.Errorf("got %v", got)
	}
}

func TestSessionCancel(t *testing.T) {
	f := newFixture(t, nil)
	c := startHTTP(t, f.serve(t, nil))
	c.initialize()
	answered := make(chan map[string]any, 1)
	go func() {
		_, got := c.post(call("x", "block", `{}`))
		answered <- got
	}()
	<-f.started
	if status, _ := c.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`); status != http.StatusAccepted {
		t.Errorf("status %d", status)
	}
	if err := <-f.ended; err == nil {
		t.Error("the tool was not cancelled")
	}
	if got := <-answered; dig(got, "error", "data", "type") != "Cancelled" {
		t.Errorf("the request ends with %v", got)
	}
}

func TestSessionDelete(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, nil))
	c.initialize()
	if status, got := c.do(c.request("DELETE", "")); status != http.StatusNoContent {
		t.Errorf("DELETE: %d %v", status, got)
	}
	for _, method := range []string{"POST", "GET", "DELETE"} {
		if status, got := c.do(c.request(method, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)); status != http.StatusNotFound || dig(got, "error", "data", "type") != "InvalidRequestError" {
			t.Errorf("%s afterwards: %d %v", method, status, got)
		}
	}
	c.session = ""
	c.initialize()
	if _, got := c.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`); got["result"] == nil {
		t.Errorf("a new session: %v", got)
	}
}

func TestSessionDeleteCancelsCalls(t *testing.T) {
	f := newFixture(t, nil)
	c := startHTTP(t, f.serve(t, nil))
	c.initialize()
	var blocked sync.WaitGroup
	blocked.Go(func() { c.fire(call("x", "block", `{}`)) })
	<-f.started
	if status, got := c.do(c.request("DELETE", "")); status != http.StatusNoContent {
		t.Errorf("DELETE: %d %v", status, got)
	}
	if err := <-f.ended; err == nil {
		t.Error("the call was not cancelled")
	}
	blocked.Wait()
}

func TestSessionLimit(t *testing.T) {
	s := newFixture(t, nil).serve(t, &mcpserver.Options{Sessions: 2})
	first, second, third := startHTTP(t, s), startHTTP(t, s), startHTTP(t, s)
	first.initialize()
	second.initialize()
	init := strings.Split(initialize, "\n")[0]
	status, got := third.post(init)
	if status != http.StatusServiceUnavailable || dig(got, "error", "data", "type") != "ConnectionRefusedError" || dig(got, "error", "data", "limit") != 2.0 {
		t.Errorf("one too many: %d %v", status, got)
	}
	if _, got := first.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`); got["result"] == nil {
		t.Errorf("the others go on: %v", got)
	}
	first.do(first.request("DELETE", ""))
	if status, got := third.post(init); status != http.StatusOK {
		t.Errorf("room again: %d %v", status, got)
	}
}

// A session that failed to initialize leaves nothing behind.
func TestSessionInitializeFails(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, nil))
	status, got := c.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":5}}}`)
	if got["error"] == nil || dig(got, "error", "data", "type") == nil {
		t.Fatalf("initialize: %d %v", status, got)
	}
	if text, _ := json.Marshal(got); strings.Contains(string(text), "json:") || strings.Contains(string(text), "mcp.") {
		t.Errorf("the error speaks of Go: %s", text)
	}
	if c.session != "" {
		t.Errorf("there is a session %q", c.session)
	}
}

func TestSessionTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mcpserver.New(newFixture(t, nil).catalog, &mcpserver.Options{SessionTimeout: 10 * time.Minute})
		defer s.Close()
		h := s.Handler()
		id := ""
		post := func(body string) int {
			r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "*/*")
			if id != "" {
				r.Header.Set("Mcp-Session-Id", id)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Header().Get("Mcp-Session-Id"); got != "" {
				id = got
			}
			return w.Code
		}
		const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		post(strings.Split(initialize, "\n")[0])
		for range 3 { // use keeps it alive
			time.Sleep(9 * time.Minute)
			if status := post(ping); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		}
		time.Sleep(10*time.Minute + time.Second)
		if status := post(ping); status != http.StatusNotFound {
			t.Errorf("after the timeout: %d", status)
		}
	})
}
