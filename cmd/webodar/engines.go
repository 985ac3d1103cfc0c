package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/render"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/tools"
)

// workerMemory bounds a worker process: large diagrams take some hundred MB.
const workerMemory = 2 << 30

// newWorker is the command that a server starts for each of its workers. It is
// hidden: it speaks frames, not words.
func newWorker() *cobra.Command {
	cmd := &cobra.Command{
		Use:    "worker",
		Short:  "Draw for a server, which starts this",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kinds, err := newKinds(fontDirs(cmd))
			if err != nil {
				return err
			}
			// The server decides when a worker ends; Ctrl-C is for the server.
			ctx := context.WithoutCancel(cmd.Context())
			return render.WorkerMain(ctx, &render.WorkerOptions{Kinds: kinds, MemoryLimit: workerMemory}, os.Stdin, os.Stdout)
		},
	}
	fontDirFlag(cmd.Flags())
	return cmd
}

// newKinds are the kinds of drawings that this binary can do.
func newKinds(fontDirs []string) (render.Kinds, error) {
	bundle, err := engines.Mermaid()
	if err != nil {
		return nil, err
	}
	fonts, err := face.Open(fontDirs...)
	if err != nil {
		return nil, err
	}
	return render.Kinds{tools.MermaidKind: tools.Mermaid(bundle, fonts)}, nil
}

// localDrawer draws in this process: for commands that draw one thing and end.
func localDrawer(fontDirs []string) tools.Drawer {
	kinds, err := newKinds(fontDirs)
	if err != nil {
		return tools.NoDrawer(err)
	}
	return &render.Local{Kinds: kinds}
}

// drawing says how a server draws.
type drawing struct {
	workers  int // processes; 0 for one a core
	remember int // bytes of finished pictures that are kept; 0 for none
}

// defaultRemember holds some hundred pictures.
const defaultRemember = 16 << 20

func (d *drawing) addFlags(flags *pflag.FlagSet) {
	flags.IntVar(&d.workers, "workers", 0, "most `PROCESSES` that draw at a time; 0 for one a core")
	flags.IntVar(&d.remember, "remember-bytes", defaultRemember, "keep so many `BYTES` of finished pictures, for when the same is asked again; 0 for none")
}

func (d *drawing) check() error {
	switch {
	case d.workers < 0:
		return fmt.Errorf("--workers %d: want 0 or more", d.workers)
	case d.remember < 0:
		return fmt.Errorf("--remember-bytes %d: want 0 or more", d.remember)
	}
	return nil
}

// pooledDrawer draws in worker processes of this binary, until stop is called:
// for servers.
func pooledDrawer(fontDirs []string, how drawing) (d tools.Drawer, stop func() error, err error) {
	if _, err := engines.Mermaid(); err != nil {
		return tools.NoDrawer(err), func() error { return nil }, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("finding this program, to start workers: %w", err)
	}
	command := []string{exe, "worker"}
	for _, dir := range fontDirs {
		command = append(command, "--font-dir", dir)
	}
	pool, err := render.New(&render.Options{Command: command, Workers: how.workers})
	if err != nil {
		return nil, nil, err
	}
	if how.remember == 0 {
		return pool, pool.Close, nil
	}
	memory, err := render.Remember(pool, how.remember)
	if err != nil {
		return nil, nil, err
	}
	return memory, memory.Close, nil
}
