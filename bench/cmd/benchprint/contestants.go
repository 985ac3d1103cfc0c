package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/webodar/webodar/bench/internal/browser"
	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/bench/internal/proc"
)

// Names of the contestants.
const (
	ours   = "webodar"
	theirs = browser.CLI
)

// prepare makes the contestants' commands.
func (b *bench) prepare(ctx context.Context, root, webodar string) (err error) {
	fmt.Fprintln(os.Stderr, "building")
	if b.webodar, err = peer.Binary(ctx, root, b.dir, webodar); err != nil {
		return err
	}
	peers, err := browser.Install(ctx, root, b.dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, theirs, "is not measured:", err)
		b.missing = err
		return nil
	}
	b.mmdc, b.versions = peers.CLI(), peers.Versions
	return nil
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
		go func() { memory <- proc.Watch(cmd.Process.Pid, done) }()
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
