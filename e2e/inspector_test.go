package e2e

import (
	"slices"
	"strings"
	"testing"
)

// exitToolError is what the inspector's CLI exits with when a tool's result
// has isError.
const exitToolError = 5

// TestInspector runs the MCP inspector's CLI, as people do to try a server:
// over both transports, as a client of old and of new protocol versions.
func TestInspector(t *testing.T) {
	needNode(t)
	url := start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP")
	targets := map[string][]string{
		"stdio": {binary, "serve", "--log-level", "error"},
		"HTTP":  {url + "/mcp", "--transport", "http"},
	}
	for name, target := range targets {
		for _, era := range []string{"legacy", "modern"} {
			t.Run(name+" "+era, func(t *testing.T) {
				t.Parallel()
				inspect(t, slices.Concat(target, []string{"--protocol-era", era}))
			})
		}
	}
}

func inspect(t *testing.T, target []string) {
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string // parts of what is printed
	}{
		{
			name: "tools/list", args: []string{"--method", "tools/list", "--strict"},
			want: []string{`"encodePlantUML"`, `"decodePlantUML"`, `"outputSchema"`, `"readOnlyHint": true`},
		},
		{
			name: "tools/call", args: callWith("plantumlCode=Bob -> Alice"),
			want: []string{"https://www.plantuml.com/plantuml/svg/SyfFKj2rKt3CoKnE1G00", `"structuredContent"`},
		},
		{
			name: "a failing call", args: callWith("plantumlCode= "), code: exitToolError,
			want: []string{`"isError": true`, "EMPTY_CODE"},
		},
		{name: "resources/list", args: []string{"--method", "resources/list"}, want: []string{"webodar://guide/plantuml"}},
		{
			name: "resources/read", args: []string{"--method", "resources/read", "--uri", "webodar://guide/plantuml"},
			want: []string{"@startuml"},
		},
		{name: "prompts/list", args: []string{"--method", "prompts/list"}, want: []string{"explain_with_diagram"}},
		{
			name: "prompts/get",
			args: []string{"--method", "prompts/get", "--prompt-name", "explain_with_diagram", "--prompt-args", "subject=TCP"},
			want: []string{"Explain TCP"},
		},
	} {
		args := slices.Concat([]string{script(t, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"), "--cli"}, target, c.args)
		stdout, stderr, code := node(t, args...)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", c.name, code, c.code, stdout, stderr)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(stdout, part) {
				t.Errorf("%s: %q is not in the output:\n%s%s", c.name, part, stdout, stderr)
			}
		}
	}
}

func callWith(argument string) []string {
	return []string{"--method", "tools/call", "--tool-name", "encodePlantUML", "--tool-arg", argument}
}
