package tui

import (
	"fmt"
	"strings"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
)

// dataPanel shows what a conversation or a selection is about.
type dataPanel struct {
	mode    string // draft, list, view or empty
	kind    plan.Kind
	draft   plan.Draft
	item    plan.Item
	items   []plan.Item
	summary string
}

func emptyPanel() dataPanel {
	return dataPanel{mode: "empty", summary: "nothing to show"}
}

func (e *env) draftPanel(d plan.Draft) dataPanel {
	summary := d.Title
	if d.Stakeholder != "" {
		summary += ", for " + d.Stakeholder
	}
	if !d.Due.IsZero() {
		summary += ", due " + d.Due.String()
	}
	if d.Under != "" {
		summary += ", under " + d.Under
	}
	return dataPanel{mode: "draft", kind: d.Kind, draft: d, summary: summary}
}

func (e *env) viewPanel(item plan.Item) dataPanel {
	return dataPanel{mode: "view", kind: item.Kind, item: item, summary: item.Title}
}

func (e *env) listPanel(kind plan.Kind) dataPanel {
	items := e.all.Of(kind)
	if kind == plan.Commitment {
		items = e.pending()
	}
	return dataPanel{mode: "list", kind: kind, items: items, summary: plural(len(items), string(kind))}
}

// extras is how tests see it.
func (p dataPanel) extras() map[string]any {
	facts := map[string]any{"mode": p.mode, "summary": p.summary}
	if p.kind != "" {
		facts["item_type"] = string(p.kind)
	}
	return facts
}

// draw puts the panel into a frame.
func (p dataPanel) draw(e *env, f *frame, x, y, width, height int) {
	title, body := "Nothing yet", "Say what you will do, for whom and by when. The draft shows up here."
	kind := string(p.kind)
	switch p.mode {
	case "draft":
		title, body = "Draft "+kind, p.drawDraft(e)
	case "view":
		title, body = strings.ToUpper(kind[:1])+kind[1:], e.details(p.item)
	case "list":
		title, body = strings.ToUpper(kind[:1])+kind[1:]+"s", p.drawList(e)
	}
	layer := f.put("data-panel", "panel", e.panel(title, body, width, height), x, y).Z(1)
	if p.mode == "draft" && height > 6 {
		layer.AddLayers(
			f.part("confirm", "button", e.style.selected.Render(" Save ctrl+s "), 2, height-2),
			f.part("discard", "button", e.style.muted.Render(" Discard ctrl+x "), 16, height-2),
		)
	}
}

func (p dataPanel) drawDraft(e *env) string {
	d := p.draft
	lines := e.style.strong.Render(d.Title) + "\n"
	if d.Kind == plan.Commitment {
		lines += e.field("for", d.Stakeholder, "no one named")
	}
	if d.Kind == plan.Commitment || d.Kind == plan.Milestone {
		due := ""
		if !d.Due.IsZero() {
			due = d.Due.In(e.today()) + " (" + d.Due.String() + ")"
		}
		lines += e.field("due", due, `say "by friday"`)
	}
	if above := d.Kind.Above(); above != "" {
		lines += e.field("under", d.Under, "no "+string(above))
	}
	return lines
}

func (e *env) field(name, value, missing string) string {
	if value == "" {
		value = e.style.muted.Render(missing)
	}
	return "\n" + e.style.muted.Render(pad(name, 6)) + value
}

func (p dataPanel) drawList(e *env) string {
	if len(p.items) == 0 {
		return e.style.muted.Render("There are none yet.")
	}
	lines := make([]string, len(p.items))
	for i, item := range p.items {
		lines[i] = "• " + item.Title
		if !item.Due.IsZero() {
			lines[i] += " " + e.dueText(item)
		}
	}
	return strings.Join(lines, "\n")
}

// details is an item in full.
func (e *env) details(item plan.Item) string {
	body := e.style.strong.Render(item.Title) + "\n"
	if item.Kind == plan.Commitment {
		body += e.field("state", string(item.Status), "")
		body += e.field("for", item.Stakeholder, "no one named")
	}
	if item.Kind == plan.Commitment || item.Kind == plan.Milestone {
		due := ""
		if !item.Due.IsZero() {
			due = item.Due.In(e.today()) + " (" + item.Due.String() + ")"
		}
		body += e.field("due", due, "no date")
	}
	if !item.Completed.IsZero() {
		body += e.field("done", item.Completed.In(e.today()), "")
	}
	if above := item.Kind.Above(); above != "" {
		parent, _ := e.all.Find(above, item.Parent)
		body += e.field("under", parent.Title, "no "+string(above))
	}
	if below := item.Kind.Below(); below != "" {
		var count, done int
		for _, child := range e.all.Of(below) {
			if child.Parent == item.ID {
				count++
				if child.Status == plan.Completed {
					done++
				}
			}
		}
		text := plural(count, string(below))
		if below == plan.Commitment && count > 0 {
			text += fmt.Sprintf(", %d done", done)
		}
		body += e.field("has", text, "")
	}
	return body
}

// dueText is a commitment's date in the colour of its urgency.
func (e *env) dueText(item plan.Item) string {
	text := item.Due.In(e.today())
	switch {
	case item.Status == plan.Completed:
		return e.style.good.Render("done")
	case item.Status == plan.Abandoned:
		return e.style.muted.Render("dropped")
	case item.Due.IsZero():
		return e.style.muted.Render(text)
	case item.Due.DaysSince(e.today()) < 0:
		return e.style.bad.Render(text)
	case item.Due.DaysSince(e.today()) <= e.riskDays:
		return e.style.warn.Render(text)
	}
	return e.style.muted.Render(text)
}
