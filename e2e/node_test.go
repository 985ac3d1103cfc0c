package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// nodeTime bounds one run of a JavaScript client.
const nodeTime = 2 * time.Minute

// needNode returns the Node that came with the npm packages or, on platforms
// that the registry has none for, the one on the PATH.
func needNode(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join("node_modules", "@modelcontextprotocol", "inspector")); err != nil {
		lacking(t, `the JavaScript clients are not installed: run "make setup" (it needs npm)`)
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	system, name := runtime.GOOS, "node"
	if system == "windows" {
		system, name = "win", "node.exe"
	}
	bundled, err := filepath.Abs(filepath.Join("node_modules", "node-"+system+"-"+arch, "bin", name))
	if err == nil {
		if _, err = os.Stat(bundled); err == nil {
			return bundled
		}
	}
	path, err := exec.LookPath("node")
	if err != nil {
		lacking(t, "there is no Node: install version 22 or newer")
	}
	return path
}

// lacking skips a test for something that is not installed. In CI that is a
// failure: there, make setup has installed everything.
func lacking(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	// To stderr as well: without -v, go test shows no skip.
	fmt.Fprintf(os.Stderr, "SKIPPED %s: %s\n", t.Name(), what)
	t.Skip("SKIPPED: " + what)
}

// script returns the path of a file of an npm package.
func script(t *testing.T, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{"node_modules"}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// node runs a script and returns what it printed and its exit code.
func node(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), nodeTime)
	defer cancel()
	var out, errOut strings.Builder
	cmd := exec.CommandContext(ctx, needNode(t), args...)
	// Clients that keep state must neither find nor leave any.
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "NO_COLOR=1")
	cmd.Stdout, cmd.Stderr = &out, &errOut
	// A server that a script leaves behind would keep the pipes open.
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.Fatalf("node %s: not done after %s\n%s\n%s", strings.Join(args, " "), nodeTime, &out, &errOut)
	case err != nil && !errors.As(err, &exit):
		t.Fatalf("node %s: %v", strings.Join(args, " "), err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}
