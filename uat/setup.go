package uat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// setUp opens the app, does the preconditions and takes the first state.
func (r *run) setUp(ctx context.Context, dir string) error {
	instance, err := within(ctx, r, "opening the app", func() (*Instance, error) { return r.app(ctx, dir) })
	if err != nil {
		return fmt.Errorf("opening the app: %w", err)
	}
	r.instance = instance
	for _, p := range r.scenario.Preconditions {
		if p.Action != nil && r.surface == nil {
			if err := r.start(ctx); err != nil {
				return err
			}
		}
		if err := r.prepare(ctx, dir, p); err != nil {
			place := ""
			if p.Line > 0 {
				place = fmt.Sprintf(" in line %d", p.Line)
			}
			return fmt.Errorf("precondition%s, %s: %w", place, p, err)
		}
		r.log.Info("precondition", "did", p.String())
	}
	if r.surface == nil {
		if err := r.start(ctx); err != nil {
			return err
		}
	}
	// What the preconditions passed through is not the agent's doing.
	r.record = newRecord(r.scenario)
	return r.observe(ctx)
}

func (r *run) start(ctx context.Context) error {
	surface, err := within(ctx, r, "starting the app", func() (Surface, error) { return r.instance.Start(ctx) })
	if err != nil {
		return fmt.Errorf("starting the app: %w", err)
	}
	r.surface = surface
	return r.observe(ctx)
}

func (r *run) prepare(ctx context.Context, dir string, p Precondition) error {
	if p.Action != nil {
		return r.step(ctx, *p.Action)
	}
	_, err := within(ctx, r, "the precondition "+p.String(), func() (struct{}, error) {
		switch {
		case p.SQL != "":
			if r.instance.Database == nil {
				return struct{}{}, errors.New("the app has no database")
			}
			return struct{}{}, r.instance.Database.Exec(ctx, p.SQL)
		case p.File != nil:
			return struct{}{}, writeWithin(dir, p.File)
		}
		return struct{}{}, command(ctx, dir, p.Command)
	})
	return err
}

// writeWithin writes a file below dir, whatever links lie on the way.
func writeWithin(dir string, f *File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return err
	}
	return root.WriteFile(f.Path, []byte(f.Content), 0o644)
}

func command(ctx context.Context, dir string, argv []string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "UAT_DIR="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) > 0 {
		return fmt.Errorf("%w: %s", err, cut(strings.TrimSpace(string(out)), 500))
	}
	return err
}
