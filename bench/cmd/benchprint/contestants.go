package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Names of the contestants.
const (
	ours   = "webodar"
	theirs = "mermaid-cli"
)

// prepare makes the contestants' commands.
func (b *bench) prepare(ctx context.Context, root, webodar string) error {
	if webodar == "" {
		fmt.Fprintln(os.Stderr, "building")
		webodar = filepath.Join(b.dir, "webodar")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", webodar, "./cmd/webodar")
		build.Dir, build.Env = filepath.Dir(root), append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building webodar: %w: %s", err, out)
		}
	}
	absolute, err := filepath.Abs(webodar)
	if err != nil {
		return err
	}
	b.webodar = absolute
	if b.mmdc, b.missing = b.install(ctx, filepath.Join(root, "peers", "mermaidcli")); b.missing != nil {
		fmt.Fprintln(os.Stderr, theirs, "is not measured:", b.missing)
	}
	return nil
}

// install installs mermaid-cli where that was not done yet, and returns its command.
func (b *bench) install(ctx context.Context, dir string) ([]string, error) {
	var chrome string
	for _, name := range []string{os.Getenv("CHROME_PATH"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && name != "" {
			chrome = path
			break
		}
	}
	if chrome == "" {
		return nil, errors.New("there is no Chromium (CHROME_PATH names one)")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("node is not installed")
	}
	script := filepath.Join(dir, "node_modules", "@mermaid-js", "mermaid-cli", "src", "cli.js")
	if _, err := os.Stat(script); err != nil {
		npm := exec.CommandContext(ctx, "npm", "ci", "--no-fund", "--no-audit")
		npm.Dir, npm.Env = dir, append(os.Environ(), "PUPPETEER_SKIP_DOWNLOAD=1")
		if out, err := npm.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm ci: %w: %.300s", err, out)
		}
	}
	config, err := json.Marshal(map[string]any{"executablePath": chrome, "args": []string{"--no-sandbox"}})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(b.dir, "puppeteer.json")
	if err := os.WriteFile(path, config, 0o644); err != nil {
		return nil, err
	}
	command := []string{node, script, "-q", "-p", path}
	if out, err := exec.CommandContext(ctx, node, script, "--version").Output(); err == nil {
		b.versions[theirs] = strings.TrimSpace(string(out))
	}
	if out, err := exec.CommandContext(ctx, chrome, "--version").Output(); err == nil {
		b.versions["Chromium"] = strings.TrimSpace(strings.TrimPrefix(string(out), "Chromium"))
	}
	return command, nil
}

// draw is the command with which a contestant draws one file.
func (b *bench) draw(who, file, out string) []string {
	if who == ours {
		return []string{b.webodar, "render", "-q", file, "-o", out}
	}
	return append(b.mmdc[:len(b.mmdc):len(b.mmdc)], "-i", file, "-o", out)
}

// use is what a command took.
type use struct {
	wall   time.Duration
	memory int // most of all its processes together, in bytes; 0 if that was not measured
}

// run runs a command. With watched, the memory of its processes is measured, which slows
// it down.
func (b *bench) run(ctx context.Context, command []string, watched bool) (use, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = b.dir
	var complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &complaint, &complaint
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return use{}, err
	}
	done := make(chan struct{})
	memory := make(chan int, 1)
	if watched {
		go func() { memory <- watch(cmd.Process.Pid, done) }()
	} else {
		memory <- 0
	}
	err := cmd.Wait()
	u := use{wall: time.Since(begin)}
	close(done)
	u.memory = <-memory
	if err != nil {
		return u, fmt.Errorf("%s: %w: %.300s", filepath.Base(command[0]), err, complaint.String())
	}
	return u, nil
}
