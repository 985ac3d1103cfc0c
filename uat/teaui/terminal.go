package teaui

import (
	"image/color"
	"reflect"

	tea "charm.land/bubbletea/v2"
)

// Bubble Tea keeps the types of the messages that ask the terminal for something to
// itself; its commands make them.
var (
	askWindowSize = reflect.TypeOf(tea.RequestWindowSize())
	askBackground = reflect.TypeOf(tea.RequestBackgroundColor())
	askForeground = reflect.TypeOf(tea.RequestForegroundColor())
	askClipboard  = reflect.TypeOf(tea.ReadClipboard())
	execute       = reflect.TypeOf(tea.Exec(nil, nil)())
)

// terminal is what a terminal with light text on a dark ground and an empty clipboard
// answers, if msg asks it for anything. A terminal may leave the other requests
// unanswered, and this one does.
func (s *Surface) terminal(msg tea.Msg) tea.Msg {
	switch reflect.TypeOf(msg) {
	case askWindowSize:
		return tea.WindowSizeMsg{Width: s.options.Width, Height: s.options.Height}
	case askBackground:
		return tea.BackgroundColorMsg{Color: color.Black}
	case askForeground:
		return tea.ForegroundColorMsg{Color: color.White}
	case askClipboard:
		return tea.ClipboardMsg{Selection: 'c'}
	}
	return nil
}
