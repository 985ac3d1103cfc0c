package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/tools"
	"github.com/webodar/webodar/mcpserver"
)

func TestCheckClients(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	bin := filepath.Join(home, "bin", "webodar") // a link to this program, as a package manager makes
	write(t, filepath.Join(home, "bin", "other", "webodar"), "#!/bin/sh\n")
	if err := os.Symlink(exe, bin); err != nil {
		t.Skip(err)
	}
	m := &machine{os: "linux", home: home, config: filepath.Join(home, ".config"), claudeCode: home, project: filepath.Join(home, "p"), workDir: filepath.Join(home, "p", "sub")}
	find := func(t *testing.T, c string, file, text string) []finding {
		t.Helper()
		write(t, filepath.Join(home, file), text)
		t.Cleanup(func() { os.Remove(filepath.Join(home, file)) })
		r := &report{}
		checkClients(r, m)
		var mine []finding
		for _, f := range r.findings {
			if f.Name == c {
				f.Detail = strings.ReplaceAll(f.Detail, home, "~")
				mine = append(mine, finding{Status: f.Status, Detail: f.Detail})
			}
		}
		return mine
	}
	const cursor, desktop = ".cursor/mcp.json", ".config/Claude/claude_desktop_config.json"
	entry := func(command string, args string) string {
		return `{"mcpServers": {"webodar": {"command": "` + command + `", "args": [` + args + `]}}}`
	}
	tests := []struct{ name, client, file, text, status, detail string }{
		{"ours", "cursor", cursor, entry(bin, `"serve"`), "ok", `~/.cursor/mcp.json (all projects): "webodar" starts ~/bin/webodar serve`},
		{"another binary", "cursor", cursor, entry(filepath.Join(home, "bin", "other", "webodar"), `"serve"`), "warn", `~/.cursor/mcp.json (all projects): "webodar" starts ~/bin/other/webodar serve, another binary than this one`},
		{"no serve", "cursor", cursor, entry(bin, ``), "fail", `~/.cursor/mcp.json (all projects): "webodar" starts ~/bin/webodar, without "serve"`},
		{"no such file", "cursor", cursor, entry("/nowhere/webodar", `"serve"`), "fail", `~/.cursor/mcp.json (all projects): "webodar" starts /nowhere/webodar, which is not there or cannot be run`},
		{"another name", "cursor", cursor, `{"mcpServers": {"diagrams": {"command": "` + bin + `", "args": ["serve"]}}}`, "ok", `~/.cursor/mcp.json (all projects): "diagrams" starts ~/bin/webodar serve`},
		{"url", "cursor", cursor, `{"mcpServers": {"webodar": {"url": "http://127.0.0.1:8080/mcp"}}}`, "ok", `~/.cursor/mcp.json (all projects): "webodar" connects to http://127.0.0.1:8080/mcp`},
		{"url, not supported", "claude-desktop", desktop, `{"mcpServers": {"webodar": {"url": "http://127.0.0.1:8080/mcp"}}}`, "warn", `~/.config/Claude/claude_desktop_config.json (all projects): "webodar" connects to http://127.0.0.1:8080/mcp`},
		{"empty entry", "cursor", cursor, `{"mcpServers": {"webodar": {}}}`, "fail", `~/.cursor/mcp.json (all projects): "webodar" has neither a command nor a URL`},
		{"others only", "cursor", cursor, `{"mcpServers": {"files": {"command": "npx"}, "odd": 3}}`, "none", "installed, webodar is not configured"},
		{"local scope", "claude-code", ".claude.json", `{"projects": {"` + m.project + `": {"mcpServers": {"webodar": {"command": "` + bin + `", "args": ["serve"]}}}, "/q": 1}}`, "ok", `~/.claude.json (all projects): "webodar" starts ~/bin/webodar serve`},
		{"not JSON", "cursor", cursor, `{"mcpServers"`, "fail", "~/.cursor/mcp.json (all projects): not JSON: unexpected end of JSON input at offset 13"},
		{"not an object", "cursor", cursor, `{"mcpServers": []}`, "fail", "~/.cursor/mcp.json (all projects): mcpServers is not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := []finding{{Status: status(tt.status), Detail: tt.detail}}
			if diff := cmp.Diff(want, find(t, tt.client, tt.file, tt.text)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestCheckListener asks a server with a token, one that is no webodar, and
// one that is unwell.
func TestCheckListener(t *testing.T) {
	server := httptest.NewServer(fakeListener(t, "s3cret"))
	defer server.Close()
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	unwell := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer unwell.Close()
	tests := []struct {
		name, url, token string
		asked            bool
		want             string
	}{
		{"well", server.URL, "s3cret", true, "ok /healthz, ok /readyz, ok /api/tools, ok /mcp"},
		{"no token", server.URL, "", true, "ok /healthz, ok /readyz, fail /api/tools, fail /mcp"},
		{"no token, not asked", server.URL, "", false, "ok /healthz, ok /readyz, warn /api/tools, warn /mcp"},
		{"stranger", stranger.URL, "", false, "warn /healthz"},
		{"stranger, asked", stranger.URL, "", true, "fail /healthz"},
		{"unwell", unwell.URL, "", false, "ok /healthz, fail /readyz, fail /api/tools, fail /mcp"},
		{"nobody", "http://127.0.0.1:1", "", false, "none /healthz"},
		{"nobody, asked", "http://127.0.0.1:1", "", true, "fail /healthz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			endpoint, err := parseEndpoint(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			r := &report{}
			checkListener(t.Context(), r, endpoint, tt.token, tt.asked)
			var got []string
			for _, f := range r.findings {
				got = append(got, string(f.Status)+" "+f.Name)
				if strings.Contains(f.Detail+f.Hint, "s3cret") {
					t.Errorf("the token shows in %v", f)
				}
				if f.Status == failed && tt.name == "no token" && !strings.Contains(f.Hint, "WEBODAR_TOKEN") {
					t.Errorf("no hint at the token in %v", f)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got)\n%s\n%v", diff, r.findings)
			}
		})
	}
}

// fakeListener has the pages of serve --http behind a token.
func fakeListener(t *testing.T, token string) http.Handler {
	t.Helper()
	builtin, err := tools.All(nil)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.New(&catalog.Options{Tools: builtin})
	if err != nil {
		t.Fatal(err)
	}
	srv := mcpserver.New(cat, nil)
	t.Cleanup(srv.Close)
	guarded := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+token {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", guarded(srv.Handler()))
	mux.Handle("/api/", guarded(httpcompat.New(cat, nil)))
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/readyz", func(http.ResponseWriter, *http.Request) {})
	return mux
}

func TestReportColour(t *testing.T) {
	r := &report{}
	r.begin("Section")
	r.add(passed, "a", "works", "")
	r.add(failed, "longer", "does not", "Mend it.")
	const want = "Section\n" +
		"  \x1b[32mok  \x1b[0m  a       works\n" +
		"  \x1b[1;31mFAIL\x1b[0m  longer  does not\n" +
		"                hint: Mend it.\n"
	if diff := cmp.Diff(want, r.text(true)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
