package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
	"github.com/webodar/webodar/examples/jdo/internal/store"
	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/teaui"
)

// maxStack bounds how far back escape leads.
const maxStack = 50

// Model is the program.
type Model struct {
	env           *env
	stack         []screen // the last is on top; never empty
	width, height int
	status        string
	err           error
	help          bool
	picture       *picture // of the model as it is; nil until someone asks
}

// picture is what is on the screen.
type picture struct {
	layers *lipgloss.Compositor
	types  map[string]string // id → what it is
}

var (
	_ teaui.Layered   = (*Model)(nil)
	_ teaui.Describer = (*Model)(nil)
)

// New returns the program on its home screen.
func New(s *store.Store, now func() time.Time) *Model {
	e := &env{store: s, now: now, current: map[plan.Kind]int64{}, dark: true, style: newStyles(true)}
	m := &Model{env: e, width: 80, height: 24}
	m.stack = []screen{&home{env: e}}
	return m
}

// Init asks for the background's colour.
func (m *Model) Init() tea.Cmd {
	m.apply(m.top().enter())
	return tea.RequestBackgroundColor
}

func (m *Model) top() screen { return m.stack[len(m.stack)-1] }

// Update handles one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	defer func() { m.picture = nil }()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.env.dark = msg.IsDark()
		m.env.style = newStyles(m.env.theme == "dark" || m.env.theme == "auto" && m.env.dark)
	case tea.KeyPressMsg:
		m.status, m.err = "", nil
		return m, m.key(msg)
	case tea.PasteMsg:
		return m, m.apply(m.top().update(msg))
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.status, m.err = "", nil
			return m, m.click(m.Layers().Hit(msg.X, msg.Y).ID())
		}
	case tea.MouseWheelMsg:
		key := tea.KeyPressMsg{Code: tea.KeyDown}
		if msg.Button == tea.MouseWheelUp {
			key.Code = tea.KeyUp
		}
		return m, m.apply(m.top().update(key))
	}
	return m, nil
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	if key == "ctrl+c" {
		return tea.Quit
	}
	if m.help {
		m.help = false
		if key == "esc" || key == "?" || key == "enter" {
			return nil
		}
	}
	w, ok := m.top().(writer)
	if !ok || !w.writing() {
		if key == "?" {
			m.help = true
			return nil
		}
		if next := m.goTo(key); next != nil {
			return m.apply(effect{push: next})
		}
	}
	return m.apply(m.top().update(msg))
}

// goTo is the screen that a key leads to from the one on top.
func (m *Model) goTo(key string) screen {
	own := m.top().bindings()
	if !slices.ContainsFunc(own, func(b uat.Binding) bool { return b == (uat.Binding{Key: key, Description: describe(key)}) }) {
		return nil
	}
	return screenFor(m.env, describe(key))
}

// describe is what a key that leads to another screen is described as.
func describe(key string) string {
	for _, b := range elsewhere {
		if b.Key == key {
			return b.Description
		}
	}
	return ""
}

// screenFor makes the screen of a name.
func screenFor(e *env, name string) screen {
	switch name {
	case "chat":
		return newChat(e)
	case "commitments":
		return &commitments{env: e}
	case "at-risk":
		return &commitments{env: e, risk: true}
	case "triage":
		return &triage{env: e}
	case "integrity":
		return &integrity{env: e}
	case "hierarchy":
		return newHierarchy(e)
	case "settings":
		return newSettings(e)
	}
	return nil
}

func (m *Model) click(id string) tea.Cmd {
	if m.help {
		m.help = false
		return nil
	}
	if id == "" {
		return nil
	}
	return m.apply(m.top().click(id))
}

// apply does what a screen wants.
func (m *Model) apply(e effect) tea.Cmd {
	if e.status != "" {
		m.status = e.status
	}
	if e.err != nil {
		m.err = e.err
	}
	switch {
	case e.quit:
		return tea.Quit
	case e.push != nil:
		if m.top().name() == e.push.name() {
			m.stack = m.stack[:len(m.stack)-1] // it is not above itself
		}
		if m.stack = append(m.stack, e.push); len(m.stack) > maxStack {
			m.stack = slices.Delete(m.stack, 1, 2)
		}
		return m.apply(m.top().enter())
	case e.home && len(m.stack) > 1:
		m.stack = m.stack[:1]
		return m.apply(m.top().enter())
	case e.pop && len(m.stack) > 1:
		m.stack = m.stack[:len(m.stack)-1]
		return m.apply(m.top().enter())
	}
	return e.cmd
}

// View renders the layers.
func (m *Model) View() tea.View {
	v := tea.NewView(m.Layers().Render())
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, "jdo · "+m.top().title()
	if c, ok := m.top().(interface{ cursor(f *frame) *tea.Cursor }); ok && !m.help {
		if v.Cursor = c.cursor(m.frame()); v.Cursor != nil {
			v.Cursor.Y += headerHeight
		}
	}
	return v
}

const (
	minWidth     = 32
	minHeight    = 12
	headerHeight = 2
	footerHeight = 2
)

func (m *Model) frame() *frame {
	return &frame{width: m.width, height: max(m.height-headerHeight-footerHeight, 3), types: map[string]string{}}
}

// Layers is the picture: header, the screen on top, status line and footer.
func (m *Model) Layers() *lipgloss.Compositor { return m.draw().layers }

// draw makes the picture, once between updates.
func (m *Model) draw() *picture {
	if m.picture == nil {
		layers, types := m.drawLayers()
		m.picture = &picture{lipgloss.NewCompositor(layers...), types}
	}
	return m.picture
}

func (m *Model) drawLayers() ([]*lipgloss.Layer, map[string]string) {
	st := m.env.style
	body := m.frame()
	if m.width < minWidth || m.height < minHeight {
		note := fmt.Sprintf("jdo needs %d × %d cells.", minWidth, minHeight)
		return []*lipgloss.Layer{body.put("too-small", "text", fit(note, m.width), 0, 0)}, body.types
	}
	m.top().draw(body)
	for _, l := range body.layers {
		l.Y(l.GetY() + headerHeight)
	}
	f := &frame{types: body.types}
	f.put("", "", pad("", m.width)+strings.Repeat("\n", max(m.height-1, 0)), 0, 0).Z(0)
	trail := " " + st.accent.Render("jdo") + st.muted.Render(" › "+strings.Join(m.trail(), " › "))
	f.put("header", "header", fit(trail, m.width), 0, 0)
	if date := m.env.today().Long(); m.width > lipgloss.Width(trail)+len(date)+2 {
		f.put("date", "text", st.muted.Render(date), m.width-len(date)-1, 0)
	}
	switch {
	case m.err != nil:
		f.put("error", "error", st.bad.Render(fit(" ✗ "+m.err.Error(), m.width)), 0, m.height-2)
	case m.status != "":
		f.put("status", "status", st.good.Render(fit(" ✓ "+m.status, m.width)), 0, m.height-2)
	}
	f.put("footer", "footer", m.footer(), 0, m.height-1)
	if m.help {
		m.drawHelp(f)
	}
	return append(body.layers, f.layers...), f.types
}

// trail is the way from the first screen to the one on top, its last steps.
func (m *Model) trail() []string {
	var titles []string
	for _, s := range m.stack {
		titles = append(titles, s.title())
	}
	if len(titles) > 4 {
		titles = append([]string{titles[0], "…"}, titles[len(titles)-2:]...)
	}
	return titles
}

func (m *Model) footer() string {
	show := func(b uat.Binding) string {
		return " " + m.env.style.accent.Render(b.Key) + " " + m.env.style.muted.Render(b.Description) + " "
	}
	line, end := "", ""
	list := m.bindings()
	if i := slices.Index(list, uat.Binding{Key: "?", Description: "help"}); i >= 0 { // it tells what there is no room for
		end = show(list[i])
		list = slices.Delete(list, i, i+1)
	}
	for _, b := range list {
		part := show(b)
		if lipgloss.Width(line+part+end) > m.width {
			break
		}
		line += part
	}
	return pad(line+end, m.width)
}

// bindings are those of the screen, and those that always hold.
func (m *Model) bindings() []uat.Binding {
	list := slices.Clone(m.top().bindings())
	if len(m.stack) > 1 {
		list = append(bind("esc", "back"), list...)
	}
	if w, ok := m.top().(writer); !ok || !w.writing() {
		list = append(list, bind("?", "help")...)
	}
	return append(list, bind("ctrl+c", "quit")...)
}

func (m *Model) drawHelp(f *frame) {
	var body strings.Builder
	for _, b := range m.bindings() {
		body.WriteString(m.env.style.strong.Render(pad(b.Key, 10)) + b.Description + "\n")
	}
	width := min(44, m.width)
	height := min(strings.Count(body.String(), "\n")+3, m.height-2)
	box := m.env.panel(m.top().title()+": keys", strings.TrimSuffix(body.String(), "\n"), width, height)
	f.put("help", "panel", box, max((m.width-width)/2, 0), max((m.height-height)/2, 0)).Z(10)
}

// Describe tells acceptance tests what they cannot read off the screen.
func (m *Model) Describe() teaui.Description {
	d := teaui.Description{
		Screen: m.top().name(), Title: m.top().title(), Focused: m.top().focused(),
		Types: m.draw().types, Bindings: m.bindings(), Extras: m.top().extras(),
	}
	if m.help {
		d.Focused = "help"
	}
	if m.err != nil {
		d.Errors = []string{m.err.Error()}
	}
	return d
}
