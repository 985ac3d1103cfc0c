package uat

import (
	"slices"
	"strconv"
)

// An action is written short, its type as a key, or long, as agents give it in JSON:
//
//   - press: ctrl+s
//     reason: save
//   - {action_type: press, target: ctrl+s, reason: save}
var (
	longActionKeys  = []string{"action_type", "target", "value", "reason", "expect"}
	shortActionKeys = []string{"press", "click", "type", "wait", "assert", "done", "target", "reason"}
)

func (n node) action() Action {
	before := len(n.reader.problems)
	list := n.entries("an action")
	var a Action
	if slices.ContainsFunc(list, func(e entry) bool { return e.name == "action_type" }) {
		a = longAction(list)
	} else {
		a = n.shortAction(list)
	}
	if err := a.Validate(); err != nil && len(n.reader.problems) == before {
		n.problem("%s", err)
	}
	return a
}

func longAction(list []entry) Action {
	var a Action
	for _, e := range list {
		switch e.name {
		case "action_type":
			a.Type = ActionType(e.value.text("action_type"))
		case "target":
			a.Target = e.value.text("target")
		case "value":
			a.Value = e.value.text("value")
		case "reason":
			a.Reason = e.value.text("reason")
		case "expect":
			a.Expect = e.value.criterion()
		default:
			e.key.problem("unknown key %q in an action%s", e.name, suggest(e.name, longActionKeys))
		}
	}
	return a
}

func (n node) shortAction(list []entry) Action {
	var a Action
	set := func(e entry, t ActionType) {
		if a.Type != "" {
			e.key.problem("one action is %s and %s; write an item for each", a.Type, t)
		}
		a.Type = t
	}
	for _, e := range list {
		switch e.name {
		case "press":
			set(e, Press)
			a.Target = e.value.text("press")
		case "click":
			set(e, Click)
			a.Target = e.value.text("click")
		case "type":
			set(e, Type)
			a.Value = e.value.text("type")
		case "wait":
			set(e, Wait)
			a.Value = strconv.FormatFloat(e.value.number("wait"), 'f', -1, 64)
		case "assert":
			set(e, Assert)
			a.Expect = e.value.criterion()
		case "done":
			set(e, Done)
			if reason, ok := e.value.scalar(); ok && reason != "null" && reason != "true" {
				a.Reason = reason
			}
		case "target":
			a.Target = e.value.text("target")
		case "reason":
			a.Reason = e.value.text("reason")
		default:
			e.key.problem("unknown action %q%s", e.name, suggest(e.name, shortActionKeys))
		}
	}
	if a.Type != Type && a.Target != "" && slices.ContainsFunc(list, func(e entry) bool { return e.name == "target" }) {
		n.problem("target beside %s; only type has one", orNone(string(a.Type)))
	}
	return a
}
