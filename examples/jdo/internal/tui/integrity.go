package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
)

// integrity shows how well commitments are kept.
type integrity struct{ *env }

func (i *integrity) name() string    { return "integrity" }
func (i *integrity) title() string   { return "Integrity" }
func (i *integrity) focused() string { return "at-risk" }
func (i *integrity) enter() effect   { return effect{err: i.reload()} }

func (i *integrity) bindings() []uat.Binding {
	return append(bind("r", "at risk"), elsewhere...)
}

func (i *integrity) extras() map[string]any {
	m := i.env.integrity()
	return map[string]any{"integrity": map[string]any{
		"grade": m.Grade(), "score": m.Score, "on_time": m.OnTime, "late": m.Late, "overdue": m.Overdue,
		"abandoned": m.Abandoned, "open": m.Open, "at_risk": len(m.AtRisk),
	}}
}

func (i *integrity) update(msg tea.Msg) effect {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return effect{pop: true}
		case "r", "enter":
			return effect{push: &commitments{env: i.env, risk: true}}
		}
	}
	return effect{}
}

func (i *integrity) click(id string) effect {
	if id == "at-risk" {
		return effect{push: &commitments{env: i.env, risk: true}}
	}
	return effect{}
}

func (i *integrity) draw(f *frame) {
	m := i.env.integrity()
	style := i.style.good
	switch m.Grade() {
	case "–":
		style = i.style.muted
	case "C", "D":
		style = i.style.warn
	case "F":
		style = i.style.bad
	}
	score := "no commitment is over yet"
	if m.Graded {
		score = fmt.Sprintf("%d of 100", m.Score)
	}
	width := min(76, f.width-2)
	left := min(26, width)
	f.put("grade", "panel", i.panel("Grade", style.Bold(true).Render(m.Grade())+"\n"+i.style.muted.Render(score), left, 6), 1, 0)
	metrics := fmt.Sprintf("On time    %3d\nLate       %3d\nOverdue    %3d\nAbandoned  %3d\nPending    %3d", m.OnTime, m.Late, m.Overdue, m.Abandoned, m.Open)
	x, y := 1+left, 0
	if f.width < 60 {
		x, y = 1, 6
	}
	f.put("metrics", "panel", i.panel("Kept", metrics, min(26, width), 8), x, y)
	top := y + 8
	if room := f.height - top; room >= 3 {
		f.put("at-risk", "panel", i.panel(fmt.Sprintf("At risk: %d", len(m.AtRisk)), i.atRisk(width-4), width, min(room, 8)), 1, top)
	}
}

func (i *integrity) atRisk(width int) string {
	risky := i.env.integrity().AtRisk
	if len(risky) == 0 {
		return i.style.muted.Render("Nothing is overdue or due within " + days(i.riskDays) + ".")
	}
	lines := make([]string, len(risky))
	for n, c := range risky {
		lines[n] = fit(pad(i.dueText(c), 13)+c.Title, width)
	}
	return strings.Join(lines, "\n")
}
