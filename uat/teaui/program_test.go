package teaui_test

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/teaui"
)

// counter is a small program with what programs have: a widget to click, an input, a
// command, a timer, a sequence, a popup, an end.
type counter struct {
	count  int
	input  string
	log    []string
	popup  bool
	ticks  int
	width  int
	busy   bool
	listen chan string
}

type (
	loaded string
	tick   time.Time
)

func (m counter) Init() tea.Cmd { return nil }

func say(s string) tea.Cmd { return func() tea.Msg { return loaded(s) } }

func (m counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case loaded:
		m.log, m.busy = append(m.log[:len(m.log):len(m.log)], string(msg)), false
	case tick:
		m.ticks++
		return m, next()
	case tea.MouseClickMsg:
		if m.Layers().Hit(msg.X, msg.Y).ID() == "plus" {
			m.count++
		}
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return m, nil
}

func next() tea.Cmd { return tea.Tick(time.Second, func(t time.Time) tea.Msg { return tick(t) }) }

func (m counter) press(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch msg.String() {
	case "up":
		m.count++
	case "ctrl+l":
		return m, say("loaded")
	case "ctrl+b":
		slow := func() tea.Msg { time.Sleep(20 * time.Millisecond); return loaded("slow") }
		return m, tea.Batch(slow, say("quick"), nil)
	case "ctrl+s":
		return m, tea.Sequence(say("1"), tea.Batch(say("2a"), tea.Sequence(say("2b"), say("2c"))), say("3"))
	case "ctrl+t":
		return m, next()
	case "ctrl+o":
		m.popup = !m.popup
	case "ctrl+w":
		return m, func() tea.Msg { return loaded(<-m.listen) }
	case "ctrl+g":
		m.busy = true
		return m, tea.Tick(time.Minute, func(time.Time) tea.Msg { return loaded("in time") })
	case "ctrl+r":
		return m, tea.Batch(tea.RequestWindowSize, tea.RequestBackgroundColor)
	case "ctrl+e":
		return m, tea.ExecProcess(nil, nil)
	case "ctrl+p":
		panic("pressed the wrong key")
	case "ctrl+x":
		return m, func() tea.Msg { panic("in a command") }
	case "ctrl+c":
		return m, tea.Quit
	default:
		m.input += msg.Text
	}
	return m, nil
}

func (m counter) Layers() *lipgloss.Compositor {
	plus := lipgloss.NewLayer(fmt.Sprintf("[+] %d", m.count)).ID("plus").X(2).Y(1).Z(1)
	input := lipgloss.NewLayer("> " + m.input).ID("input").X(2).Y(3).Z(1)
	lines := lipgloss.NewLayer(strings.Join(m.log, "\n")).ID("log").X(1).Y(0).Z(2)
	panel := lipgloss.NewLayer(lipgloss.NewStyle().Border(lipgloss.NormalBorder()).Width(20).Height(6).Render(""), lines).ID("panel").X(30).Z(1)
	layers := []*lipgloss.Layer{plus, input, panel, lipgloss.NewLayer(fmt.Sprintf("ticks %d", m.ticks)).ID("ticks").Y(8)}
	if m.popup {
		layers = append(layers, lipgloss.NewLayer("POPUP over plus").ID("popup").Y(1).Z(5))
	}
	return lipgloss.NewCompositor(layers...)
}

func (m counter) View() tea.View {
	v := tea.NewView(m.Layers().Render())
	v.WindowTitle, v.AltScreen, v.MouseMode = "Counter", true, tea.MouseModeCellMotion
	v.Cursor = tea.NewCursor(4, 3)
	return v
}

func (m counter) Describe() teaui.Description {
	return teaui.Description{
		Screen: "CounterScreen", Focused: "input",
		Types:  map[string]string{"plus": "button", "input": "input"},
		Extras: map[string]any{"count": m.count, "log": map[string]any{"lines": m.log}},
	}
}

func (m counter) Busy() []string {
	if m.busy {
		return []string{"working"}
	}
	return nil
}

func (m counter) ShortHelp() []key.Binding {
	return []key.Binding{key.NewBinding(key.WithKeys("up"), key.WithHelp("up", "count"))}
}
func (m counter) FullHelp() [][]key.Binding { return nil }

func app(model tea.Model) uat.App { return appWith(model, nil) }
