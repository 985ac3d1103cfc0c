package uat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// record is what a run has seen, as far as criteria ask for it.
type record struct {
	scenario *Scenario
	visited  []string        // screens in the order they came up
	widgets  map[string]bool // ids that were visible at some time
	errors   []string        // error messages that were shown, each once
	seen     map[*Criterion]bool
	states   int
}

func newRecord(s *Scenario) *record {
	return &record{scenario: s, widgets: map[string]bool{}, seen: map[*Criterion]bool{}}
}

// add notes one state. What the first state shows does not count as seen: the agent
// had no part in it.
func (r *record) add(state *State) {
	if n := len(r.visited); n == 0 || !SameScreen(r.visited[n-1], state.Screen) {
		r.visited = append(r.visited, state.Screen)
	}
	for _, w := range state.Widgets {
		r.widgets[w.ID] = true
	}
	for _, e := range state.shownErrors() {
		if !slices.Contains(r.errors, e) {
			r.errors = append(r.errors, e)
		}
	}
	if r.states++; r.states == 1 {
		return
	}
	for _, c := range r.scenario.Criteria {
		if c.Seen != nil && !r.seen[c] {
			met, _ := c.Seen.onState(state)
			r.seen[c] = met
		}
	}
}

func (s *State) shownErrors() []string {
	shown := slices.Clone(s.Errors)
	for _, w := range s.Widgets {
		if text := flatten(w.Text); w.Type == "error" && text != "" && !slices.Contains(shown, text) {
			shown = append(shown, text)
		}
	}
	return shown
}

// CriterionResult is what became of one criterion.
type CriterionResult struct {
	Criterion string `json:"criterion"`
	Line      int    `json:"line,omitempty"`
	Met       bool   `json:"met"`
	Got       string `json:"got,omitempty"`       // what was there
	Note      string `json:"note,omitempty"`      // why a criterion that is met may say little
	Initially bool   `json:"initially,omitempty"` // it held before the first step already
}

// judge checks one criterion. The error is of the check, not of the app: a probe that
// cannot be asked.
func (r *record) judge(ctx context.Context, c *Criterion, state *State, instance *Instance) (CriterionResult, error) {
	result := CriterionResult{Criterion: c.String(), Line: c.Line}
	switch {
	case c.Visited != nil:
		result.Met, result.Got = inOrder(c.Visited, r.visited), strings.Join(r.visited, ", ")
	case c.Path != nil:
		result.Met, result.Got = slices.EqualFunc(c.Path, r.visited, SameScreen), strings.Join(r.visited, ", ")
	case c.NoErrors:
		result.Met, result.Got = len(r.errors) == 0, strings.Join(r.errors, "; ")
	case c.Probe != nil:
		value, err := ask(ctx, c.Probe, instance)
		if err != nil {
			return result, fmt.Errorf("%s: %w", c, err)
		}
		result.Met = c.Probe.holds(value)
		result.Got, _, _ = render(value)
	case c.Seen != nil:
		result.Met = r.seen[c]
		if !result.Met {
			_, got := c.Seen.onState(state)
			result.Got = "never; at the end " + got
		}
	default:
		result.Met, result.Got = c.onState(state)
	}
	if w := c.Widget; w != nil && w.Absent && !r.widgets[w.ID] {
		result.Note = "no widget of that id was visible at any step"
	}
	result.Got = cut(result.Got, 300)
	return result, nil
}

// onState checks what one state can tell, and says what was there.
func (c *Criterion) onState(state *State) (met bool, got string) {
	switch {
	case c.Screen != "":
		return SameScreen(c.Screen, state.Screen), state.Screen
	case c.Title != nil:
		return c.Title.onScreen(state.Title), state.Title
	case c.Focused != "":
		return c.Focused == state.Focused, orNone(state.Focused)
	case c.Text != nil:
		return c.Text.onScreen(state.Text), flatten(state.Text)
	case c.Widget != nil:
		return c.Widget.onState(state)
	case c.Binding != nil:
		return c.Binding.onState(state)
	case c.Extra != nil:
		value, there := state.extra(c.Extra.Name)
		if !there {
			return c.Extra.Absent, "there is no such extra"
		}
		text, _, _ := render(value)
		return !c.Extra.Absent && c.Extra.holds(value), text
	case c.Exited:
		return state.Exited, strconv.FormatBool(state.Exited)
	}
	return false, "not about a state"
}

func (c *WidgetCriterion) onState(state *State) (met bool, got string) {
	w, there := state.Widget(c.ID)
	switch {
	case !there:
		return c.Absent, "not visible; there are " + orNone(strings.Join(state.IDs(), ", "))
	case c.Type != "" && c.Type != w.Type:
		return c.Absent, "its type is " + orNone(w.Type)
	}
	return !c.Absent && c.onScreen(w.Text), flatten(w.Text)
}

func (c *BindingCriterion) onState(state *State) (met bool, got string) {
	keys := make([]string, len(state.Bindings))
	for i, b := range state.Bindings {
		if b.Key == c.Key {
			return !c.Absent && c.onScreen(b.Description), b.Description
		}
		keys[i] = b.Key
	}
	return c.Absent, "not offered; there are " + orNone(strings.Join(keys, ", "))
}

// extra finds a member of Extras by its path. Extras are taken as JSON shows them,
// whatever Go types the app has given.
func (s *State) extra(path string) (any, bool) {
	if value, ok := s.Extras[path]; ok {
		return value, true
	}
	encoded, err := json.Marshal(s.Extras)
	if err != nil {
		return nil, false
	}
	var value any
	if err := json.Unmarshal(encoded, &value); err != nil {
		return nil, false
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[name]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

func ask(ctx context.Context, p *Probe, instance *Instance) (any, error) {
	if p.Name != "" {
		probe, ok := instance.Probes[p.Name]
		if !ok {
			known := make([]string, 0, len(instance.Probes))
			for name := range instance.Probes {
				known = append(known, name)
			}
			slices.Sort(known)
			return nil, errors.New("the app has no probe of that name" + suggest(p.Name, known))
		}
		return probe(ctx)
	}
	if instance.Database == nil {
		return nil, errors.New("the app has no database to ask")
	}
	rows, err := instance.Database.Query(ctx, p.SQL)
	if err != nil {
		return nil, err
	}
	if len(rows) == 1 && len(rows[0]) == 1 {
		return rows[0][0], nil
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j], _, _ = render(cell)
		}
		lines[i] = strings.Join(cells, "|")
	}
	return strings.Join(lines, "\n"), nil
}

// inOrder reports whether all wanted screens came up in their order.
func inOrder(wanted, visited []string) bool {
	for _, v := range visited {
		if len(wanted) > 0 && SameScreen(wanted[0], v) {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// cut shortens a text for people, at a border of runes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return s[:limit] + "…"
}
