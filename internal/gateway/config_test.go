package gateway_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
)

func env(name string) (string, bool) {
	value, ok := map[string]string{"TOKEN": "t0ken-value", "HOME": "/home/me", "EMPTY": ""}[name]
	return value, ok
}

func TestParse(t *testing.T) {
	config, err := gateway.Parse([]byte(`{
	  "$schema": "ignored", "http": "127.0.0.1:1",
	  "mcpServers": {
	    "files": { "command": "npx", "args": ["-y", "pkg", "${HOME}/docs", "${NOTHING:-fallback}", 7], "env": {"API_KEY": "${TOKEN}"}, "cwd": ".",
	      "prefix": "f", "tools": {"allow": ["*"], "deny": ["rm*"], "describe": {"read": "Reads."}, "timeout": {"slow": "5m"}},
	      "timeout": "1s", "connectTimeout": "2s", "retry": {"attempts": 3}, "health": {"interval": "3s", "timeout": "4s"},
	      "restart": {"maxPerMinute": 5}, "breaker": {"enabled": false, "failureRate": 1, "minCalls": 6, "window": "7s", "openFor": "8s"},
	      "autoApprove": [], "callsInFlight": 9 },
	    "remote": { "type": "http", "url": "http://127.0.0.1:9000/mcp?key=${TOKEN}", "headers": {"Authorization": "Bearer ${env:TOKEN}"} },
	    "off": { "command": "x", "disabled": true }
	  },
	  "servers": { "code": { "type": "stdio", "command": "c", "timeout": null }, "old": { "type": "sse", "url": "http://h/events" },
	    "older": { "url": "http://h/x/sse?k=1" }, "new": { "type": "http", "url": "http://h/sse" } },
	  "inputs": []
	}`), &gateway.ParseOptions{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range config.Servers {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"files", "remote", "code", "old", "older", "new"}, names); diff != "" {
		t.Fatal(diff)
	}
	for i, want := range []bool{false, false, false, true, true, false} {
		if s := config.Servers[i]; s.SSE != want {
			t.Errorf("%s: SSE is %v", s.Name, s.SSE)
		}
	}
	want := &gateway.Server{
		Name: "files", Command: "npx", Args: []string{"-y", "pkg", "/home/me/docs", "fallback", "7"}, Env: map[string]string{"API_KEY": "t0ken-value"},
		Cwd: ".", Prefix: "f", Timeout: time.Second, ConnectTimeout: 2 * time.Second, CallsInFlight: 9,
		Tools: gateway.ToolRules{
			Allow: []string{"*"}, Deny: []string{"rm*"}, Describe: map[string]string{"read": "Reads."},
			Timeout: map[string]time.Duration{"slow": 5 * time.Minute},
		},
		Retry: gateway.Retry{Attempts: 3}, Health: gateway.Health{Interval: 3 * time.Second, Timeout: 4 * time.Second},
		Restart: gateway.Restart{MaxPerMinute: 5},
		Breaker: gateway.Breaker{FailureRate: 1, MinCalls: 6, Window: 7 * time.Second, OpenFor: 8 * time.Second},
	}
	if diff := cmp.Diff(want, config.Servers[0]); diff != "" {
		t.Error(diff)
	}
	if got := config.Servers[1]; got.Headers["Authorization"] != "Bearer t0ken-value" || got.Target() != "http://127.0.0.1:9000/mcp" {
		t.Errorf("%+v, %s", got, got.Target())
	}
	if got := config.Servers[2]; got.Timeout != 30*time.Second || !got.Breaker.Enabled || got.Breaker.OpenFor != 10*time.Second {
		t.Errorf("defaults: %+v", got)
	}
	if diff := cmp.Diff([]string{"mcpServers.files.autoApprove has no effect here"}, config.Warnings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Bearer t0ken-value", "t0ken-value"}, config.Secrets); diff != "" {
		t.Error(diff)
	}
}

// Mistakes as people make them: each error says where, and what to do.
func TestParseMistakes(t *testing.T) {
	for _, tt := range []struct{ name, server, key, message string }{
		{"misspelt key", `"comand": "x"`, "comand", "is not known; did you mean command?"},
		{"misspelt nested key", `"command": "x", "breaker": {"failurerate": 1}`, "breaker.failurerate", "did you mean failureRate?"},
		{"nothing", ``, "", "has neither command nor url"},
		{"both", `"command": "x", "url": "http://h"`, "", "has both command and url"},
		{"duration", `"command": "x", "timeout": 30`, "timeout", `want a duration such as 30s or 5m, got "30"`},
		{"negative", `"command": "x", "timeout": "-1s"`, "timeout", "want a duration"},
		{"args a string", `"command": "x", "args": "-y"`, "args", "want a list of strings, got a string"},
		{"args an object", `"command": "x", "args": [{}]`, "args[0]", "want a string, got an object"},
		{"env a list", `"command": "x", "env": ["A=1"]`, "env", "want an object, got a list"},
		{"count", `"command": "x", "retry": {"attempts": 0}`, "retry.attempts", "want a whole number from 1, got 0"},
		{"fraction", `"command": "x", "breaker": {"minCalls": 1.5}`, "breaker.minCalls", "want a whole number from 1, got 1.5"},
		{"rate", `"command": "x", "breaker": {"failureRate": 50}`, "breaker.failureRate", "want a number above 0 and up to 1, got 50"},
		{"flag", `"command": "x", "breaker": {"enabled": "yes"}`, "breaker.enabled", "want true or false, got a string"},
		{"variable", `"command": "x", "env": {"K": "${NOT_SET}"}`, "env.K", "the environment variable NOT_SET is not set"},
		{"input", `"command": "x", "env": {"K": "${input:key}"}`, "env.K", "${input:…} asks a person"},
		{"sse without a url", `"type": "sse", "command": "x"`, "", "type sse needs a url, not a command"},
		{"type", `"type": "websocket", "url": "http://h"`, "", `type "websocket" is not known`},
		{"type and command", `"type": "http", "command": "x"`, "", "type http needs a url"},
		{"no scheme", `"url": "localhost:9000/mcp"`, "", "url: want one such as"},
		{"headers", `"command": "x", "headers": {"A": "b"}`, "", "headers are for a url"},
		{"pattern", `"command": "x", "tools": {"allow": ["[a"]}`, "tools.allow", "is no pattern"},
		{"twice", `"command": "x", "command": "y"`, "", "already defined"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := gateway.Parse([]byte("{\n\n\"mcpServers\": {\n  \"s\": {\n"+tt.server+"\n}}}"), &gateway.ParseOptions{Env: env})
			var own *gateway.Error
			if !errors.As(err, &own) {
				t.Fatalf("%v", err)
			}
			key := strings.TrimSuffix("mcpServers.s."+tt.key, ".")
			if tt.name == "twice" {
				key = ""
			}
			if own.Key != key || !strings.Contains(own.Message, tt.message) || own.Line < 4 || own.Line > 6 {
				t.Errorf("line %d, %s: %s; want %s: %s", own.Line, own.Key, own.Message, key, tt.message)
			}
		})
	}
	if _, err := gateway.Parse([]byte(`{"mcpServers": {"s": {"command": "x"}}, "servers": {"s": {"command": "y"}}}`), nil); err == nil || !strings.Contains(err.Error(), "of this name") {
		t.Errorf("the same name twice: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers": {"a": {"command": "x", "args": ["${HOME}"], "timeout": "3s"}}}`, "mcpServers:\n  a:\n    url: http://h\n",
		"mcpServers: [", "{}", "", "a: &x [*x]", "mcpServers: {a: !!binary x}", "servers: ~", "mcpServers:\n  ? a\n  : b",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := gateway.Parse(data, &gateway.ParseOptions{Env: env})
		if (config == nil) == (err == nil) {
			t.Errorf("config %v, error %v", config, err)
		}
	})
}

func TestNamesAndRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	builtin := catalog.Tool{Name: "pid", Input: catalog.InputSchema[struct{}]()}
	long := strings.Repeat("l", 80)
	r := mount(t, []catalog.Tool{builtin},
		`"bare": `+server(t, filepath.Join(dir, "1"), `"prefix": "", "tools": {"allow": ["pid", "odd*", "read"], "deny": ["*die*"], "describe": {"read": "Reads what it says."}}`),
		`"other server": `+server(t, filepath.Join(dir, "2"), `"prefix": "", "tools": {"allow": ["read", "`+long+`"]}`, "-dup", long),
	)
	var names []string
	for _, tool := range r.catalog.Tools() {
		names = append(names, tool.Name)
		if len(tool.Name) > 64 {
			t.Errorf("%s is too long", tool.Name)
		}
	}
	want := []string{"pid", "odd_name_with_things", "bare__pid", "read", "other_server__read", strings.Repeat("l", 57) + "_25c79a"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r.works(t, "odd_name_with_things", "{}", "odd")
	r.works(t, names[5], "{}", long)
	tool, err := r.catalog.Tool("read")
	if err != nil {
		t.Fatal(err)
	}
	wantDefinition := `{"_meta":{"vendor/thing":7},"annotations":{"readOnlyHint":true,"title":"Reads","x-hint":"kept"},` +
		`"description":"Reads what it says.","inputSchema":{"type":"object"},"name":"read","x-extra":{"kept":true}}`
	if diff := cmp.Diff(wantDefinition, string(tool.Mounted.Definition)); diff != "" || tool.Exposure != catalog.Guarded || !tool.Hints.ReadOnly {
		t.Errorf("%+v\n%s", tool, diff)
	}
	if clashes := strings.Join(r.Clashes(), "\n"); !strings.Contains(clashes, "tool pid of server bare is called bare__pid") ||
		!strings.Contains(clashes, "resource scripted://a of server other server is hidden") {
		t.Errorf("reported: %s", clashes)
	}
}

// Servers that are configured as before keep their connections.
func TestReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	r := mount(t, nil, `"a": `+server(t, a, ""), `"b": `+server(t, b, ""))
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.works(t, "b__slow", `{"for":"500ms"}`, "slept") // ends although its server goes
	}()
	eventually(t, "it runs", func() bool { return r.status(t, "b").InFlight == 1 })
	r.apply(t, `"a": `+server(t, a, ""), `"c": `+server(t, c, ""))
	<-done
	r.works(t, "a__read", "{}", "read")
	r.works(t, "c__read", "{}", "read")
	if e := r.fails(t, catalog.ToolNotFound, "b__read", "{}"); len(e.Details["suggestions"].([]string)) == 0 {
		t.Errorf("%+v", e)
	}
	if n := recorded(t, a, "start"); n != 1 {
		t.Errorf("a was started %d times", n)
	}
}

// What a server adds or takes away while it runs, the catalogue does too.
func TestListChanged(t *testing.T) {
	t.Parallel()
	r := one(t, "")
	r.works(t, "s__leaver", "{}", "bye")
	eventually(t, "it has left", func() bool { _, err := r.catalog.Tool("s__leaver"); return err != nil })
	r.works(t, "s__read", "{}", "read")
}

// A name stays with its server while that is down: a call meant for one server
// must not reach another.
func TestNamesStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := mount(t, nil,
		`"a": `+server(t, filepath.Join(dir, "a"), `"prefix": "", "restart": {"maxPerMinute": 1}, "breaker": {"enabled": false}`),
		`"b": `+server(t, filepath.Join(dir, "b"), `"prefix": ""`),
	)
	for range 2 {
		eventually(t, "it is up", func() bool { return r.status(t, "a").State == gateway.Up })
		r.fails(t, catalog.BackendDisconnected, "die", "{}")
	}
	eventually(t, "it is down", func() bool { return r.status(t, "a").State == gateway.Down })
	r.fails(t, catalog.BackendDisconnected, "echo", "{}")
	r.works(t, "b__echo", "{}", "content")
	if n := recorded(t, filepath.Join(dir, "b"), "call echo"); n != 1 {
		t.Errorf("b was called %d times", n)
	}
}
