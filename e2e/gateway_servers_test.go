package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPublicServers mounts the reference servers of npm, and uses each.
func TestPublicServers(t *testing.T) {
	t.Parallel()
	program := needNode(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	main := func(name string) string {
		main, err := filepath.Abs(filepath.Join("node_modules", "@modelcontextprotocol", "server-"+name, "dist", "index.js"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(main); err != nil {
			lacking(t, "server-"+name+` is not installed: run "make setup"`)
		}
		return main
	}
	server := func(name string, args ...string) string {
		list, err := json.Marshal(append([]string{main(name)}, args...))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`%q: {"command": %q, "args": %s, "env": {"MEMORY_FILE_PATH": %q}}`, name, program, list, filepath.Join(dir, "memory.json"))
	}
	addr := freeAddr(t)
	_, port, _ := strings.Cut(addr, ":")
	sse := exec.Command(program, main("everything"), "sse")
	sse.Env = append(os.Environ(), "PORT="+port)
	if err := sse.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sse.Process.Kill()
		_ = sse.Wait() // killed
	})
	old := fmt.Sprintf(`"old": {"type": "sse", "url": "http://%s/sse"}`, addr)
	config := configFile(t, `{"mcpServers": {`+server("everything")+","+server("filesystem", dir)+","+server("memory")+","+old+`}}`)
	url := start(t, nil, "serve", "--http", "127.0.0.1:0", "--config", config).url(t, "HTTP")
	ready := newHTTPClient(t, url)
	eventually(t, "all are mounted", func() bool {
		_, text := ready.do(t, http.MethodGet, "/readyz", "")
		return strings.Contains(text, `"ready"`)
	})
	for name, transport := range map[string]mcp.Transport{
		"stdio": &mcp.CommandTransport{Command: exec.Command(binary, "serve", "--config", config, "--log-level", "error")},
		"HTTP":  &mcp.StreamableClientTransport{Endpoint: url + "/mcp"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
		defer cancel()
		session, err := connect(ctx, latestSession, transport)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		eventually(t, "all are mounted", func() bool { // Node is slow on a machine that is busy
			list, err := session.ListTools(ctx, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return len(list.Tools) > 45
		})
		for tool, c := range map[string]struct{ args, want string }{
			"everything__echo":           {`{"message":"hi"}`, "Echo: hi"},
			"everything__get-tiny-image": {`{}`, "image/png"},
			"old__echo":                  {`{"message":"hi"}`, "Echo: hi"},
			"everything__get-sum":        {`{"a":2,"b":40}`, "42"},
			"filesystem__read_text_file": {fmt.Sprintf(`{"path":%q}`, filepath.Join(dir, "a.txt")), "hello"},
			"memory__create_entities":    {`{"entities":[{"name":"n","entityType":"t","observations":["o"]}]}`, "entities"},
		} {
			res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(c.args)})
			if err != nil {
				t.Errorf("%s: %s: %v", name, tool, err)
				continue
			}
			text, err := json.Marshal(res)
			if err != nil || res.IsError || !strings.Contains(string(text), c.want) {
				t.Errorf("%s: %s gave %.500s, want %s", name, tool, text, c.want)
			}
		}
		if res, err := session.ListResources(ctx, nil); err != nil || len(res.Resources) < 3 {
			t.Errorf("%s: resources: %+v, %v", name, res, err)
		}
		if res, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "everything__simple-prompt"}); err != nil || len(res.Messages) == 0 {
			t.Errorf("%s: a prompt: %+v, %v", name, res, err)
		}
		if err := session.Close(); err != nil {
			t.Errorf("%s: closing: %v", name, err)
		}
	}
}

// TestConformanceThroughGateway runs the whole conformance suite against the
// SDK's server for it, mounted without a prefix, over both transports and of
// both eras of the protocol.
func TestConformanceThroughGateway(t *testing.T) {
	t.Parallel()
	needNode(t)
	everything := filepath.Join(t.TempDir(), "everything")
	build := exec.Command("go", "build", "-o", everything, "github.com/modelcontextprotocol/go-sdk/conformance/everything-server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, setup := range map[string]func(t *testing.T) string{
		"over stdio": func(*testing.T) string { return fmt.Sprintf(`{"command": %q, "prefix": ""}`, everything) },
		"over HTTP": func(t *testing.T) string {
			addr := freeAddr(t)
			cmd := exec.Command(everything, "-http", addr, "-stateless=false")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait() // killed
			})
			eventually(t, "it listens", func() bool {
				res, err := http.Get("http://" + addr)
				if err == nil {
					res.Body.Close()
				}
				return err == nil
			})
			return fmt.Sprintf(`{"url": "http://%s", "prefix": ""}`, addr)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := configFile(t, `{"mcpServers": {"everything": `+setup(t)+`}}`)
			url := start(t, nil, "serve", "--http", "127.0.0.1:0", "--config", config).url(t, "HTTP")
			stdout, stderr, code := node(t, script(t, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", url+"/mcp", "--output-dir", t.TempDir())
			if code != 0 || !regexp.MustCompile(`Total: [0-9]+ passed, 0 failed`).MatchString(stdout) {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// TestMalformedThroughGateway sends the malformed messages to a webodar that has
// servers mounted: nothing is different.
func TestMalformedThroughGateway(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	p := start(t, nil, "serve", "--log-level", "error", "--config", configFile(t, `{"mcpServers": {"s": `+scriptedServer(t, record, "")+`}}`))
	p.handshake(t, latestSession)
	line := func() (string, error) { // but for what comes of servers being mounted
		for {
			text, err := p.line(t)
			if err != nil || !strings.Contains(text, `"method":"notifications/`) {
				return text, err
			}
		}
	}
	for i, m := range malformedMessages {
		if m.closes {
			continue // tested by itself
		}
		p.write(t, m.text+"\n")
		if !m.silent {
			text, err := line()
			if err != nil {
				t.Fatalf("%s: no answer: %v", m.name, err)
			}
			m.check(t, text)
		}
		request, id := ping(i)
		p.write(t, request+"\n")
		if text, err := line(); err != nil || !strings.Contains(text, id) {
			t.Fatalf("%s: then a ping gave %q, %v", m.name, text, err)
		}
	}
	p.in.Close()
	for {
		text, err := line()
		if err == io.EOF {
			break
		}
		t.Errorf("one answer too many: %s", text)
	}
}
