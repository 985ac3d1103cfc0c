package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/render"
	"github.com/webodar/webodar/internal/tools"
)

// workerMemory bounds a worker process: large diagrams take some hundred MB.
const workerMemory = 2 << 30

// newWorker is the command that a server starts for each of its workers. It is
// hidden: it speaks frames, not words.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Draw for a server, which starts this",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kinds, err := newKinds()
			if err != nil {
				return err
			}
			// The server decides when a worker ends; Ctrl-C is for the server.
			ctx := context.WithoutCancel(cmd.Context())
			return render.WorkerMain(ctx, &render.WorkerOptions{Kinds: kinds, MemoryLimit: workerMemory}, os.Stdin, os.Stdout)
		},
	}
}

// newKinds are the kinds of drawings that this binary can do.
func newKinds() (render.Kinds, error) {
	bundle, err := engines.Mermaid()
	if err != nil {
		return nil, err
	}
	return render.Kinds{tools.MermaidKind: tools.Mermaid(bundle)}, nil
}

// localDrawer draws in this process: for commands that draw one thing and end.
func localDrawer() tools.Drawer {
	kinds, err := newKinds()
	if err != nil {
		return tools.NoDrawer(err)
	}
	return &render.Local{Kinds: kinds}
}

// pooledDrawer draws in worker processes of this binary, until stop is called:
// for servers.
func pooledDrawer() (d tools.Drawer, stop func() error, err error) {
	if _, err := engines.Mermaid(); err != nil {
		return tools.NoDrawer(err), func() error { return nil }, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("finding this program, to start workers: %w", err)
	}
	pool, err := render.New(&render.Options{Command: []string{exe, "worker"}})
	if err != nil {
		return nil, nil, err
	}
	return pool, pool.Close, nil
}
