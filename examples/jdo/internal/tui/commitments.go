package tui

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
	"github.com/webodar/webodar/uat"
)

// commitments lists them, all or those at risk, with the selected one in full beside.
type commitments struct {
	*env
	risk     bool
	filter   int // index into filters
	items    []plan.Item
	selected int
	due      *textinput.Model // asks for a new date; nil when it does not
}

var filters = []string{"pending", "done", "all"}

func (c *commitments) name() string {
	if c.risk {
		return "at-risk"
	}
	return "commitments"
}

func (c *commitments) title() string {
	if c.risk {
		return "At risk"
	}
	return "Commitments"
}

func (c *commitments) listID() string {
	if c.risk {
		return "at-risk-list"
	}
	return "commitment-list"
}

func (c *commitments) focused() string {
	if c.due != nil {
		return "due-input"
	}
	return c.listID()
}

func (c *commitments) writing() bool { return c.due != nil }

func (c *commitments) enter() effect { return effect{err: c.refresh()} }

// refresh reads the plan anew and keeps the selection in the list.
func (c *commitments) refresh() error {
	if err := c.reload(); err != nil {
		return err
	}
	c.items = nil
	if c.risk {
		c.items = c.integrity().AtRisk
	} else {
		for _, item := range c.all.Commitments {
			if filters[c.filter] == "all" || (filters[c.filter] == "pending") == (item.Status == plan.Pending) {
				c.items = append(c.items, item)
			}
		}
	}
	c.selected = max(min(c.selected, len(c.items)-1), 0)
	return nil
}

func (c *commitments) bindings() []uat.Binding {
	if c.due != nil {
		return bind("enter", "set date")
	}
	list := bind("down", "next", "up", "previous", "d", "done", "r", "reschedule", "x", "drop")
	if !c.risk {
		list = append(list, bind("f", "filter")...)
	}
	return append(list, elsewhere...)
}

func (c *commitments) extras() map[string]any {
	facts := map[string]any{"list": map[string]any{"count": len(c.items), "filter": c.filterName()}, "data_panel": c.panel().extras()}
	return facts
}

func (c *commitments) filterName() string {
	if c.risk {
		return "at-risk"
	}
	return filters[c.filter]
}

func (c *commitments) panel() dataPanel {
	if len(c.items) == 0 {
		return emptyPanel()
	}
	return c.viewPanel(c.items[c.selected])
}

func (c *commitments) update(msg tea.Msg) effect {
	if c.due != nil {
		return c.updateDue(msg)
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return effect{}
	}
	switch key.String() {
	case "esc":
		return effect{pop: true}
	case "f":
		if !c.risk {
			c.filter = (c.filter + 1) % len(filters)
			return effect{err: c.refresh(), status: "showing " + filters[c.filter]}
		}
	case "d", "space":
		return c.set(plan.Completed, "done")
	case "x":
		return c.set(plan.Abandoned, "dropped")
	case "r":
		if len(c.items) > 0 {
			input := textinput.New()
			input.Prompt, input.Placeholder = "New date: ", "friday, in 3 days, 2026-03-09"
			input.SetVirtualCursor(false)
			c.due = &input
			return effect{cmd: input.Focus()}
		}
	default:
		c.selected = move(c.selected, len(c.items), key.String())
	}
	return effect{}
}

// set gives the selected commitment a status, or takes that status back.
func (c *commitments) set(status plan.Status, word string) effect {
	if len(c.items) == 0 {
		return effect{}
	}
	item := c.items[c.selected]
	if item.Status == status {
		status, word = plan.Pending, "pending again"
	}
	if err := c.store.SetStatus(item.ID, status, c.today()); err != nil {
		return failed(err)
	}
	return effect{err: c.refresh(), status: item.Title + ": " + word}
}

func (c *commitments) updateDue(msg tea.Msg) effect {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			c.due = nil
			return effect{}
		case "enter":
			date, _, ok := plan.FindDate(c.due.Value(), c.today())
			if !ok {
				return failed(fmt.Errorf("%q is no date; try friday, in 3 days or 2026-03-09", c.due.Value()))
			}
			item := c.items[c.selected]
			c.due = nil
			if err := c.store.SetDue(item.ID, date); err != nil {
				return failed(err)
			}
			return effect{err: c.refresh(), status: item.Title + ": due " + date.In(c.today())}
		}
	}
	input, cmd := c.due.Update(msg)
	c.due = &input
	return effect{cmd: cmd}
}

func (c *commitments) click(id string) effect {
	if c.due != nil {
		return effect{}
	}
	number, ok := strings.CutPrefix(id, "commitment-")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil {
		return effect{}
	}
	for i, item := range c.items {
		if item.ID == n {
			c.selected = i
		}
	}
	return effect{}
}

func (c *commitments) draw(f *frame) {
	width, panelX, panelY, panelWidth, panelHeight := beside(f)
	heading := fmt.Sprintf("%d %s", len(c.items), strings.ReplaceAll(c.filterName(), "-", " "))
	f.put("list-heading", "text", c.style.muted.Render(fit(heading, width-2)), 2, 0)
	rows := make([]row, len(c.items))
	for i, item := range c.items {
		rows[i] = row{fmt.Sprintf("commitment-%d", item.ID), "row", c.row(item, i == c.selected, width-3)}
	}
	if len(rows) == 0 {
		rows = []row{{"", "", c.style.muted.Render(c.nothing())}}
	}
	height := f.height - 2
	if panelY > 0 {
		height = panelY - 2
	}
	f.list(c.listID(), "list", rows, c.selected, 1, 1, width-2, height)
	c.panel().draw(c.env, f, panelX, panelY, panelWidth, panelHeight)
	if c.due != nil {
		c.due.SetWidth(max(f.width-16, 5))
		f.put("due-input", "input", pad(" "+c.due.View(), f.width), 0, f.height-1).Z(5)
	}
}

func (c *commitments) cursor(f *frame) *tea.Cursor {
	if c.due == nil {
		return nil
	}
	cursor := c.due.Cursor()
	if cursor != nil {
		cursor.X++
		cursor.Y += f.height - 1
	}
	return cursor
}

func (c *commitments) nothing() string {
	switch {
	case c.risk:
		return "Nothing is at risk."
	case filters[c.filter] == "done":
		return "Nothing is done yet."
	}
	return "No commitments. c opens the chat: say one."
}

func (c *commitments) row(item plan.Item, selected bool, width int) string {
	mark := map[plan.Status]string{plan.Pending: "○", plan.Completed: "●", plan.Abandoned: "×"}[item.Status]
	due := c.dueText(item)
	if selected {
		due = item.Due.In(c.today())
	}
	line := pad(" "+mark+" "+item.Title, max(width-13, 8)) + " " + pad(due, 12)
	if selected {
		return c.style.selected.Render(pad(line, width))
	}
	return line
}

// beside lays a list and a panel side by side where there is room, else the panel
// below.
func beside(f *frame) (width, panelX, panelY, panelWidth, panelHeight int) {
	if f.width >= 100 {
		width = f.width * 58 / 100
		return width, width, 0, f.width - width, f.height
	}
	panelHeight = min(9, f.height/2)
	return f.width, 0, f.height - panelHeight, f.width, panelHeight
}
