// Package browser has the peers that draw in a headless Chromium: mermaid's own command
// line, mermaid-cli, which starts one for each call, and a page that stays open.
//
//	peers, err := browser.Install(ctx, root, dir)   // err says what is missing
//	command := append(peers.CLI(), "-i", in, "-o", out)
//	page, err := peers.Open(ctx)
//
// The npm packages are those that bench/peers/mermaidcli pins. Chromium itself is not
// installed: it is the one on PATH, or that which CHROME_PATH names.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Names of the peers.
const (
	CLI  = "mermaid-cli"
	Page = "Chromium's warm page"
)

// Peers are ready to be started.
type Peers struct {
	Versions map[string]string

	node, chromium string
	root           string // of the benchmarks
	config         string // for mermaid-cli
}

// Install finds Chromium and Node, and installs the npm packages where that was not done
// yet. root is the folder of the benchmarks, dir one for files that a run needs.
func Install(ctx context.Context, root, dir string) (*Peers, error) {
	p := &Peers{Versions: map[string]string{}, root: root, config: filepath.Join(dir, "puppeteer.json")}
	for _, name := range []string{os.Getenv("CHROME_PATH"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			p.chromium = path
			break
		}
	}
	if p.chromium == "" {
		return nil, errors.New("there is no Chromium (CHROME_PATH names one)")
	}
	var err error
	if p.node, err = exec.LookPath("node"); err != nil {
		return nil, errors.New("node is not installed")
	}
	if _, err := os.Stat(p.script()); err != nil {
		npm := exec.CommandContext(ctx, "npm", "ci", "--no-fund", "--no-audit")
		npm.Dir, npm.Env = p.packages(), append(os.Environ(), "PUPPETEER_SKIP_DOWNLOAD=1")
		if out, err := npm.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm ci: %w: %.300s", err, out)
		}
	}
	config, err := json.Marshal(map[string]any{"executablePath": p.chromium, "args": []string{"--no-sandbox"}})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(p.config, config, 0o644); err != nil {
		return nil, err
	}
	return p, p.readVersions(ctx)
}

// packages is the folder with package.json.
func (p *Peers) packages() string { return filepath.Join(p.root, "peers", "mermaidcli") }

func (p *Peers) script() string {
	return filepath.Join(p.packages(), "node_modules", "@mermaid-js", "mermaid-cli", "src", "cli.js")
}

func (p *Peers) readVersions(ctx context.Context) error {
	for name, command := range map[string][]string{
		CLI: {p.node, p.script(), "--version"}, "Chromium": {p.chromium, "--version"}, "Node": {p.node, "--version"},
	} {
		out, err := exec.CommandContext(ctx, command[0], command[1:]...).Output()
		if err != nil {
			return fmt.Errorf("the version of %s: %w", name, err)
		}
		for _, word := range strings.Fields(string(out)) {
			if version := strings.TrimPrefix(word, "v"); version != "" && version[0] >= '0' && version[0] <= '9' {
				p.Versions[name] = version
				break
			}
		}
	}
	return nil
}

// CLI is the command of mermaid-cli, but for what to draw.
func (p *Peers) CLI() []string { return []string{p.node, p.script(), "-q", "-p", p.config} }
