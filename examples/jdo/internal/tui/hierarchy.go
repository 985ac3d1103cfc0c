package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
	"github.com/webodar/webodar/uat"
)

// hierarchy is the tree of visions, goals, milestones and commitments. What belongs
// to nothing stands at its root.
type hierarchy struct {
	*env
	open     map[key]bool
	nodes    []node // those that are shown
	selected int
}

type key struct {
	kind plan.Kind
	id   int64
}

type node struct {
	item     plan.Item
	depth    int
	children int
}

func (n node) key() key { return key{n.item.Kind, n.item.ID} }

func newHierarchy(e *env) *hierarchy { return &hierarchy{env: e, open: map[key]bool{}} }

func (h *hierarchy) name() string    { return "hierarchy" }
func (h *hierarchy) title() string   { return "Hierarchy" }
func (h *hierarchy) focused() string { return "tree" }

func (h *hierarchy) enter() effect {
	err := h.reload()
	h.refresh()
	return effect{err: err}
}

// refresh lays the tree out, from what is open, and keeps the selection where it was:
// on the same node, or on the nearest above it that still shows.
func (h *hierarchy) refresh() {
	before := h.nodes[:min(h.selected+1, len(h.nodes))]
	h.nodes = nil
	for _, kind := range plan.Kinds() {
		for _, item := range h.all.Of(kind) {
			if _, hasParent := h.all.Find(kind.Above(), item.Parent); !hasParent {
				h.add(item, 0)
			}
		}
	}
	h.selected = 0
	for _, was := range slices.Backward(before) {
		if i := slices.IndexFunc(h.nodes, func(n node) bool { return n.key() == was.key() }); i >= 0 {
			h.selected = i
			break
		}
	}
}

func (h *hierarchy) children(item plan.Item) []plan.Item {
	below := item.Kind.Below()
	if below == "" {
		return nil
	}
	var list []plan.Item
	for _, child := range h.all.Of(below) {
		if child.Parent == item.ID {
			list = append(list, child)
		}
	}
	return list
}

func (h *hierarchy) add(item plan.Item, depth int) {
	children := h.children(item)
	n := node{item, depth, len(children)}
	h.nodes = append(h.nodes, n)
	if h.open[n.key()] {
		for _, child := range children {
			h.add(child, depth+1)
		}
	}
}

func (h *hierarchy) bindings() []uat.Binding {
	return append(bind("down", "next", "up", "previous", "right", "expand", "left", "collapse", "e", "expand all", "w", "collapse all", "n", "new below"), elsewhere...)
}

func (h *hierarchy) extras() map[string]any {
	facts := map[string]any{"nodes": len(h.nodes)}
	if len(h.nodes) > 0 {
		n := h.nodes[h.selected]
		facts["selected"], facts["level"], facts["expanded"] = n.item.Title, string(n.item.Kind), h.open[n.key()]
	}
	return map[string]any{"tree": facts, "data_panel": h.panel().extras()}
}

func (h *hierarchy) panel() dataPanel {
	if len(h.nodes) == 0 {
		return emptyPanel()
	}
	return h.viewPanel(h.nodes[h.selected].item)
}

func (h *hierarchy) update(msg tea.Msg) effect {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return effect{}
	}
	name := press.String()
	switch name {
	case "esc":
		return effect{pop: true}
	case "n":
		return h.newBelow()
	case "e":
		for _, kind := range plan.Kinds() {
			for _, item := range h.all.Of(kind) {
				h.open[key{kind, item.ID}] = true
			}
		}
	case "w":
		clear(h.open)
	case "right", "left", "enter", "space":
		if len(h.nodes) > 0 {
			h.fold(name)
		}
	default:
		h.selected = move(h.selected, len(h.nodes), name)
	}
	h.refresh()
	return effect{}
}

// fold opens and closes the selected node; right on an open one goes into it, left on
// a closed one up.
func (h *hierarchy) fold(name string) {
	n := h.nodes[h.selected]
	open := h.open[n.key()]
	switch {
	case name == "right" && open && n.children > 0:
		h.selected++
	case name == "left" && (!open || n.children == 0):
		for i := h.selected; i >= 0; i-- {
			if h.nodes[i].depth < n.depth {
				h.selected = i
				break
			}
		}
	case name == "right":
		h.open[n.key()] = n.children > 0
	case name == "left":
		h.open[n.key()] = false
	default:
		h.open[n.key()] = !open && n.children > 0
	}
}

// newBelow opens the chat for something below the selected item.
func (h *hierarchy) newBelow() effect {
	chat := newChat(h.env)
	below := plan.Vision
	if len(h.nodes) > 0 {
		item := h.nodes[h.selected].item
		if below = item.Kind.Below(); below == "" { // beside it then
			below = item.Kind
			h.current[below.Above()] = item.Parent
		} else {
			h.current[item.Kind] = item.ID
		}
	}
	chat.input.SetValue(string(below) + ": ")
	chat.input.CursorEnd()
	return effect{push: chat}
}

func (n node) id() string { return fmt.Sprintf("node-%s-%d", n.item.Kind, n.item.ID) }

func (h *hierarchy) click(id string) effect {
	for i, n := range h.nodes {
		if n.id() != id {
			continue
		}
		if i == h.selected {
			h.fold("enter")
			h.refresh()
		} else {
			h.selected = i
		}
		break
	}
	return effect{}
}

func (h *hierarchy) draw(f *frame) {
	width, panelX, panelY, panelWidth, panelHeight := beside(f)
	rows := make([]row, len(h.nodes))
	for i, n := range h.nodes {
		mark := "·"
		if n.children > 0 {
			if mark = "▸"; h.open[n.key()] {
				mark = "▾"
			}
		}
		kind := string(n.item.Kind)
		text := strings.Repeat("  ", n.depth) + " " + mark + " " + n.item.Title + "  "
		if i == h.selected {
			text = h.style.selected.Render(pad(text+kind, width-3))
		} else {
			text += h.style.muted.Render(kind)
		}
		rows[i] = row{n.id(), "node", text}
	}
	if len(rows) == 0 {
		rows = []row{{"", "", h.style.muted.Render("Nothing is planned yet. n begins with a vision.")}}
	}
	height := f.height
	if panelY > 0 {
		height = panelY - 1
	}
	f.list("tree", "tree", rows, h.selected, 1, 0, width-2, height)
	h.panel().draw(h.env, f, panelX, panelY, panelWidth, panelHeight)
}
