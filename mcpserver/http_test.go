package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/mcpserver"
)

// One endpoint serves every protocol version that the SDK knows.
func TestHTTPEveryVersion(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, nil))
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			c.session, c.version = "", version
			if version < "2026" {
				_, got := c.post(strings.Replace(strings.Split(initialize, "\n")[0], "2025-11-25", version, 1))
				if dig(got, "result", "protocolVersion") != version {
					t.Fatalf("initialize: %v", got)
				}
				_, got = c.post(call("1", "echo", `{"text":"hi"}`))
				if dig(got, "result", "structuredContent", "text") != "hi" {
					t.Errorf("call: %v", got)
				}
				return
			}
			meta := fmt.Sprintf(`,"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}`, version)
			req := c.request("POST", strings.Replace(call("1", "echo", `{"text":"hi"}`), `}}`, "}"+meta+"}", 1))
			req.Header.Set("Mcp-Protocol-Version", version)
			req.Header.Set("Mcp-Method", "tools/call")
			req.Header.Set("Mcp-Name", "echo")
			status, got := c.do(req)
			if status != 200 || dig(got, "result", "structuredContent", "text") != "hi" {
				t.Errorf("call: %d %v", status, got)
			}
			req = c.request("POST", `{"jsonrpc":"2.0","id":1,"method":"nope","params":{`+meta[1:]+`}}`)
			req.Header.Set("Mcp-Protocol-Version", version)
			if status, got := c.do(req); status != 404 || dig(got, "error", "data", "type") != "MethodNotFound" {
				t.Errorf("unknown method: %d %v", status, got)
			}
		})
	}
}

// What the SDK refuses over HTTP in plain text is an error of the contract too.
func TestHTTPRefusals(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, &mcpserver.Options{MessageBytes: 1000}))
	c.initialize()
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	header := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	tests := []struct {
		name, method, body string
		change             func(*http.Request)
		status             int
		kind, text         string
	}{
		{"session that is gone", "POST", ping, header("Mcp-Session-Id", "gone"), 404, "InvalidRequestError", "session not found"},
		{"no stream accepted", "POST", ping, header("Accept", "application/json"), 400, "InvalidRequestError", "Accept must contain"},
		{"version unknown", "POST", ping, header("Mcp-Protocol-Version", "1999-01-01"), 400, "InvalidRequestError", "protocol version"},
		{"not JSON by type", "POST", ping, header("Content-Type", "text/plain"), 415, "InvalidRequestError", "Content-Type"},
		{"GET without session", "GET", "", func(r *http.Request) { r.Header.Del("Mcp-Session-Id") }, 400, "InvalidRequestError", "Mcp-Session-Id"},
		{"PUT", "PUT", "", func(*http.Request) {}, 405, "InvalidRequestError", "PUT"},
		{"too large", "POST", strings.Repeat(" ", 1001) + ping, func(*http.Request) {}, 413, "RequestTooLargeError", "1000 bytes"},
		{"empty", "POST", "", func(*http.Request) {}, 400, "ParseError", "the text ends"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := c.request(tt.method, tt.body)
			tt.change(req)
			status, got := c.do(req)
			if diff := cmp.Diff([]any{tt.status, tt.kind}, []any{status, dig(got, "error", "data", "type")}); diff != "" {
				t.Errorf("-want +got:\n%s\n%v", diff, got)
			}
			if text, _ := dig(got, "error", "message").(string); !strings.Contains(text, tt.text) {
				t.Errorf("message %q, want %q in it", text, tt.text)
			}
		})
	}
}

// What the SDK's handler refuses in protocol 2026-07-28 is typed and recorded.
func TestHTTPModernRefusals(t *testing.T) {
	seen := &observer{}
	c := startHTTP(t, newFixture(t, nil).serve(t, &mcpserver.Options{Observer: seen}))
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modern := func(method, body string, header ...string) (int, map[string]any) {
		req := c.request(method, body)
		req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		return c.do(req)
	}
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + meta + `}}`
	for _, tt := range []struct {
		name, method, body string
		header             []string
		status             int
		code               float64
	}{
		{"method that is gone", "POST", ping, []string{"Mcp-Method", "ping"}, 404, -32601},
		{"header of another method", "POST", ping, []string{"Mcp-Method", "tools/list"}, 400, -32020},
		{"no _meta", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{"Mcp-Method", "tools/list"}, 400, -32602},
		{"GET", "GET", "", nil, 405, -32600},
		{"DELETE", "DELETE", "", nil, 405, -32600},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, got := modern(tt.method, tt.body, tt.header...)
			if diff := cmp.Diff([]any{tt.status, tt.code}, []any{status, dig(got, "error", "code")}); diff != "" {
				t.Errorf("-want +got:\n%s\n%v", diff, got)
			}
			if dig(got, "error", "data", "type") == nil {
				t.Errorf("no type: %v", got)
			}
			_, events := seen.all()
			if last := events[len(events)-1]; last.Err == nil || last.Status != tt.status {
				t.Errorf("recorded as %+v", last)
			}
		})
	}
}

func TestHTTPDuplicateID(t *testing.T) {
	f := newFixture(t, nil)
	c := startHTTP(t, f.serve(t, nil))
	c.initialize()
	var first sync.WaitGroup
	first.Go(func() {
		if _, got := c.post(call("x", "block", `{}`)); dig(got, "result", "structuredContent", "text") != "released" {
			t.Errorf("the first: %v", got)
		}
	})
	<-f.started
	status, got := c.post(call("x", "echo", `{"text":"second"}`))
	if status != 400 || dig(got, "error", "data", "type") != "InvalidRequestError" {
		t.Errorf("the duplicate: %d %v", status, got)
	}
	close(f.release)
	first.Wait()
}

// Fixed bug of the bare SDK: a client with a session that leaves does not
// cancel its call.
func TestHTTPDisconnectCancels(t *testing.T) {
	for _, session := range []bool{true, false} {
		t.Run(fmt.Sprintf("session %v", session), func(t *testing.T) {
			f := newFixture(t, nil)
			c := startHTTP(t, f.serve(t, nil))
			if session {
				c.initialize()
			}
			ctx, cancel := context.WithCancel(t.Context())
			req := c.request("POST", call("x", "block", `{}`)).WithContext(ctx)
			left := make(chan error, 1)
			go func() {
				res, err := c.client.Do(req)
				if err == nil {
					_, err = io.ReadAll(res.Body)
					res.Body.Close()
				}
				left <- err
			}()
			<-f.started
			cancel()
			if err := <-f.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the tool ended with %v", err)
			}
			if err := <-left; err == nil {
				t.Error("the client got an answer")
			}
			if _, got := c.post(`{"jsonrpc":"2.0","id":"after","method":"ping"}`); got["result"] == nil {
				t.Errorf("ping: %v", got)
			}
		})
	}
}

func TestHTTPSlowBody(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, &mcpserver.Options{RequestTimeout: 50 * time.Millisecond}))
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 100\r\n\r\n{")
	answer, err := io.ReadAll(conn) // to the end: the server closes
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || !strings.Contains(string(answer), `"ConnectionTimeout"`) {
		t.Errorf("got %s", answer)
	}
}

func TestHTTPBatch(t *testing.T) {
	c := startHTTP(t, newFixture(t, nil).serve(t, nil))
	c.session, c.version = "", "2025-03-26"
	c.post(strings.Replace(strings.Split(initialize, "\n")[0], "2025-11-25", "2025-03-26", 1))
	batch := `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	res, err := c.client.Do(c.request("POST", batch))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || strings.Count(string(body), `"result":{}`) != 2 {
		t.Errorf("got %s, %v", body, err)
	}
	// A bad message is refused by itself: one without a method, one id twice.
	res, err = c.client.Do(c.request("POST", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2},{"jsonrpc":"2.0","id":1,"method":"ping"}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answers []map[string]any
	if err := json.NewDecoder(res.Body).Decode(&answers); err != nil {
		t.Fatal(err)
	}
	results := 0
	for _, a := range answers {
		if a["result"] != nil {
			results++
		}
	}
	if len(answers) != 3 || results != 1 {
		t.Errorf("got %v", answers)
	}
	many := "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 100) + `{"jsonrpc":"2.0","id":1,"method":"ping"}]`
	if status, got := c.post(many); status != 400 || dig(got, "error", "data", "type") != "InvalidRequestError" {
		t.Errorf("too many: %d %v", status, got)
	}
	// The header may lie about the version; the session knows.
	c.session, c.version = "", "2025-11-25"
	c.initialize()
	req := c.request("POST", batch)
	req.Header.Del("Mcp-Protocol-Version")
	if status, got := c.do(req); status != 400 || dig(got, "error", "data", "type") != "InvalidRequestError" {
		t.Errorf("batch in a later version: %d %v", status, got)
	}
}

// Eight clients go on while one misbehaves.
func TestHTTPOneBadClientHarmsNobody(t *testing.T) {
	f := newFixture(t, nil)
	s := f.serve(t, nil)
	bad := startHTTP(t, s)
	stop := make(chan struct{})
	var group, troublemaker sync.WaitGroup
	troublemaker.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				bad.fire(malformed[i%len(malformed)].text)
				bad.fire(call("p", "panic", `{}`))
			}
		}
	})
	for range 8 {
		c := startHTTP(t, s)
		c.initialize()
		group.Go(func() {
			for i := range 50 {
				text := fmt.Sprint("hello ", i)
				if _, got := c.post(call(i, "echo", fmt.Sprintf(`{"text":%q}`, text))); dig(got, "result", "structuredContent", "text") != text {
					t.Errorf("got %v", got)
				}
			}
		})
	}
	group.Wait()
	close(stop)
	troublemaker.Wait()
}

func TestHTTPCloseEndsStreams(t *testing.T) {
	s := newFixture(t, nil).serve(t, nil)
	c := startHTTP(t, s)
	c.initialize()
	res, err := c.client.Do(c.request("GET", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		t.Fatalf("status %d", res.StatusCode)
	}
	s.Close()
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Errorf("the stream broke: %v", err)
	}
}
