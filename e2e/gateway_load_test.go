package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestEveryAnswerIsAccountedFor kills a server again and again while clients
// call it. Each call is answered, by a result or by an error of the contract,
// and none is executed twice, while another server's calls notice nothing.
func TestEveryAnswerIsAccountedFor(t *testing.T) {
	t.Parallel()
	const callers, calls, kills = 8, 40, 5
	dir := t.TempDir()
	record := filepath.Join(dir, "record")
	config := configFile(t, fmt.Sprintf(`{"limits": {"connections": 100}, "mcpServers": {"s": %s, "calm": %s}}`,
		scriptedServer(t, record, `"restart": {"maxPerMinute": 100}, "breaker": {"enabled": false}, "health": {"interval": "200ms", "timeout": "200ms"}, "timeout": "2s"`),
		scriptedServer(t, record+"2", "")))
	p := start(t, nil, "serve", "--http", "127.0.0.1:0", "--config", config, "--log-level", "info")
	url := p.url(t, "HTTP")
	first := newHTTPClient(t, url)
	first.handshake(t, latestSession)

	var mu sync.Mutex
	outcomes := map[string]int{}
	executed := map[string]bool{} // ids that a result came for
	var group, calm sync.WaitGroup
	stop := make(chan struct{})
	for i := range callers {
		c := newHTTPClient(t, url)
		c.header = first.header.Clone()
		group.Go(func() {
			for n := range calls {
				id := fmt.Sprintf("%d.%d", i, n)
				_, text := c.rpc(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"s__count","arguments":{"id":%q,"for":"5ms"}}}`, id, id))
				a := parseAnswer(t, text)
				mu.Lock()
				switch {
				case a.Error == nil && strings.Contains(text, "counted "+id):
					outcomes["result"]++
					executed[id] = true
				case a.Error != nil && a.Error.Data["type"] != nil && a.Error.Data["upstream"] == "s":
					outcomes[fmt.Sprint(a.Error.Data["type"])]++
				default:
					t.Errorf("an answer that is neither: %s", text)
				}
				mu.Unlock()
				if a.Error != nil {
					time.Sleep(20 * time.Millisecond) // as a client would
				}
			}
		})
	}
	calm.Go(func() {
		c := newHTTPClient(t, url)
		c.header = first.header.Clone()
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, text := c.rpc(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"calm %d","method":"tools/call","params":{"name":"calm__read","arguments":{}}}`, n)); !strings.Contains(text, `"text":"read"`) {
				t.Errorf("the calm server: %s", text)
			}
		}
	})
	for range kills {
		time.Sleep(150 * time.Millisecond)
		for _, pid := range children(t, p.cmd.Process.Pid, record+" ") {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	group.Wait()
	close(stop)
	calm.Wait()
	total := 0
	for _, n := range outcomes {
		total += n
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "count "); ok {
			if seen[id]++; seen[id] == 2 {
				t.Errorf("%s was executed twice", id)
			}
		}
	}
	for id := range executed {
		if seen[id] == 0 {
			t.Errorf("%s has a result and was never executed", id)
		}
	}
	if total != callers*calls || outcomes["result"] == 0 {
		t.Errorf("%d calls, of which %v", callers*calls, outcomes)
	}
	t.Logf("%d calls: %v; %d executed\n%s", total, outcomes, len(seen), p.log)
}

// children are the processes that pid has started and whose command line holds
// text.
func children(t *testing.T, pid int, text string) []int {
	t.Helper()
	var list []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("needs /proc")
	}
	for _, e := range entries {
		var child, parent int
		if _, err := fmt.Sscan(e.Name(), &child); err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if _, err := fmt.Sscanf(rest[2:], "%d", &parent); err != nil || parent != pid {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err == nil && strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) {
			list = append(list, child)
		}
	}
	return list
}

// TestReload changes the file under a running server.
func TestReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	path := configFile(t, `{"mcpServers": {"a": `+scriptedServer(t, a, "")+`}}`)
	p := start(t, nil, "serve", "--http", "127.0.0.1:0", "--config", path)
	s := &story{T: t, p: p, record: a}
	s.connect()
	s.works("a__read", "{}", "read")
	put := func(text string) {
		// As editors do: a new file in the place of the old.
		if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	put("{\"mcpServers\": {\n\"a\": {\"comand\": \"x\"}}}")
	s.logs(`the configuration is wrong; nothing has changed.*line 2: mcpServers.a.comand: is not known; did you mean command`)
	put("{\"limts\": 1}")
	s.logs(`the configuration is wrong; nothing has changed.*limts`)
	s.works("a__read", "{}", "read")
	put(`{"mcpServers": {"a": ` + scriptedServer(t, a, "") + `, "b": ` + scriptedServer(t, b, "") + `}}`)
	s.logs(`the configuration was read again.*servers=2`)
	s.works("b__read", "{}", "read")
	put(`{"mcpServers": {"a": ` + scriptedServer(t, a, "") + `}}`)
	s.logs(`the configuration was read again.*servers=1`)
	s.fails(s.call("b__read", "{}"), -32602, "ToolNotFoundError")
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.logs(`the configuration has not changed`)
	if n := s.recorded("start"); n != 1 {
		t.Errorf("a, which stayed as it was, was started %d times", n)
	}
}

// TestLimits goes over each limit; what was there before goes on.
func TestLimits(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	path := configFile(t, `{"limits": {"sessions": 1, "callsInFlight": 2, "ratePerSecond": 20}, "mcpServers": {"s": `+scriptedServer(t, record, "")+`}}`)
	s := &story{T: t, p: start(t, nil, "serve", "--http", "127.0.0.1:0", "--config", path), record: record}
	s.connect()
	res, text := newHTTPClient(t, s.http.url).rpc(t, initialize(latestSession))
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "ConnectionRefusedError") || !strings.Contains(text, `"limit":1`) {
		t.Errorf("a second session: %s %s", res.Status, text)
	}
	var group sync.WaitGroup
	for i := range 2 {
		group.Go(func() {
			c := *s.http
			c.Client = &http.Client{Timeout: patience}
			if _, text := c.rpc(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"slow %d","method":"tools/call","params":{"name":"s__slow","arguments":{"for":"2s"}}}`, i)); !strings.Contains(text, "slept") {
				t.Errorf("one of two: %s", text)
			}
		})
	}
	eventually(t, "both run", func() bool { return s.recorded("call slow") == 2 })
	if data := s.fails(s.call("s__read", "{}"), -32000, "RateLimited", "retryAfterMs"); data["limit"] != "callsInFlight" || data["max"] != 2.0 {
		t.Errorf("%v", data)
	}
	group.Wait()
	var limited bool
	for range 60 {
		res, text := s.http.do(t, http.MethodPost, "/api/tools/s__read", "{}")
		if res.StatusCode == http.StatusTooManyRequests {
			limited = true
			if !strings.Contains(text, "ratePerSecond") || res.Header.Get("Retry-After") == "" {
				t.Errorf("%s %v", text, res.Header)
			}
		}
	}
	if !limited {
		t.Error("60 calls at once are within 20 a second")
	}
	time.Sleep(time.Second)
	s.works("s__read", "{}", "read")
}

// TestMountedToolsOnREST holds the rules of exposure: what reaches beyond this
// process is for callers with the token, or without a browser on loopback.
func TestMountedToolsOnREST(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	path := configFile(t, `{"mcpServers": {"s": `+scriptedServer(t, record, "")+`}}`)
	open := newHTTPClient(t, start(t, nil, "serve", "--http", "127.0.0.1:0", "--config", path).url(t, "HTTP"))
	locked := newHTTPClient(t, start(t, []string{"WEBODAR_TOKEN=s3cret-token"}, "serve", "--http", "127.0.0.1:0", "--config", path).url(t, "HTTP"))
	with := func(c *httpClient, name, value string) *httpClient {
		other := *c
		other.header = c.header.Clone()
		other.header.Set(name, value)
		return &other
	}
	for _, c := range []struct {
		name   string
		client *httpClient
		status int
	}{
		{"no browser", open, 200},
		{"a page", with(open, "Origin", "https://evil.example"), 404},
		{"a form", with(open, "Content-Type", "text/plain"), 415},
		{"no token", locked, 401},
		{"the token", with(locked, "Authorization", "Bearer s3cret-token"), 200},
	} {
		res, text := c.client.do(t, http.MethodPost, "/api/tools/s__read", "{}")
		if res.StatusCode != c.status || res.Header.Get("Access-Control-Allow-Origin") == "*" && c.status == 200 {
			t.Errorf("%s: %s %v %s", c.name, res.Status, res.Header, text)
		}
		if c.status == 401 {
			continue
		}
		if _, list := c.client.do(t, http.MethodGet, "/api/tools", ""); strings.Contains(list, "s__read") != (c.status != 404) {
			t.Errorf("%s: the list %.200s", c.name, list)
		}
	}
	if _, text := with(locked, "Authorization", "").do(t, http.MethodGet, "/readyz", ""); strings.Contains(text, "upstreams") {
		t.Errorf("/readyz tells strangers: %s", text)
	}
}
