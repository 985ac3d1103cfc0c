package uat_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/webodar/webodar/uat"
)

// fake is an app of screens and one list: a letter goes to the screen that begins
// with it, typed text is appended to the list.
type fake struct {
	dir     string
	log     []string // what was done to it, in order
	screens []string
	items   []string
	failing string
	closed  int
	perform func(ctx context.Context, a uat.Action) error // in front of Perform; may be nil
}

func (f *fake) app(_ context.Context, dir string) (*uat.Instance, error) {
	f.dir, f.screens = dir, []string{"HomeScreen"}
	return &uat.Instance{
		Start: func(context.Context) (uat.Surface, error) {
			f.log = append(f.log, "start")
			return f, nil
		},
		Database: f,
		Probes: map[string]func(context.Context) (any, error){
			"items":  func(context.Context) (any, error) { return f.items, nil },
			"count":  func(context.Context) (any, error) { return len(f.items), nil },
			"broken": func(context.Context) (any, error) { return nil, errors.New("no answer") },
		},
		Close: func() error { f.log = append(f.log, "close instance"); return nil },
	}, nil
}

func (f *fake) Exec(_ context.Context, sql string) error {
	f.log = append(f.log, sql)
	if strings.Contains(sql, "BROKEN") {
		return errors.New("syntax error")
	}
	f.items = append(f.items, sql)
	return nil
}

func (f *fake) Query(_ context.Context, sql string) ([][]any, error) {
	switch {
	case strings.Contains(sql, "count"):
		return [][]any{{int64(len(f.items))}}, nil
	case strings.Contains(sql, "half"):
		return [][]any{{0.5}}, nil
	case strings.Contains(sql, "null"):
		return [][]any{{nil}}, nil
	case strings.Contains(sql, "BROKEN"):
		return nil, errors.New("syntax error")
	}
	var rows [][]any
	for i, item := range f.items {
		rows = append(rows, []any{int64(i), []byte(item)})
	}
	return rows, nil
}

func (f *fake) Perform(ctx context.Context, a uat.Action) error {
	if f.perform != nil {
		if err := f.perform(ctx, a); err != nil {
			return err
		}
	}
	f.log = append(f.log, a.String())
	switch a.Type {
	case uat.Press:
		screens := map[string]string{"h": "HomeScreen", "c": "ChatScreen", "s": "SettingsScreen"}
		if a.Target == "e" {
			f.failing = "disk full"
			return nil
		}
		f.failing = ""
		screen, ok := screens[a.Target]
		if !ok {
			return errors.New("no such key")
		}
		f.screens = append(f.screens, screen)
	case uat.Type:
		f.items = append(f.items, a.Value)
	}
	return nil
}

func (f *fake) Observe(context.Context) (uat.State, error) {
	s := uat.State{
		Screen: f.screens[len(f.screens)-1], Title: "Fake", Focused: "list",
		Text:     "│ what is   │\n│ on screen │",
		Widgets:  []uat.Widget{{ID: "list", Type: "list", Text: "│ " + strings.Join(f.items, " │\n│ ") + " │"}},
		Bindings: []uat.Binding{{Key: "c", Description: "chat"}},
		Extras:   map[string]any{"panel": map[string]any{"mode": "list", "counts": []int{len(f.items)}}},
	}
	if f.failing != "" {
		s.Widgets = append(s.Widgets, uat.Widget{ID: "error", Type: "error", Text: f.failing})
	}
	return s, nil
}

func (f *fake) Close() error {
	f.closed++
	if _, err := os.Stat(filepath.Join(f.dir, "marker")); err == nil {
		f.log = append(f.log, "marker is there")
	}
	f.log = append(f.log, "close surface")
	return nil
}

// scripted reads a scenario from the lines after its goal.
func scripted(lines string) *uat.Scenario {
	s, err := uat.Read("test.yaml", []byte("name: test\ngoal: test\n"+lines))
	if err != nil {
		panic(err)
	}
	return s
}
