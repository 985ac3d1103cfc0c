package teaui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/webodar/webodar/uat"
)

// Layered is a model whose view is made of lipgloss layers. Layers with an id are the
// widgets: their bounds, what is visible of them and where a click reaches them are
// the compositor's. A layer within a layer is part of its text.
type Layered interface {
	// Layers is what View renders at the moment.
	Layers() *lipgloss.Compositor
}

// Describer is a model that tells of itself what its view does not.
type Describer interface {
	Describe() Description
}

// Description is what a model tells of itself. All of it is optional.
type Description struct {
	Screen   string            // name of the screen on top
	Title    string            // default: the view's window title
	Focused  string            // id of the widget that keys go to
	Types    map[string]string // widget id → what it is: input, list, panel, button, error
	Bindings []uat.Binding     // default: the model's own help.KeyMap
	Extras   map[string]any    // see uat.State
	Errors   []string          // error messages that are showing
}

// Busier is a model that tells what it has not finished, such as a request whose
// answer it waits for. It has not settled while there is anything.
type Busier interface {
	Busy() []string
}

// Options are what a surface can be told; the zero value will do.
type Options struct {
	Width, Height int // of the terminal; default 80 and 24

	// Patience is how long one call waits for the program to settle, in all. Then it
	// goes on; what still runs is in the state's Busy, and is waited for no more. The
	// default is 2 s.
	Patience time.Duration

	// Background reports commands that are not to be waited for, such as one that
	// listens for events from outside, by the name of their function, as
	// runtime.Func.Name has it.
	Background func(function string) bool
}

// Surface is a Bubble Tea program that runs without a terminal. It is for one caller
// at a time.
type Surface struct {
	options  Options
	model    tea.Model
	view     tea.View             // as of the last render
	dirty    bool                 // the model has changed since
	layers   *lipgloss.Compositor // of the view; nil until someone asks
	commands *commands
	crash    *uat.CrashError
	exited   bool
}

var _ uat.Surface = (*Surface)(nil)

// Start runs a model up to where it has settled. A model that panics is a
// *uat.CrashError.
func Start(ctx context.Context, model tea.Model, options *Options) (*Surface, error) {
	s := &Surface{model: model, commands: newCommands()}
	if options != nil {
		s.options = *options
	}
	if s.options.Width <= 0 {
		s.options.Width = 80
	}
	if s.options.Height <= 0 {
		s.options.Height = 24
	}
	if s.options.Patience <= 0 {
		s.options.Patience = 2 * time.Second
	}
	s.commands.isBackground = s.options.Background
	err := s.begin(ctx)
	if err == nil {
		err = s.render()
	}
	if err != nil {
		s.commands.close()
		return nil, err
	}
	return s, nil
}

// Resize changes the terminal's size.
func (s *Surface) Resize(ctx context.Context, width, height int) error {
	s.options.Width, s.options.Height = width, height
	if err := s.send(tea.WindowSizeMsg{Width: width, Height: height}); err != nil {
		return err
	}
	return errors.Join(s.settle(ctx), s.render())
}

// Close ends the program. Commands that still run end by themselves, and their
// messages go nowhere, as with Bubble Tea.
func (s *Surface) Close() error {
	s.commands.close()
	return nil
}
