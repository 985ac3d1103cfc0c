package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
)

// home is the first screen: where to go, and what today asks for.
type home struct {
	*env
	selected int
}

func (h *home) name() string           { return "home" }
func (h *home) title() string          { return "Home" }
func (h *home) focused() string        { return "menu" }
func (h *home) enter() effect          { return effect{err: h.reload()} }
func (h *home) extras() map[string]any { return nil }

func (h *home) bindings() []uat.Binding {
	return slices.Concat(bind("enter", "open"), elsewhere, bind("n", "new", "/", "command", "q", "quit"))
}

func (h *home) update(msg tea.Msg) effect {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return effect{}
	}
	switch key.String() {
	case "q":
		return effect{quit: true}
	case "n":
		return effect{push: newChat(h.env)}
	case "/":
		chat := newChat(h.env)
		chat.input.SetValue("/")
		return effect{push: chat}
	case "enter", "space":
		return effect{push: screenFor(h.env, elsewhere[h.selected].Description)}
	default:
		h.selected = move(h.selected, len(elsewhere), key.String())
	}
	return effect{}
}

// move is where a key moves the selection of a list to.
func move(selected, count int, key string) int {
	switch key {
	case "up", "k":
		selected--
	case "down", "j":
		selected++
	case "home", "g":
		selected = 0
	case "end", "G":
		selected = count - 1
	case "pgup":
		selected -= 10
	case "pgdown":
		selected += 10
	}
	return max(min(selected, count-1), 0)
}

func (h *home) click(id string) effect {
	if name, ok := strings.CutPrefix(id, "menu-"); ok {
		return effect{push: screenFor(h.env, name)}
	}
	return effect{}
}

func (h *home) draw(f *frame) {
	greeting := "What will you do?"
	if h.env.name != "" {
		greeting = h.env.name + ", what will you do?"
	}
	f.put("greeting", "text", h.style.strong.Render(fit(greeting, f.width-2)), 2, 0)
	measured := h.integrity()
	notes := map[string]string{
		"chat":        "say it, and keep it",
		"commitments": fmt.Sprintf("%d pending", len(h.pending())),
		"triage":      fmt.Sprintf("%d in the inbox", len(h.all.Inbox)),
		"integrity":   fmt.Sprintf("grade %s, %d at risk", measured.Grade(), len(measured.AtRisk)),
		"hierarchy":   plural(len(h.all.Visions), "vision") + ", " + plural(len(h.all.Goals), "goal"),
		"settings":    "name, theme, when it gets tight",
	}
	rows := make([]row, len(elsewhere))
	width := min(48, f.width-4)
	for i, b := range elsewhere {
		text := fmt.Sprintf(" %s  %s ", b.Key, pad(strings.ToUpper(b.Description[:1])+b.Description[1:], 12))
		if i == h.selected {
			text = h.style.selected.Render(pad(text+notes[b.Description], width))
		} else {
			text = h.style.plain.Render(text) + h.style.muted.Render(notes[b.Description])
		}
		rows[i] = row{"menu-" + b.Description, "button", pad(text, width)}
	}
	f.list("menu", "list", rows, h.selected, 2, 2, width, min(len(rows), f.height-2))
	h.drawToday(f, 2, 3+len(rows))
}

func (h *home) drawToday(f *frame, x, y int) {
	due := h.integrity().AtRisk
	if room := f.height - y; room < 3 {
		return
	} else if len(due) > room-2 {
		due = due[:room-2]
	}
	body := h.style.accent.Render("Next")
	for _, c := range due {
		body += "\n" + h.dueText(c) + " " + c.Title
	}
	if len(due) == 0 {
		body += "\n" + h.style.muted.Render("Nothing is due within "+days(h.riskDays)+".")
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		lines[i] = fit(line, f.width-x-1)
	}
	f.put("next", "text", strings.Join(lines, "\n"), x, y)
}

func days(n int) string { return plural(n, "day") }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
