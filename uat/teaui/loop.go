package teaui

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/webodar/webodar/uat"
)

// begin is what Bubble Tea's Run does before its loop.
func (s *Surface) begin(ctx context.Context) error {
	var cmd tea.Cmd
	if err := s.guard("Init", func() { cmd = s.model.Init() }); err != nil {
		return err
	}
	s.commands.start(cmd, nil, nil)
	for _, msg := range []tea.Msg{
		tea.WindowSizeMsg{Width: s.options.Width, Height: s.options.Height},
		tea.EnvMsg{"TERM=xterm-256color", "COLORTERM=truecolor"},
		tea.ColorProfileMsg{Profile: colorprofile.TrueColor},
	} {
		if err := s.send(msg); err != nil {
			return err
		}
	}
	return s.settle(ctx)
}

// send gives the program one message and starts what it asks for.
func (s *Surface) send(msg tea.Msg) error {
	if s.crash != nil {
		return s.crash
	}
	if s.exited || msg == nil {
		return nil
	}
	switch msg := msg.(type) {
	case tea.QuitMsg, tea.InterruptMsg:
		s.exited = true
		return nil
	case tea.MouseMsg:
		if err := s.render(); err != nil {
			return err
		}
		if s.view.OnMouse != nil {
			var cmd tea.Cmd
			if err := s.guard("View.OnMouse", func() { cmd = s.view.OnMouse(msg) }); err != nil {
				return err
			}
			s.commands.start(cmd, nil, nil)
		}
	}
	if reflect.TypeOf(msg) == execute {
		return errors.New("the program runs another one in its place (tea.Exec), which needs a real terminal")
	}
	if answer := s.terminal(msg); answer != nil {
		s.commands.start(func() tea.Msg { return answer }, nil, nil)
	}
	var cmd tea.Cmd
	if err := s.guard(fmt.Sprintf("Update(%T)", msg), func() { s.model, cmd = s.model.Update(msg) }); err != nil {
		return err
	}
	s.dirty = true
	s.commands.start(cmd, nil, nil)
	return nil
}

// render calls View for the model as it is, which need not be for every message:
// Bubble Tea draws so many times a second and no more.
func (s *Surface) render() error {
	if s.crash != nil {
		return s.crash
	}
	if !s.dirty {
		return nil
	}
	return s.guard("View", func() {
		s.view, s.layers, s.dirty = s.model.View(), nil, false
	})
}

// guard makes a panic of the program's an error, after which it is dead.
func (s *Surface) guard(during string, f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.crash = &uat.CrashError{During: during, Value: fmt.Sprint(r), Stack: string(debug.Stack())}
			s.exited = true
			err = s.crash
		}
	}()
	f()
	return nil
}

// settle handles messages until the program has settled, or patience is over.
func (s *Surface) settle(ctx context.Context) error {
	patience := time.NewTimer(s.options.Patience)
	defer patience.Stop()
	impatient := false
	for {
		if err := s.drain(ctx, impatient); err != nil {
			return err
		}
		if impatient || s.exited || !s.commands.pending() && len(s.busy()) == 0 {
			return nil
		}
		select {
		case <-s.commands.changed:
		case <-patience.C:
			s.commands.giveUp()
			impatient = true
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pass lets time go by, and handles the messages that it brings.
func (s *Surface) pass(ctx context.Context, d time.Duration) error {
	over := time.NewTimer(d)
	defer over.Stop()
	for !s.exited {
		if err := s.drain(ctx, true); err != nil {
			return err
		}
		select {
		case <-s.commands.changed:
		case <-over.C:
			return s.settle(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// drain handles the messages of commands that have ended, and of those that these
// lead to.
func (s *Surface) drain(ctx context.Context, impatient bool) error {
	for !s.exited {
		taken := s.commands.take(impatient)
		if len(taken) == 0 {
			break
		}
		for _, run := range taken {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if run.crash != nil {
				s.crash, s.exited = run.crash, true
				return run.crash
			}
			if s.commands.follow(run) {
				continue
			}
			if err := s.send(run.msg); err != nil {
				return err
			}
		}
	}
	return nil
}

// busy is what the model says is going on.
func (s *Surface) busy() []string {
	if b, ok := s.model.(Busier); ok {
		return b.Busy()
	}
	return nil
}

// unfinished is what had not ended when the state was taken.
func (s *Surface) unfinished() []string {
	busy := slices.Clone(s.busy())
	for _, name := range s.commands.unfinished() {
		busy = append(busy, "command "+name[strings.LastIndexByte(name, '/')+1:])
	}
	return busy
}
