package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"
)

// settleFile is how long a file that changes is left to change further.
const settleFile = 200 * time.Millisecond

// reloader brings the mounted servers in line with the file when that changes,
// and when the process gets SIGHUP.
type reloader struct {
	serving *serving
	cmd     *cobra.Command
	path    string
	current []byte
}

// watch returns when ctx ends.
func (r *reloader) watch(ctx context.Context) error {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	changes, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching %s: %w", r.path, err)
	}
	defer changes.Close()
	// The folder, since editors put a new file in the old one's place, and
	// Kubernetes moves a link beside it.
	if err := changes.Add(filepath.Dir(r.path)); err != nil {
		r.serving.logger.Warn("the configuration is not watched; send SIGHUP after a change", "err", err)
	}
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-hup:
			r.reload(true)
		case <-changes.Events:
			timer.Reset(settleFile)
		case err := <-changes.Errors:
			r.serving.logger.Warn("watching the configuration", "err", err)
		case <-timer.C:
			r.reload(false)
		}
	}
}

// reload applies the file if it is right. asked is set when a person asked for
// it, who gets an answer in the log whether something has changed or not.
func (r *reloader) reload(asked bool) {
	log := r.serving.logger
	data, err := os.ReadFile(r.path)
	if err != nil {
		if asked {
			log.Error("the configuration cannot be read; nothing has changed", "file", r.path, "err", err)
		}
		return // an editor may be about to put it back
	}
	if bytes.Equal(data, r.current) {
		if asked {
			log.Info("the configuration has not changed", "file", r.path)
		}
		return
	}
	r.current = data
	config, err := readServers(r.path)
	if err == nil {
		err = checkSettings(r.cmd, r.path)
	}
	if err != nil {
		log.Error("the configuration is wrong; nothing has changed", "file", r.path, "err", err)
		return
	}
	r.serving.gateway.Apply(config)
	log.Info("the configuration was read again; servers follow it, other settings follow it after a restart",
		"file", r.path, "servers", len(config.Servers))
}
