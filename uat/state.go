package uat

import "strings"

// State is what a user, or an agent in a user's place, can know of the app at one
// moment. It encodes as JSON.
type State struct {
	Screen   string    `json:"screen"`            // the app's name of the screen on top
	Title    string    `json:"title,omitempty"`   // what the screen, or the terminal's title bar, says
	Focused  string    `json:"focused,omitempty"` // id of the widget that keys go to
	Widgets  []Widget  `json:"widgets,omitempty"` // the visible ones, in reading order
	Bindings []Binding `json:"bindings,omitempty"`
	Text     string    `json:"text"`            // the screen line by line, without trailing blanks
	Width    int       `json:"width"`           // columns of the terminal
	Height   int       `json:"height"`          // rows
	Cursor   *Point    `json:"cursor,omitzero"` // nil while it is hidden

	// Extras are facts the app gives about itself, such as the messages of a chat
	// or the mode of a panel. They encode as JSON; criteria name a member of them by
	// its path, "data_panel.mode".
	Extras map[string]any `json:"extras,omitempty"`

	Errors []string `json:"errors,omitempty"` // error messages the app is showing
	Busy   []string `json:"busy,omitempty"`   // what had not finished when the state was taken
	Exited bool     `json:"exited,omitempty"` // the program has ended
}

// Widget is a part of the screen that can be named.
type Widget struct {
	ID     string `json:"id"`
	Type   string `json:"type,omitempty"` // the app's word for what it is: input, list, panel, button
	Text   string `json:"text"`           // what can be seen of it, line by line
	Bounds Bounds `json:"bounds"`
}

// Bounds is a rectangle of cells; its top left corner counts from 0.
type Bounds struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Point is a cell, counted from 0.
type Point struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// Binding is a key, or a sequence of keys, that the app offers at the moment.
type Binding struct {
	Key         string `json:"key"`
	Description string `json:"description"`
}

// Widget returns the visible widget of that id.
func (s *State) Widget(id string) (Widget, bool) {
	for _, w := range s.Widgets {
		if w.ID == id {
			return w, true
		}
	}
	return Widget{}, false
}

// Find resolves the target of a click: "#id", an id, or a widget's type where only
// one widget is of it. It returns all that fit.
func (s *State) Find(selector string) []Widget {
	id, isID := strings.CutPrefix(selector, "#")
	if w, ok := s.Widget(id); ok || isID {
		if !ok {
			return nil
		}
		return []Widget{w}
	}
	var found []Widget
	for _, w := range s.Widgets {
		if w.Type != "" && w.Type == selector {
			found = append(found, w)
		}
	}
	return found
}

// IDs are the ids of the visible widgets.
func (s *State) IDs() []string {
	ids := make([]string, len(s.Widgets))
	for i, w := range s.Widgets {
		ids[i] = w.ID
	}
	return ids
}

// SameScreen reports whether two names mean one screen: case does not count, nor
// underscores, hyphens and a trailing "Screen", so that chat is ChatScreen, and
// at-risk is AtRiskScreen.
func SameScreen(a, b string) bool { return screenName(a) == screenName(b) }

func screenName(name string) string {
	plain := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	if short := strings.TrimSuffix(plain, "screen"); short != "" {
		return short
	}
	return plain
}
