package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
)

// screen is one of the stack.
type screen interface {
	// name is what tests and breadcrumbs call it, title what its heading says.
	name() string
	title() string

	// enter is called when the screen comes on top, also when the one above was left.
	enter() effect

	// update handles a key or a paste, click a click on a layer of that id.
	update(msg tea.Msg) effect
	click(id string) effect

	// draw puts the screen's layers into a frame.
	draw(f *frame)

	// focused is the id of the widget that keys go to.
	focused() string

	// bindings are the keys it understands, the most useful first.
	bindings() []uat.Binding

	// extras are facts for tests; may be nil.
	extras() map[string]any
}

// writer is a screen that takes typed text, so that letters are no shortcuts.
type writer interface{ writing() bool }

// effect is what a screen wants done.
type effect struct {
	push   screen
	pop    bool
	home   bool   // back to the first screen
	quit   bool   // leave the program
	status string // to tell the user
	err    error  // to tell as well
	cmd    tea.Cmd
}

func failed(err error) effect { return effect{err: err} }

func bind(pairs ...string) []uat.Binding {
	list := make([]uat.Binding, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, uat.Binding{Key: pairs[i], Description: pairs[i+1]})
	}
	return list
}

// elsewhere are the keys that lead to other screens, wherever no text is typed.
var elsewhere = bind("c", "chat", "l", "commitments", "t", "triage", "i", "integrity", "h", "hierarchy", "s", "settings")
