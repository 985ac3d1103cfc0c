package teaui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
)

// Perform does a press, click, type or wait and lets the program settle.
func (s *Surface) Perform(ctx context.Context, action uat.Action) error {
	if s.crash != nil {
		return s.crash
	}
	if s.exited && action.Type != uat.Wait {
		return errors.New("the program has ended")
	}
	// Messages that have come since the last call were there before this one.
	err := s.drain(ctx, true)
	if err == nil {
		err = s.do(ctx, action)
	}
	if err != nil {
		return err
	}
	return s.render()
}

func (s *Surface) do(ctx context.Context, action uat.Action) error {
	switch action.Type {
	case uat.Press:
		for name := range strings.FieldsSeq(action.Target) {
			key, err := parseKey(name)
			if err != nil {
				return err
			}
			if err := s.press(ctx, key); err != nil {
				return err
			}
		}
		return nil
	case uat.Type:
		return s.enter(ctx, action)
	case uat.Click:
		return s.click(ctx, action.Target)
	case uat.Wait:
		d, err := action.Duration()
		if err != nil {
			return err
		}
		if d == 0 {
			return s.settle(ctx)
		}
		return s.pass(ctx, d)
	}
	return fmt.Errorf("a program cannot %s", action.Type)
}

func (s *Surface) press(ctx context.Context, key tea.KeyPressMsg) error {
	if err := s.send(key); err != nil {
		return err
	}
	return s.settle(ctx)
}

// enter types a text into the focused widget, or into the one that it clicks first.
func (s *Surface) enter(ctx context.Context, action uat.Action) error {
	if action.Target != "" {
		if err := s.click(ctx, action.Target); err != nil {
			return err
		}
	}
	if d, ok := s.model.(Describer); ok && d.Describe().Focused == "" {
		return errors.New("no widget has the focus, so the text would go nowhere; press a key of the bindings, or click an input first")
	}
	for _, key := range keysOf(action.Value) {
		if s.exited {
			return errors.New("the program ended while the text was typed")
		}
		if err := s.press(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// click presses and releases the left button where the widget can be hit.
func (s *Surface) click(ctx context.Context, selector string) error {
	if _, ok := s.model.(Layered); !ok {
		return errors.New("this program names no widgets to click; use keys")
	}
	if err := s.render(); err != nil {
		return err
	}
	if s.view.MouseMode == tea.MouseModeNone {
		return errors.New("the program does not listen to the mouse here; use keys")
	}
	widgets, points := s.widgets(s.screen())
	state := uat.State{Widgets: widgets}
	found := state.Find(selector)
	switch {
	case len(found) > 1:
		ids := uat.State{Widgets: found}
		return fmt.Errorf("%d visible widgets are of type %s; name one: %s", len(found), selector, strings.Join(ids.IDs(), ", "))
	case len(found) == 0 && s.layers.GetLayer(strings.TrimPrefix(selector, "#")) != nil:
		return fmt.Errorf("widget %s is covered or outside the screen", selector)
	case len(found) == 0:
		return fmt.Errorf("no widget %s is visible; there are %s", selector, strings.Join(state.IDs(), ", "))
	}
	at := points[found[0].ID]
	mouse := tea.Mouse{X: at.X, Y: at.Y, Button: tea.MouseLeft}
	if err := s.send(tea.MouseClickMsg(mouse)); err != nil {
		return err
	}
	if err := s.send(tea.MouseReleaseMsg(mouse)); err != nil {
		return err
	}
	return s.settle(ctx)
}
