// Package tui is jdo's user interface, a Bubble Tea program.
//
//	tea.NewProgram(tui.New(store, time.Now)).Run()
//
// A [Model] has a stack of screens; the one on top gets keys and clicks and answers
// with an effect: another screen, back, a message. Screens draw layers with ids,
// which clicks and acceptance tests find their widgets by. What is not here: rules of
// the plan (package plan) and SQL (package store).
package tui
