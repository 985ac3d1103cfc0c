package e2e

import (
	"strings"
	"testing"
)

// TestJavaScriptSDK runs the scripts in js/, which use the client of
// @modelcontextprotocol/sdk.
func TestJavaScriptSDK(t *testing.T) {
	needNode(t)
	url := start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP")
	for name, args := range map[string][]string{
		"stdio": {"js/stdio.mjs", binary},
		"HTTP":  {"js/http.mjs", url + "/mcp"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := node(t, args...)
			if code != 0 || !strings.Contains(stdout, "all steps taken") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}
