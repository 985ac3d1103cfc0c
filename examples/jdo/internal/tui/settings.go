package tui

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
)

// settings changes what the store keeps of the user's wishes.
type settings struct {
	*env
	selected int
	editing  *textinput.Model // the name; nil when it is not being typed
}

var settingNames = []string{"name", "theme", "risk-days"}

func newSettings(e *env) *settings { return &settings{env: e} }

func (s *settings) name() string  { return "settings" }
func (s *settings) title() string { return "Settings" }
func (s *settings) writing() bool { return s.editing != nil }
func (s *settings) enter() effect { return effect{err: s.reload()} }

func (s *settings) focused() string {
	if s.editing != nil {
		return "name-input"
	}
	return "settings-list"
}

func (s *settings) extras() map[string]any {
	return map[string]any{"settings": map[string]any{"name": s.env.name, "theme": s.theme, "risk_days": s.riskDays}}
}

func (s *settings) bindings() []uat.Binding {
	if s.editing != nil {
		return bind("enter", "keep the name")
	}
	return append(bind("down", "next", "up", "previous", "enter", "change"), elsewhere[:5]...)
}

func (s *settings) update(msg tea.Msg) effect {
	if s.editing != nil {
		return s.edit(msg)
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return effect{}
	}
	switch key.String() {
	case "esc":
		return effect{pop: true}
	case "enter", "space", "right":
		return s.change(1)
	case "left":
		return s.change(-1)
	default:
		s.selected = move(s.selected, len(settingNames), key.String())
	}
	return effect{}
}

// change goes to the next value of the selected setting, or to the one before.
func (s *settings) change(step int) effect {
	key, value := "", ""
	switch settingNames[s.selected] {
	case "name":
		input := textinput.New()
		input.Prompt = ""
		input.SetVirtualCursor(false)
		input.SetValue(s.env.name)
		input.CursorEnd()
		s.editing = &input
		return effect{cmd: input.Focus()}
	case "theme":
		themes := []string{"auto", "dark", "light"}
		at := 0
		for i, t := range themes {
			if t == s.theme {
				at = i
			}
		}
		key, value = "theme", themes[(at+step+len(themes))%len(themes)]
	case "risk-days":
		key, value = "risk_days", strconv.Itoa((s.riskDays-1+step+7)%7+1)
	}
	if err := s.store.SetSetting(key, value); err != nil {
		return failed(err)
	}
	return effect{err: s.reload(), status: strings.ReplaceAll(settingNames[s.selected], "-", " ") + ": " + value}
}

func (s *settings) edit(msg tea.Msg) effect {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			s.editing = nil
			return effect{}
		case "enter":
			name := strings.TrimSpace(s.editing.Value())
			s.editing = nil
			if err := s.store.SetSetting("name", name); err != nil {
				return failed(err)
			}
			return effect{err: s.reload(), status: "name: " + name}
		}
	}
	input, cmd := s.editing.Update(msg)
	s.editing = &input
	return effect{cmd: cmd}
}

func (s *settings) click(id string) effect {
	name, ok := strings.CutPrefix(id, "setting-")
	if !ok || s.editing != nil {
		return effect{}
	}
	for i, n := range settingNames {
		if n != name {
			continue
		}
		if i == s.selected {
			return s.change(1)
		}
		s.selected = i
	}
	return effect{}
}

func (s *settings) draw(f *frame) {
	name := s.env.name
	if name == "" {
		name = "none"
	}
	values := map[string]string{"name": name, "theme": s.theme, "risk-days": days(s.riskDays)}
	labels := map[string]string{"name": "Your name", "theme": "Theme", "risk-days": "At risk when due within"}
	width := min(60, f.width-3)
	rows := make([]row, len(settingNames))
	for i, n := range settingNames {
		text := " " + pad(labels[n], 26) + values[n]
		if i == s.selected {
			text = s.style.selected.Render(pad(text, width))
		}
		rows[i] = row{"setting-" + n, "button", pad(text, width)}
	}
	f.list("settings-list", "list", rows, s.selected, 1, 1, width, f.height-2)
	if s.editing != nil {
		s.editing.SetWidth(max(width-29, 4))
		f.put("name-input", "input", pad(s.editing.View(), max(width-27, 5)), 28, 1).Z(5)
	}
}

func (s *settings) cursor(*frame) *tea.Cursor {
	if s.editing == nil {
		return nil
	}
	cursor := s.editing.Cursor()
	if cursor != nil {
		cursor.X += 28
		cursor.Y++
	}
	return cursor
}
