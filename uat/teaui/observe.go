package teaui

import (
	"context"
	"image"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/lipgloss/v2"

	"github.com/webodar/webodar/uat"
)

// Observe takes the state of the program as it is, without waiting.
func (s *Surface) Observe(ctx context.Context) (uat.State, error) {
	if err := s.drain(ctx, true); err != nil {
		return uat.State{}, err
	}
	canvas := s.screen()
	state := uat.State{
		Title: s.view.WindowTitle, Text: text(canvas, canvas.Bounds(), nil),
		Width: s.options.Width, Height: s.options.Height, Exited: s.exited,
	}
	if c := s.view.Cursor; c != nil {
		state.Cursor = &uat.Point{X: c.X, Y: c.Y}
	}
	if keys, ok := s.model.(help.KeyMap); ok {
		for _, b := range keys.ShortHelp() {
			if b.Enabled() {
				state.Bindings = append(state.Bindings, uat.Binding{Key: b.Help().Key, Description: b.Help().Desc})
			}
		}
	}
	state.Widgets, _ = s.widgets(canvas)
	if d, ok := s.model.(Describer); ok {
		about := d.Describe()
		state.Screen, state.Focused = about.Screen, about.Focused
		state.Extras, state.Errors, state.Busy = about.Extras, about.Errors, slices.Clone(about.Busy)
		if about.Title != "" {
			state.Title = about.Title
		}
		if about.Bindings != nil {
			state.Bindings = about.Bindings
		}
		for i, w := range state.Widgets {
			state.Widgets[i].Type = about.Types[w.ID]
		}
	}
	state.Busy = s.unfinished(state.Busy)
	return state, nil
}

// screen is what the terminal shows: the view, cut to its size. Outside the
// alternate screen a view that is too high loses its first lines, as Bubble Tea has
// it.
func (s *Surface) screen() *lipgloss.Canvas {
	content := s.view.Content
	if lines := strings.Split(content, "\n"); !s.view.AltScreen && len(lines) > s.options.Height {
		content = strings.Join(lines[len(lines)-s.options.Height:], "\n")
	}
	return lipgloss.NewCanvas(s.options.Width, s.options.Height).Compose(lipgloss.NewLayer(content))
}

// text reads an area of cells line by line, without blanks at the end of lines and
// empty lines at the end. Cells that visible refuses are blanks.
func text(canvas *lipgloss.Canvas, area image.Rectangle, visible func(x, y int) bool) string {
	area = area.Intersect(canvas.Bounds())
	lines := make([]string, 0, area.Dy())
	var line strings.Builder
	for y := area.Min.Y; y < area.Max.Y; y++ {
		line.Reset()
		for x := area.Min.X; x < area.Max.X; {
			cell := canvas.CellAt(x, y)
			switch {
			case cell == nil || visible != nil && !visible(x, y):
				line.WriteByte(' ')
				x++
				continue
			case cell.Content != "":
				line.WriteString(cell.Content)
			case cell.Width == 1:
				line.WriteByte(' ')
			}
			x += max(cell.Width, 1) // a wide character fills the next cell too
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// widgets are the layers with an id that a click can reach, in reading order, and a
// point of each that reaches it.
func (s *Surface) widgets(canvas *lipgloss.Canvas) ([]uat.Widget, map[string]uat.Point) {
	if s.layers == nil {
		return nil, nil
	}
	screen := canvas.Bounds()
	hits := make([]lipgloss.LayerHit, screen.Dx()*screen.Dy())
	points := map[string]uat.Point{}
	var tops []lipgloss.LayerHit
	for y := range screen.Dy() {
		for x := range screen.Dx() {
			hit := s.layers.Hit(x, y)
			hits[y*screen.Dx()+x] = hit
			if _, known := points[hit.ID()]; known || hit.Empty() {
				continue
			}
			points[hit.ID()] = uat.Point{X: x, Y: y}
			tops = append(tops, hit)
		}
	}
	widgets := make([]uat.Widget, len(tops))
	for i, top := range tops {
		// What lies on it and is no part of it hides it.
		visible := func(x, y int) bool {
			hit := hits[y*screen.Dx()+x]
			return hit.Layer() == top.Layer() || top.Layer().GetLayer(hit.ID()) != nil
		}
		b := top.Bounds()
		widgets[i] = uat.Widget{
			ID: top.ID(), Text: text(canvas, b, visible),
			Bounds: uat.Bounds{X: b.Min.X, Y: b.Min.Y, Width: b.Dx(), Height: b.Dy()},
		}
	}
	return widgets, points
}
