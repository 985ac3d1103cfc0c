package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// How long a server that is told to stop may take: at once where only idle
// clients or streams hold it, and its documented grace where a client is in the
// middle of a request.
const (
	promptly = 3 * time.Second
	grace    = 10*time.Second + promptly
)

func (p *process) terminate(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// stops expects the process to end by itself, without a failure.
func (p *process) stops(t *testing.T, limit time.Duration) {
	t.Helper()
	within(t, limit, "stopping", func() {
		if code := p.exitCode(t); code != 0 {
			t.Errorf("exit code %d, want 0", code)
		}
	})
}

// TestEndOfInput pipes requests in and closes stdin: every one is answered.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	const calls = 200
	p := start(t, nil, "serve", "--log-level", "error")
	go func() {
		defer p.in.Close()
		var b strings.Builder
		fmt.Fprintln(&b, initialize(latestSession))
		fmt.Fprintln(&b, initialized)
		for i := range calls {
			fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"encodePlantUML","arguments":{"plantumlCode":"A -> B : %d"}}}`, i, i)
			if i < calls-1 { // the last line has no line break
				b.WriteByte('\n')
			}
		}
		_, _ = io.WriteString(p.in, b.String()) // what is missing shows in the answers
	}()
	seen := map[string]bool{}
	for {
		text, err := p.line(t)
		if err == io.EOF {
			break
		}
		seen[string(parseAnswer(t, text).ID)] = true
	}
	if len(seen) != calls+1 {
		t.Errorf("%d answers, want %d", len(seen), calls+1)
	}
	p.stops(t, promptly)
}

// TestEndOfInputWithSubscription closes stdin while the client listens for
// changes, a request that by its nature has no answer until the end.
func TestEndOfInputWithSubscription(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "serve")
	p.write(t, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{`+modernMeta+`,"notifications":{"toolsListChanged":true}}}`+"\n")
	if text, err := p.line(t); err != nil || !strings.Contains(text, "acknowledged") {
		t.Fatalf("%q, %v; want the acknowledgement", text, err)
	}
	p.in.Close()
	p.stops(t, promptly)
}

// TestTerminate stops servers in the situations that tend to hold one up.
func TestTerminate(t *testing.T) {
	for name, c := range map[string]struct {
		args  []string
		limit time.Duration
		setup func(t *testing.T, p *process)
	}{
		"stdio": {limit: promptly, setup: func(t *testing.T, p *process) { p.handshake(t, latestSession) }},
		"a kept connection": {args: onLoopback, limit: promptly, setup: func(t *testing.T, p *process) {
			newHTTPClient(t, p.url(t, "HTTP")).handshake(t, latestSession)
		}},
		"a GET stream":  {args: onLoopback, limit: promptly, setup: openStream},
		"a slow upload": {args: onLoopback, limit: grace, setup: func(t *testing.T, p *process) { beginUpload(t, p.url(t, "HTTP"), "/mcp") }},
		"a slow header": {args: onLoopback, limit: grace, setup: func(t *testing.T, p *process) { dial(t, p.url(t, "HTTP"), "POST /mcp HTTP/1.1\r\nHo") }},
		"beside --compat": {args: []string{"--compat", "127.0.0.1:0"}, limit: promptly, setup: func(t *testing.T, p *process) {
			p.url(t, "REST")
			p.handshake(t, latestSession)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, nil, append([]string{"serve"}, c.args...)...)
			c.setup(t, p)
			p.terminate(t)
			p.stops(t, c.limit)
		})
	}
}

var onLoopback = []string{"--http", "127.0.0.1:0"}

// openStream opens the stream on which a session's server speaks by itself.
func openStream(t *testing.T, p *process) {
	c := newHTTPClient(t, p.url(t, "HTTP"))
	c.handshake(t, latestSession)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = c.header.Clone()
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("status %d, Content-Type %q; want a stream", res.StatusCode, res.Header.Get("Content-Type"))
	}
}

// dial opens a connection and sends text.
func dial(t *testing.T, url, text string) net.Conn {
	t.Helper()
	conn, err := net.DialTimeout("tcp", strings.TrimPrefix(url, "http://"), patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// beginUpload sends a request up to the middle of its body. The server has
// read the header by the time this returns: it asks for the body.
func beginUpload(t *testing.T, url, path string) net.Conn {
	t.Helper()
	conn := dial(t, url, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
	buf := make([]byte, 256)
	n, err := conn.Read(buf)
	if err != nil || !strings.Contains(string(buf[:n]), "100 Continue") {
		t.Fatalf("%q, %v; want 100 Continue", buf[:n], err)
	}
	if _, err := io.WriteString(conn, `{"jsonrpc":"2.0",`); err != nil {
		t.Fatal(err)
	}
	return conn
}
