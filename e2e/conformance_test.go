package e2e

import "testing"

// TestConformance runs those scenarios of the MCP conformance suite that suit
// a server with tools of its own; the others call tools that they name.
func TestConformance(t *testing.T) {
	needNode(t)
	url := start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP")
	for _, scenario := range []string{
		"server-initialize",
		"logging-set-level",
		"ping",
		"tools-list",
		"server-sse-multiple-streams",
		"resources-list",
		"prompts-list",
		"dns-rebinding-protection",
	} {
		t.Run(scenario, func(t *testing.T) {
			stdout, stderr, code := node(t, script(t, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", url+"/mcp", "--scenario", scenario, "--output-dir", t.TempDir())
			if code != 0 {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}
