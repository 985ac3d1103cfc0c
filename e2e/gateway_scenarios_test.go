package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/ERROR-SCENARIOS.md")

// scenario is one of the error scenarios that the product promises to handle.
type scenario struct {
	requirement, name string
	promise           string // in a sentence, for the document
	settings          string // members of the configuration beside mcpServers
	server            string // further members of the server s
	servers           string // further servers
	args              []string
	only              string // the one door that it is about; empty for both
	run               func(*story)
}

// TestErrorScenarios runs every scenario against real processes, on stdio and
// over HTTP, and compares docs/ERROR-SCENARIOS.md with what was sent and came.
func TestErrorScenarios(t *testing.T) {
	documents := make([][]step, len(scenarios))
	t.Run("all", func(t *testing.T) {
		for i, sc := range scenarios {
			for _, way := range []string{"stdio", "HTTP"} {
				if sc.only != "" && sc.only != way {
					continue
				}
				t.Run(sc.name+"/"+way, func(t *testing.T) {
					t.Parallel()
					s := sc.begin(t, way)
					sc.run(s)
					if way == "HTTP" || sc.only != "" {
						documents[i] = s.steps
					}
				})
			}
		}
	})
	if t.Failed() {
		return
	}
	path := filepath.Join("..", "docs", "ERROR-SCENARIOS.md")
	text := document(documents)
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, text) {
		t.Errorf("%s is not what the scenarios say now; run go test -run TestErrorScenarios -update and read the difference", path)
	}
}

// begin starts webodar with the scenario's servers, and connects to it.
func (sc *scenario) begin(t *testing.T, way string) *story {
	t.Helper()
	s := &story{T: t, record: filepath.Join(t.TempDir(), "record")}
	servers := `"s": ` + scriptedServer(t, s.record, sc.server)
	if sc.servers != "" {
		servers += ", " + strings.ReplaceAll(sc.servers, "SCRIPTED", scriptedServer(t, s.record+"2", ""))
	}
	settings := sc.settings
	if settings != "" {
		settings += ", "
	}
	s.config = configFile(t, strings.ReplaceAll(fmt.Sprintf("{%s\"mcpServers\": {%s}}", settings, servers), "DIR", filepath.Dir(s.record)))
	s.serve(way, sc.args...)
	return s
}

// serve starts webodar and connects to it.
func (s *story) serve(way string, args ...string) {
	s.Helper()
	args = append([]string{"serve", "--config", s.config}, args...)
	if way == "stdio" {
		s.p = start(s.T, nil, args...)
		s.stdio = newStdioDoor(s.T, s.p, initialize(latestSession))
		s.door = s.stdio
		return
	}
	s.p = start(s.T, nil, append(args, "--http", "127.0.0.1:0")...)
	s.connect()
}

// connect opens an MCP session over HTTP.
func (s *story) connect() {
	s.Helper()
	s.http = newHTTPClient(s.T, s.p.url(s.T, "HTTP"))
	s.http.handshake(s.T, latestSession)
	s.door = &httpDoor{s.http}
}

var volatile = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`"retryAfterMs":\d+`), `"retryAfterMs":…`},
	{regexp.MustCompile(`tried again in [0-9.]+m?s`), `tried again in …`},
	{regexp.MustCompile(`found out in [0-9.]+m?s`), `found out in …`},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), `127.0.0.1:…`},
	{regexp.MustCompile(`/tmp/[^" ]+`), `…`},
	{regexp.MustCompile(`"next attempt in"=\S+`), `"next attempt in"=…`},
	{regexp.MustCompile(`"sinceMs":\d+`), `"sinceMs":…`},
	{regexp.MustCompile(`"nextTryMs":\d+`), `"nextTryMs":…`},
	{regexp.MustCompile(`"id":\d+`), `"id":1`},
	{regexp.MustCompile(`"webodar/requestId":"[^"]*"`), `"webodar/requestId":"…"`},
	{regexp.MustCompile(`A{40,}|\[{40,}|\]{40,}`), `…`},
}

// document is docs/ERROR-SCENARIOS.md.
func document(all [][]step) []byte {
	var b bytes.Buffer
	b.WriteString("# Error scenarios\n\nWhat goes wrong between an MCP client, webodar and the servers that it mounts, what\n" +
		"was sent, and what came back. Written by `TestErrorScenarios` in `e2e`, which runs\neach of them against real processes: " +
		"`cd e2e && go test -run TestErrorScenarios -update`.\nThe server `s` is one that misbehaves on request. What is shown is what passed over\n" +
		"HTTP, or over stdio where a scenario is about that alone; both are tested.\n")
	requirement := ""
	for i, sc := range scenarios {
		if sc.requirement != requirement {
			requirement = sc.requirement
			fmt.Fprintf(&b, "\n## %s\n", requirement)
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", sc.name, sc.promise)
		for _, st := range all[i] {
			fmt.Fprintf(&b, "```\n→ %s\n← %s\n```\n", plain(st.sent), plain(st.came))
		}
	}
	return b.Bytes()
}

// plain is a text as the document shows it: on one line, of bounded length, and
// the same in each run.
func plain(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\\xff")
	for _, v := range volatile {
		text = v.find.ReplaceAllString(text, v.put)
	}
	text = strings.ReplaceAll(text, "\n", "⏎")
	if r := []rune(text); len(r) > 700 {
		text = string(r[:700]) + "…"
	}
	return text
}

// TestEveryScenarioIsThere compares the table with the specification's list.
func TestEveryScenarioIsThere(t *testing.T) {
	want := []string{
		"Unknown tool name", "Invalid tool arguments", "Malformed JSON-RPC request", "Request with missing required fields", "Request ID mismatch",
		"Tool execution timeout", "Client request timeout", "Backend server timeout", "Timeout with pending operations", "Timeout recovery",
		"Invalid UTF-8 in request", "Oversized request", "Circular reference in JSON", "Invalid JSON structure", "Type coercion errors",
		"Client disconnect during request", "Backend disconnect during request", "Network partition recovery", "Zombie connection detection", "Too many connections",
		"Error in one request doesn't affect others", "Error logging and monitoring", "Graceful degradation", "Error recovery after restart", "Circuit breaker activation",
	}
	var have []string
	for _, sc := range scenarios {
		have = append(have, sc.name)
	}
	if !slices.Equal(have, want) {
		t.Errorf("scenarios %q\nwant %q", have, want)
	}
}
