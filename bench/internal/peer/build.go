// Package peer builds the servers that are compared, and starts and ends them
// as processes.
package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Names of the servers.
const (
	Webodar = "webodar"
	GoSDK   = "go-sdk"
	MCPGo   = "mcp-go"
	NodeSDK = "Node SDK"
	Bare    = "bare net/http"
)

// Set is what was built.
type Set struct {
	Versions map[string]string // of servers and languages, for the report
	NodeErr  error             // why there is no Node; nil when there is

	commands map[string][]string
	dir      string
}

// Build builds all servers into a folder that [Set.Remove] removes. root is the
// folder of the benchmarks; webodar is a binary to use instead of building one.
func Build(ctx context.Context, root, webodar string) (*Set, error) {
	dir, err := os.MkdirTemp("", "webodar-bench-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the servers: %w", err)
	}
	s := &Set{dir: dir, Versions: map[string]string{}}
	if err := s.build(ctx, root, webodar); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// Remove removes what was built, and the servers' logs.
func (s *Set) Remove() error { return os.RemoveAll(s.dir) }

func (s *Set) build(ctx context.Context, root, webodar string) error {
	webodar, err := Binary(ctx, root, s.dir, webodar)
	if err != nil {
		return err
	}
	if err := run(ctx, root, "go", "build", "-o", s.dir+string(filepath.Separator), "./peers/..."); err != nil {
		return err
	}
	s.commands = map[string][]string{
		Webodar: {webodar},
		GoSDK:   {filepath.Join(s.dir, "gosdk")},
		MCPGo:   {filepath.Join(s.dir, "mcpgo")},
		Bare:    {filepath.Join(s.dir, "barehttp")},
	}
	if s.NodeErr = s.installNode(ctx, filepath.Join(root, "peers", "node")); s.NodeErr == nil {
		s.commands[NodeSDK] = []string{"node", filepath.Join(root, "peers", "node", "server.mjs")}
	}
	return s.readVersions(ctx, root)
}

// Binary builds webodar into dir, and returns its absolute path. root is the folder of the
// benchmarks; given is a binary to use instead of building one.
func Binary(ctx context.Context, root, dir, given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	built := filepath.Join(dir, "webodar")
	return built, run(ctx, filepath.Dir(root), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", built, "./cmd/webodar")
}

// installNode installs the Node peer's packages where that was not done yet.
func (s *Set) installNode(ctx context.Context, dir string) error {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is not installed", program)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "plantuml-encoder")); err == nil {
		return nil
	}
	return run(ctx, dir, "npm", "ci", "--no-fund", "--no-audit")
}

// readVersions asks the tools which versions were built.
func (s *Set) readVersions(ctx context.Context, root string) error {
	for name, module := range map[string]string{
		GoSDK: "github.com/modelcontextprotocol/go-sdk", MCPGo: "github.com/mark3labs/mcp-go",
	} {
		v, err := output(ctx, root, "go", "list", "-m", "-f", "{{.Version}}", module)
		if err != nil {
			return err
		}
		s.Versions[name] = v
	}
	if s.NodeErr != nil {
		return nil
	}
	const script = `const v = (n) => JSON.parse(require('fs').readFileSync('node_modules/' + n + '/package.json')).version
console.log([process.version, process.versions.zlib, v('@modelcontextprotocol/sdk'), v('plantuml-encoder')].join(' '))`
	out, err := output(ctx, filepath.Join(root, "peers", "node"), "node", "-e", script)
	if err != nil {
		return err
	}
	fields := strings.Fields(out)
	if len(fields) != 4 {
		return fmt.Errorf("node named its versions as %q", out)
	}
	s.Versions["Node"], s.Versions["Node's zlib"] = fields[0], fields[1]
	s.Versions[NodeSDK], s.Versions["plantuml-encoder"] = fields[2], fields[3]
	return nil
}

func run(ctx context.Context, dir, name string, args ...string) error {
	_, err := output(ctx, dir, name, args...)
	return err
}

// output runs a program to its end. Go programs are built without cgo, as
// releases are.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, lastLines(string(exit.Stderr)))
		}
		return "", fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// lastLines is the end of a program's complaint.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "; ")
}
