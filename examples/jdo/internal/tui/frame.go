package tui

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// frame collects the layers of one picture. Layers of greater z cover others; what is
// part of a layer lies one above it.
type frame struct {
	width, height int // what a screen may draw on
	layers        []*lipgloss.Layer
	types         map[string]string // id → what it is
}

// put adds a layer.
func (f *frame) put(id, kind, content string, x, y int) *lipgloss.Layer {
	layer := f.part(id, kind, content, x, y)
	f.layers = append(f.layers, layer)
	return layer
}

// part makes a layer that will be part of another one; its place counts from there.
func (f *frame) part(id, kind, content string, x, y int) *lipgloss.Layer {
	if id != "" {
		f.types[id] = kind
	}
	return lipgloss.NewLayer(content).ID(id).X(x).Y(y).Z(2)
}

// list adds a layer whose rows are layers of their own. Of more rows than there is
// room for, those around the selected one are shown.
func (f *frame) list(id, kind string, rows []row, selected, x, y, width, height int) {
	height = max(height, 1)
	first := 0
	if len(rows) > height {
		first = min(max(selected-height/2, 0), len(rows)-height)
		rows = rows[first : first+height]
	}
	layer := f.put(id, kind, strings.TrimSuffix(strings.Repeat(strings.Repeat(" ", max(width, 1))+"\n", max(len(rows), 1)), "\n"), x, y).Z(1)
	for i, r := range rows {
		layer.AddLayers(f.part(r.id, r.kind, fit(r.text, width), 0, i))
	}
}

// row is a line of a list.
type row struct{ id, kind, text string }

// panel draws a border around lines, wrapped to what is inside. Where there is too
// little room, empty lines go first.
func (e *env) panel(title, body string, width, height int) string {
	inner := max(width-4, 1)
	lines := strings.Split(e.style.accent.Render(fit(title, inner))+"\n"+lipgloss.Wrap(body, inner, ""), "\n")
	room := max(height-2, 1)
	if len(lines) > room {
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	}
	if len(lines) > room {
		lines = append(lines[:room-1], e.style.muted.Render("…"))
	}
	return e.style.panel.Width(width).Height(height).Render(strings.Join(lines, "\n"))
}

// fit cuts a line to a width.
func fit(line string, width int) string { return ansi.Truncate(line, max(width, 0), "…") }

// pad fills a line up to a width.
func pad(line string, width int) string {
	line = fit(line, width)
	return line + strings.Repeat(" ", max(width-ansi.StringWidth(line), 0))
}
