package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
	"github.com/webodar/webodar/examples/jdo/internal/store"
	"github.com/webodar/webodar/uat"
)

// triage goes through the inbox, one note at a time.
type triage struct {
	*env
	started  bool
	notes    []store.Note // still to be seen
	total    int
	counts   struct{ filed, deleted, skipped int }
	choosing bool
	choice   int
}

func (t *triage) name() string  { return "triage" }
func (t *triage) title() string { return "Triage" }

func (t *triage) focused() string {
	switch {
	case t.choosing:
		return "type-chooser"
	case len(t.notes) == 0:
		return "triage-complete"
	}
	return "triage-item"
}

func (t *triage) enter() effect {
	if err := t.reload(); err != nil || t.started {
		return effect{err: err}
	}
	t.started, t.notes, t.total = true, t.all.Inbox, len(t.all.Inbox)
	return effect{}
}

// suggestion is what the note on top would be filed as.
func (t *triage) suggestion() plan.Draft {
	if d, ok := plan.Parse(t.notes[0].Text, t.today()); ok {
		return d
	}
	return plan.As(plan.Commitment, t.notes[0].Text, t.today())
}

var triageActions = bind("a", "accept", "c", "change type", "d", "delete", "s", "skip")

func (t *triage) bindings() []uat.Binding {
	switch {
	case t.choosing:
		return bind("1", "vision", "2", "goal", "3", "milestone", "4", "commitment", "enter", "choose")
	case len(t.notes) == 0:
		return bind("enter", "finish")
	}
	return triageActions
}

func (t *triage) extras() map[string]any {
	facts := map[string]any{
		"total": t.total, "remaining": len(t.notes), "filed": t.counts.filed, "deleted": t.counts.deleted, "skipped": t.counts.skipped,
	}
	switch {
	case len(t.notes) == 0:
		facts["state"] = "complete"
	default:
		facts["state"], facts["item"], facts["suggestion"] = "item", t.notes[0].Text, string(t.suggestion().Kind)
		if t.choosing {
			facts["state"] = "choosing"
		}
	}
	return map[string]any{"triage": facts}
}

func (t *triage) update(msg tea.Msg) effect {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return effect{}
	}
	name := key.String()
	switch {
	case t.choosing:
		return t.choose(name)
	case name == "esc":
		return effect{pop: true}
	case len(t.notes) == 0:
		if name == "enter" {
			return effect{pop: true}
		}
		return effect{}
	}
	switch name {
	case "a", "enter":
		return t.do("accept")
	case "c":
		return t.do("change-type")
	case "d", "delete":
		return t.do("delete")
	case "s":
		return t.do("skip")
	}
	return effect{}
}

func (t *triage) do(action string) effect {
	switch action {
	case "accept":
		return t.accept(t.suggestion())
	case "change-type":
		t.choosing, t.choice = true, 0
		for i, kind := range plan.Kinds() {
			if kind == t.suggestion().Kind {
				t.choice = i
			}
		}
	case "delete":
		if err := t.store.Discard(t.notes[0].ID); err != nil {
			return failed(err)
		}
		t.counts.deleted++
		return t.next("deleted")
	case "skip":
		t.counts.skipped++
		return t.next("skipped; it stays in the inbox")
	}
	return effect{}
}

func (t *triage) choose(key string) effect {
	switch key {
	case "esc":
		t.choosing = false
	case "1", "2", "3", "4":
		return t.as(plan.Kinds()[key[0]-'1'])
	case "enter", "space":
		return t.as(plan.Kinds()[t.choice])
	default:
		t.choice = move(t.choice, len(plan.Kinds()), key)
	}
	return effect{}
}

func (t *triage) as(kind plan.Kind) effect {
	t.choosing = false
	return t.accept(plan.As(kind, t.notes[0].Text, t.today()))
}

// accept files the note and takes it out of the inbox.
func (t *triage) accept(d plan.Draft) effect {
	if _, err := t.file(d); err != nil {
		return failed(err)
	}
	if err := t.store.Discard(t.notes[0].ID); err != nil {
		return failed(err)
	}
	t.counts.filed++
	return t.next("filed as " + string(d.Kind))
}

func (t *triage) next(status string) effect {
	t.notes = t.notes[1:]
	return effect{err: t.reload(), status: status}
}

func (t *triage) click(id string) effect {
	if kind, ok := strings.CutPrefix(id, "type-"); ok && t.choosing && id != "type-chooser" {
		return t.as(plan.Kind(kind))
	}
	if action, ok := strings.CutPrefix(id, "triage-"); ok && !t.choosing && len(t.notes) > 0 {
		return t.do(action)
	}
	return effect{}
}

func (t *triage) draw(f *frame) {
	width := min(64, f.width-2)
	if len(t.notes) == 0 {
		body := "The inbox is clear."
		if t.counts.skipped > 0 {
			body = fmt.Sprintf("%d skipped, still in the inbox.", t.counts.skipped)
		}
		if t.total > 0 {
			body += fmt.Sprintf("\n%d filed, %d deleted, %d skipped.", t.counts.filed, t.counts.deleted, t.counts.skipped)
		}
		f.put("triage-complete", "panel", t.panel("Triage complete", body, width, 6), 1, 0)
		return
	}
	d := t.suggestion()
	summary := t.draftPanel(d).summary
	f.put("triage-progress", "text", t.style.muted.Render(fmt.Sprintf("%d of %d", t.total-len(t.notes)+1, t.total)), 2, 0)
	height := min(9, f.height-3)
	f.put("triage-item", "panel", t.panel("Inbox", t.style.strong.Render(t.notes[0].Text)+"\n\nLooks like a "+t.style.accent.Render(string(d.Kind))+": "+summary, width, height), 1, 1).Z(1)
	x := 2
	for _, b := range triageActions {
		text := " " + b.Key + " " + b.Description + " "
		if x+len(text) > f.width {
			break
		}
		f.put("triage-"+strings.ReplaceAll(b.Description, " ", "-"), "button", t.style.accent.Render(text), x, 1+height)
		x += len(text) + 1
	}
	if t.choosing {
		t.drawChooser(f)
	}
}

func (t *triage) drawChooser(f *frame) {
	const width = 26
	const height = 7 // below the note, where there is room
	layer := f.put("type-chooser", "panel", t.panel("File it as", "\n\n\n", width, height), 6, max(min(4, f.height-height), 0)).Z(6)
	for i, kind := range plan.Kinds() {
		text := pad(fmt.Sprintf(" %d %s", i+1, kind), width-4)
		if i == t.choice {
			text = t.style.selected.Render(text)
		}
		layer.AddLayers(f.part("type-"+string(kind), "button", text, 2, 2+i).Z(7))
	}
}
