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
	err := s.drain(ctx, true)
	if err == nil {
		err = s.render()
	}
	var state uat.State
	if err == nil {
		err = s.guard("Layers or Describe", func() { state = s.state() })
	}
	return state, err
}

func (s *Surface) state() uat.State {
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
			if b.Enabled() && len(b.Keys()) > 0 { // its help may say "↑/k"; what can be pressed is wanted
				state.Bindings = append(state.Bindings, uat.Binding{Key: b.Keys()[0], Description: b.Help().Desc})
			}
		}
	}
	state.Widgets, _ = s.widgets(canvas)
	if d, ok := s.model.(Describer); ok {
		about := d.Describe()
		state.Screen, state.Focused = about.Screen, about.Focused
		state.Extras, state.Errors = about.Extras, about.Errors
		if about.Title != "" {
			state.Title = about.Title
		}
		if about.Bindings != nil {
			state.Bindings = about.Bindings
		}
	}
	state.Busy = s.unfinished()
	return state
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

// widgets are the layers with an id of which something can be seen, in reading order,
// and a point of each that a click reaches it by.
//
// A compositor tells what lies on top at a point. A layer that its own parts cover
// wholly is found by its id, so the model has to name it among its types.
func (s *Surface) widgets(canvas *lipgloss.Canvas) ([]uat.Widget, map[string]uat.Point) {
	if layered, ok := s.model.(Layered); ok && s.layers == nil {
		s.layers = layered.Layers()
	}
	if s.layers == nil {
		return nil, nil
	}
	area := canvas.Bounds()
	hits := make([]lipgloss.LayerHit, area.Dx()*area.Dy())
	at := func(x, y int) lipgloss.LayerHit { return hits[y*area.Dx()+x] }
	points := map[string]uat.Point{}
	var tops []top
	for y := range area.Dy() {
		for x := range area.Dx() {
			hit := s.layers.Hit(x, y)
			hits[y*area.Dx()+x] = hit
			if _, known := points[hit.ID()]; known || hit.Empty() {
				continue
			}
			points[hit.ID()] = uat.Point{X: x, Y: y}
			tops = append(tops, top{hit.ID(), hit.Layer(), hit.Bounds()})
		}
	}
	var types map[string]string
	if d, ok := s.model.(Describer); ok {
		types = d.Describe().Types
		tops = s.addCovered(tops, points, types)
	}
	widgets := make([]uat.Widget, len(tops))
	for i, t := range tops {
		// What lies on it and is no part of it hides it.
		visible := func(x, y int) bool { return t.has(at(x, y).ID(), at(x, y).Layer()) }
		b := t.bounds
		widgets[i] = uat.Widget{
			ID: t.id, Type: types[t.id], Text: text(canvas, b, visible),
			Bounds: uat.Bounds{X: b.Min.X, Y: b.Min.Y, Width: b.Dx(), Height: b.Dy()},
		}
	}
	slices.SortStableFunc(widgets, func(a, b uat.Widget) int {
		p, q := points[a.ID], points[b.ID]
		if p.Y != q.Y {
			return p.Y - q.Y
		}
		return p.X - q.X
	})
	return widgets, points
}

// top is a layer that can be seen.
type top struct {
	id     string
	layer  *lipgloss.Layer
	bounds image.Rectangle
}

// has reports whether a layer is this one or a part of it.
func (t top) has(id string, layer *lipgloss.Layer) bool {
	return layer != nil && (layer == t.layer || t.layer.GetLayer(id) == layer)
}

// addCovered adds the layers that have a type and are covered by their own parts.
func (s *Surface) addCovered(tops []top, points map[string]uat.Point, types map[string]string) []top {
	var covered []top
	for id := range types {
		layer := s.layers.GetLayer(id)
		if _, known := points[id]; known || layer == nil {
			continue
		}
		c := top{id: id, layer: layer}
		for _, part := range tops {
			if c.has(part.id, part.layer) {
				if c.bounds.Empty() {
					points[id] = points[part.id]
				}
				c.bounds = c.bounds.Union(part.bounds)
			}
		}
		if !c.bounds.Empty() {
			covered = append(covered, c)
		}
	}
	slices.SortFunc(covered, func(a, b top) int { return strings.Compare(a.id, b.id) })
	return append(covered, tops...)
}
