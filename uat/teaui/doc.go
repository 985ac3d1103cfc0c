// Package teaui drives Bubble Tea v2 programs in-process for acceptance tests: a
// surface for package uat.
//
//	func Open(ctx context.Context, dir string) (*uat.Instance, error) {
//		return &uat.Instance{Start: func(ctx context.Context) (uat.Surface, error) {
//			return teaui.Start(ctx, newModel(dir), nil)
//		}}, nil
//	}
//
// Any model will do: its state has the text of the screen, the title, the cursor and,
// from a help.KeyMap, the key bindings. A model that implements [Layered] has widgets
// that can be clicked and asked for by id; one that implements [Describer] has a
// screen name, a focus and facts of its own.
//
// The surface is Bubble Tea's event loop without a terminal: it calls Init, Update
// and View, runs commands, and answers what programs ask a terminal. Every message is
// handled before a call returns, those of commands in the order in which the commands
// were started, so that a run can be repeated. Nothing sleeps: a program has settled
// when no message waits and no command runs, but for timers (tea.Tick, tea.Every, the
// blinking cursor), which only a wait lets pass. In a synctest bubble waits take no
// time.
//
// What it does not do: start other programs (tea.Exec fails the action that led to it),
// handle signals, or interpret what a program writes past its view
// (tea.Raw). Those need a real terminal.
package teaui
