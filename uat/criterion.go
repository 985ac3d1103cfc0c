package uat

import (
	"errors"
	"fmt"
	"strings"
)

// Criterion is one condition of success. Exactly one of its members is set.
type Criterion struct {
	Screen   string            `json:"screen,omitempty"`    // the screen on top; see SameScreen
	Visited  []string          `json:"visited,omitempty"`   // these screens came up in this order, others between
	Path     []string          `json:"path,omitempty"`      // these screens and no others came up, in this order
	Title    *Match            `json:"title,omitempty"`     // the title
	Focused  string            `json:"focused,omitempty"`   // id of the focused widget
	Text     *Match            `json:"text,omitempty"`      // the whole screen
	Widget   *WidgetCriterion  `json:"widget,omitempty"`    // one widget
	Binding  *BindingCriterion `json:"binding,omitempty"`   // one key binding
	Extra    *ExtraCriterion   `json:"extra,omitempty"`     // one fact that the app gives
	NoErrors bool              `json:"no_errors,omitempty"` // no error was shown at any step
	Exited   bool              `json:"exited,omitempty"`    // the program has ended
	Probe    *Probe            `json:"probe,omitempty"`     // the app's data
	Seen     *Criterion        `json:"seen,omitempty"`      // held at some step after the first

	Line int `json:"-"` // where it stands in the scenario's file, from 1; 0 without a file
}

// WidgetCriterion is about a widget being visible and its text, or its not being
// visible.
type WidgetCriterion struct {
	ID     string `json:"id"`
	Type   string `json:"type,omitempty"`
	Absent bool   `json:"absent,omitempty"`
	Match
}

// BindingCriterion is about a key that is offered and its description.
type BindingCriterion struct {
	Key    string `json:"key"`
	Absent bool   `json:"absent,omitempty"`
	Match
}

// ExtraCriterion is about a member of [State].Extras.
type ExtraCriterion struct {
	Name   string `json:"name"` // a path: data_panel.mode, chat.recent.0.text
	Absent bool   `json:"absent,omitempty"`
	Match
}

// Probe is a question to the app's data: SQL or the name of one of [Instance].Probes.
// The value of SQL is its only cell; of more, the rows as lines, cells joined by "|".
type Probe struct {
	SQL  string `json:"sql,omitempty"`
	Name string `json:"name,omitempty"`
	Match
}

// kinds of criterion, in the order of Criterion's members.
var kinds = []string{"screen", "visited", "path", "title", "focused", "text", "widget", "binding", "extra", "no_errors", "exited", "probe", "seen"}

// present are the kinds that are set.
func (c *Criterion) present() []string {
	set := []bool{
		c.Screen != "", c.Visited != nil, c.Path != nil, c.Title != nil, c.Focused != "", c.Text != nil, c.Widget != nil,
		c.Binding != nil, c.Extra != nil, c.NoErrors, c.Exited, c.Probe != nil, c.Seen != nil,
	}
	var found []string
	for i, is := range set {
		if is {
			found = append(found, kinds[i])
		}
	}
	return found
}

// Validate reports what is wrong with a criterion, whatever the app.
func (c *Criterion) Validate() error {
	switch found := c.present(); {
	case len(found) == 0:
		return fmt.Errorf("a criterion needs one of %s, with a value", strings.Join(kinds, ", "))
	case len(found) > 1:
		return fmt.Errorf("one criterion has %s; write a criterion for each", strings.Join(found, " and "))
	}
	switch {
	case c.Visited != nil:
		return screens("visited", c.Visited)
	case c.Path != nil:
		return screens("path", c.Path)
	case c.Title != nil:
		return asks("title", *c.Title)
	case c.Text != nil:
		return asks("text", *c.Text)
	case c.Widget != nil:
		return named("widget", "id", c.Widget.ID, c.Widget.Absent, c.Widget.Match)
	case c.Binding != nil:
		return named("binding", "key", c.Binding.Key, c.Binding.Absent, c.Binding.Match)
	case c.Extra != nil:
		return named("extra", "name", c.Extra.Name, c.Extra.Absent, c.Extra.Match)
	case c.Probe != nil:
		if (c.Probe.SQL == "") == (c.Probe.Name == "") {
			return errors.New("a probe has either sql or name")
		}
		return asks("probe", c.Probe.Match)
	case c.Seen != nil:
		switch inner := c.Seen.present(); {
		case len(inner) == 1 && (c.Seen.Visited != nil || c.Seen.Path != nil || c.Seen.NoErrors || c.Seen.Probe != nil || c.Seen.Seen != nil):
			return fmt.Errorf("seen is about what the screen showed; it cannot hold %s", inner[0])
		}
		if err := c.Seen.Validate(); err != nil {
			return fmt.Errorf("seen: %w", err)
		}
	}
	return nil
}

func screens(kind string, list []string) error {
	if len(list) == 0 {
		return fmt.Errorf("%s names no screen", kind)
	}
	for i, s := range list {
		if strings.TrimSpace(s) == "" {
			return fmt.Errorf("%s has a screen without a name", kind)
		}
		if kind == "path" && i > 0 && SameScreen(s, list[i-1]) {
			return fmt.Errorf("path has %s twice in a row, which no run can show", s)
		}
	}
	return nil
}

func asks(kind string, m Match) error {
	if m.IsZero() {
		return fmt.Errorf("%s asks for nothing; give equals, contains, lacks, matches, at_least or at_most", kind)
	}
	if err := m.Validate(); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

func named(kind, key, name string, absent bool, m Match) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("a %s criterion needs %s", kind, key)
	case absent && !m.IsZero():
		return fmt.Errorf("%s %s cannot be absent and %s", kind, name, m)
	}
	if err := m.Validate(); err != nil {
		return fmt.Errorf("%s %s: %w", kind, name, err)
	}
	return nil
}

// String is the criterion in words.
func (c *Criterion) String() string {
	switch {
	case c.Screen != "":
		return "screen is " + c.Screen
	case c.Visited != nil:
		return "visited " + strings.Join(c.Visited, ", then ")
	case c.Path != nil:
		return "path is " + strings.Join(c.Path, ", ")
	case c.Title != nil:
		return "title " + c.Title.String()
	case c.Focused != "":
		return "focused is " + c.Focused
	case c.Text != nil:
		return "screen text " + c.Text.String()
	case c.Widget != nil:
		name := c.Widget.ID
		if c.Widget.Type != "" {
			name += " of type " + c.Widget.Type
		}
		return about("widget "+name, c.Widget.Absent, c.Widget.Match)
	case c.Binding != nil:
		return about("binding "+c.Binding.Key, c.Binding.Absent, c.Binding.Match)
	case c.Extra != nil:
		return about("extra "+c.Extra.Name, c.Extra.Absent, c.Extra.Match)
	case c.NoErrors:
		return "no error shown"
	case c.Exited:
		return "program has ended"
	case c.Probe != nil:
		name := c.Probe.Name
		if name == "" {
			name = strings.Join(strings.Fields(c.Probe.SQL), " ")
		}
		return "probe " + name + ": " + c.Probe.Match.String()
	case c.Seen != nil:
		return "seen: " + c.Seen.String()
	}
	return "nothing"
}

func about(what string, absent bool, m Match) string {
	switch {
	case absent:
		return what + " is absent"
	case m.IsZero():
		return what + " is there"
	}
	return what + " " + m.String()
}
