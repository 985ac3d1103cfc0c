package uat

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ActionType is what an agent can do.
type ActionType string

// The actions, and what target and value mean to each.
const (
	Press  ActionType = "press"  // target: keys with blanks between, "ctrl+s", "down down enter"
	Click  ActionType = "click"  // target: a widget's id, "#id", or the type of the only widget of it
	Type   ActionType = "type"   // value: text for the focused widget; target: a widget to click first
	Wait   ActionType = "wait"   // value: milliseconds to let pass; without, until the app has settled
	Assert ActionType = "assert" // target and value as Action.Criterion says, or expect
	Done   ActionType = "done"   // the agent has finished; the criteria are checked
)

// ActionTypes are all types of action.
func ActionTypes() []ActionType { return []ActionType{Press, Click, Type, Wait, Assert, Done} }

// MaxWait bounds one wait.
const MaxWait = 10 * time.Minute

// Action is one decision of an agent.
type Action struct {
	Type   ActionType `json:"action_type"`
	Target string     `json:"target,omitempty"`
	Value  string     `json:"value,omitempty"`
	Reason string     `json:"reason,omitempty"` // why, for those who read the log

	// Expect is what an assert holds the state against; it stands in the place of
	// target and value.
	Expect *Criterion `json:"expect,omitempty"`
}

// String is the action on one line, without its reason.
func (a Action) String() string {
	var b strings.Builder
	b.WriteString(string(a.Type))
	if a.Target != "" {
		b.WriteString(" " + a.Target)
	}
	if a.Value != "" {
		b.WriteString(" " + strconv.Quote(a.Value))
	}
	if a.Expect != nil {
		b.WriteString(" " + a.Expect.String())
	}
	return b.String()
}

// Validate reports what is wrong with an action, whatever the state of the app.
func (a Action) Validate() error {
	need := func(name, value string) error {
		if value == "" {
			return fmt.Errorf("a %s action needs a %s", a.Type, name)
		}
		return nil
	}
	switch a.Type {
	case Press, Click:
		return need("target", strings.TrimSpace(a.Target))
	case Type:
		return need("value", a.Value)
	case Wait:
		_, err := a.Duration()
		return err
	case Assert:
		c, err := a.Criterion()
		if err != nil {
			return err
		}
		return c.Validate()
	case Done:
		return nil
	}
	return fmt.Errorf("unknown action type %q%s", a.Type, suggest(string(a.Type), names(ActionTypes())))
}

// Duration is how long a wait waits; 0 without a value.
func (a Action) Duration() (time.Duration, error) {
	if a.Value == "" {
		return 0, nil
	}
	ms, err := strconv.ParseFloat(a.Value, 64)
	d := time.Duration(ms * float64(time.Millisecond))
	if err != nil || !(ms >= 0) || ms > float64(MaxWait/time.Millisecond) {
		return 0, fmt.Errorf("a wait's value is milliseconds, from 0 to %d, not %q", MaxWait/time.Millisecond, a.Value)
	}
	return d, nil
}

// Criterion is what an assert asserts: expect, or what target and value stand for.
// Target is screen, title, text, focused, extra.PATH, binding.KEY or a widget's id.
// A value is what screen and focused must be, and what the others must contain; a
// widget or binding without a value must be there.
func (a Action) Criterion() (*Criterion, error) {
	if a.Expect != nil {
		if a.Target != "" || a.Value != "" {
			return nil, fmt.Errorf("an assert has expect, or target and value, not both")
		}
		return a.Expect, nil
	}
	target := strings.TrimSpace(a.Target)
	if path, ok := strings.CutPrefix(target, "extra."); ok {
		return &Criterion{Extra: &ExtraCriterion{Name: path, Match: containing(a.Value)}}, nil
	}
	if key, ok := strings.CutPrefix(target, "binding."); ok {
		return &Criterion{Binding: &BindingCriterion{Key: key, Match: containing(a.Value)}}, nil
	}
	switch target {
	case "":
		return nil, fmt.Errorf("an assert needs expect, or a target: screen, title, text, focused, extra.NAME, binding.KEY or a widget's id")
	case "screen":
		return &Criterion{Screen: a.Value}, nil
	case "focused":
		return &Criterion{Focused: a.Value}, nil
	case "title":
		m := containing(a.Value)
		return &Criterion{Title: &m}, nil
	case "text":
		m := containing(a.Value)
		return &Criterion{Text: &m}, nil
	}
	return &Criterion{Widget: &WidgetCriterion{ID: target, Match: containing(a.Value)}}, nil
}

func containing(value string) Match {
	if value == "" {
		return Match{}
	}
	return Match{Contains: []string{value}}
}
