package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
	"github.com/webodar/webodar/uat"
)

// chat is where plans are made by saying so.
type chat struct {
	*env
	input    textinput.Model
	messages []message
	panel    dataPanel
	scroll   int  // lines up from the end
	drafted  bool // that drafts can be changed has been said
	cmd      tea.Cmd
}

type message struct {
	Role string `json:"role"` // user or jdo
	Text string `json:"text"`
}

func newChat(e *env) *chat {
	c := &chat{env: e, input: textinput.New(), panel: emptyPanel()}
	c.input.Prompt, c.input.Placeholder = "› ", "I will …, or /help"
	c.input.SetVirtualCursor(false)
	c.cmd = c.input.Focus()
	c.say("What will you do, for whom, and by when?")
	return c
}

func (c *chat) name() string    { return "chat" }
func (c *chat) title() string   { return "Chat" }
func (c *chat) focused() string { return "prompt" }
func (c *chat) writing() bool   { return true }

func (c *chat) enter() effect {
	err := c.reload()
	if c.panel.mode == "list" {
		c.panel = c.listPanel(c.panel.kind)
	}
	return effect{err: err, cmd: c.cmd}
}

func (c *chat) bindings() []uat.Binding {
	list := bind("enter", "send")
	if c.panel.mode == "draft" {
		list = append(list, bind("ctrl+s", "save draft", "ctrl+x", "discard draft")...)
	}
	return append(list, bind("pgup", "scroll up", "pgdown", "scroll down")...)
}

func (c *chat) extras() map[string]any {
	return map[string]any{
		"chat":       map[string]any{"count": len(c.messages), "recent": c.messages[max(len(c.messages)-5, 0):]},
		"prompt":     c.input.Value(),
		"data_panel": c.panel.extras(),
	}
}

func (c *chat) say(format string, args ...any) {
	c.messages = append(c.messages, message{"jdo", fmt.Sprintf(format, args...)})
	c.scroll = 0
}

func (c *chat) update(msg tea.Msg) effect {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return effect{pop: true}
		case "enter":
			return c.send()
		case "ctrl+s":
			return c.save()
		case "ctrl+x":
			return c.discard()
		case "pgup", "up":
			c.scroll += 5
			return effect{}
		case "pgdown", "down":
			c.scroll = max(c.scroll-5, 0)
			return effect{}
		}
	}
	var cmd tea.Cmd
	c.input, cmd = c.input.Update(msg)
	return effect{cmd: cmd}
}

func (c *chat) click(id string) effect {
	switch id {
	case "confirm":
		return c.save()
	case "discard":
		return c.discard()
	}
	return effect{}
}

// send handles what stands in the prompt.
func (c *chat) send() effect {
	text := strings.TrimSpace(c.input.Value())
	if text == "" {
		return effect{}
	}
	c.input.Reset()
	c.messages = append(c.messages, message{"user", text})
	c.scroll = 0
	if strings.HasPrefix(text, "/") {
		return c.command(text)
	}
	word := strings.ToLower(strings.Trim(text, " .!"))
	if c.panel.mode == "draft" {
		switch word {
		case "yes", "y", "ok", "okay", "save", "save it", "confirm", "yes please", "looks good", "yes, save it":
			return c.save()
		case "no", "n", "cancel", "discard", "nevermind", "never mind":
			return c.discard()
		}
		if amended, ok := c.panel.draft.Amend(text, c.today()); ok {
			return c.propose(amended)
		}
	}
	if draft, ok := plan.Parse(text, c.today()); ok {
		return c.propose(draft)
	}
	for _, kind := range plan.Kinds() {
		if strings.Contains(word, string(kind)+"s") && (strings.HasPrefix(word, "show") || strings.HasPrefix(word, "list") || strings.HasPrefix(word, "what")) {
			return c.show(kind)
		}
	}
	switch word {
	case "yes", "y", "no", "n", "ok", "save", "confirm", "hello", "hi", "help":
		c.say("There is no draft to confirm. Say what you will do, such as: I will send the report to Anna by Friday.")
		return effect{}
	}
	if err := c.store.Capture(text); err != nil {
		return failed(err)
	}
	c.say("I read no promise in that, so it is in your inbox. /triage sorts it.")
	return effect{err: c.reload()}
}

// propose shows a draft and asks.
func (c *chat) propose(d plan.Draft) effect {
	if above := d.Kind.Above(); above != "" {
		switch parent, ok := c.parentOf(d); {
		case ok:
			d.Under = parent.Title
		case d.Under != "":
			c.say("There is no %s like %q; it will stand by itself. /%s makes one.", above, d.Under, above)
			d.Under = ""
		}
	}
	c.panel = c.draftPanel(d)
	c.say("Draft %s: %s. Save it? (yes / no)", d.Kind, c.panel.summary)
	if !c.drafted {
		c.drafted = true
		c.say("You can still change it: by friday · for Anna · under … · title: …")
	}
	return effect{}
}

// parentOf is the item above a draft: the one it names, or the one that was made or
// chosen last.
func (e *env) parentOf(d plan.Draft) (plan.Item, bool) {
	above := d.Kind.Above()
	if d.Under == "" {
		return e.all.Find(above, e.current[above])
	}
	for _, same := range []func(a, b string) bool{strings.EqualFold, containsFold} {
		for _, item := range e.all.Of(above) {
			if same(item.Title, d.Under) {
				return item, true
			}
		}
	}
	return plan.Item{}, false
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// file stores a draft, and makes it what later drafts belong to.
func (e *env) file(d plan.Draft) (plan.Item, error) {
	item := plan.Item{Kind: d.Kind, Title: d.Title, Stakeholder: d.Stakeholder, Due: d.Due, Status: plan.Pending}
	if d.Under != "" {
		if parent, ok := e.parentOf(d); ok {
			item.Parent = parent.ID
		}
	}
	id, err := e.store.Add(item)
	if err != nil {
		return item, err
	}
	item.ID = id
	e.current[item.Kind] = id
	return item, e.reload()
}

func (c *chat) save() effect {
	if c.panel.mode != "draft" {
		c.say("There is no draft to save.")
		return effect{}
	}
	item, err := c.file(c.panel.draft)
	if err != nil {
		return failed(err)
	}
	c.panel = c.viewPanel(item)
	c.say("Saved: %s.", item.Title)
	return effect{status: string(item.Kind) + " saved"}
}

func (c *chat) discard() effect {
	if c.panel.mode != "draft" {
		c.say("There is no draft to discard.")
		return effect{}
	}
	c.panel = emptyPanel()
	c.say("Discarded.")
	return effect{status: "draft discarded"}
}

func (c *chat) show(kind plan.Kind) effect {
	err := c.reload()
	c.panel = c.listPanel(kind)
	c.say("You have %s.", c.panel.summary)
	return effect{err: err}
}

// layout is where the parts of the screen lie: the panel beside the talk where there
// is room, else above it.
func (c *chat) layout(f *frame) (talkY, talkWidth, panelX, panelWidth, panelHeight int) {
	if f.width >= 70 {
		talkWidth = f.width * 55 / 100
		return 0, talkWidth, talkWidth, f.width - talkWidth, f.height
	}
	panelHeight = min(9, f.height/2)
	return panelHeight, f.width, 0, f.width, panelHeight
}

func (c *chat) draw(f *frame) {
	talkY, talkWidth, panelX, panelWidth, panelHeight := c.layout(f)
	c.panel.draw(c.env, f, panelX, 0, panelWidth, panelHeight)

	inner := max(talkWidth-3, 5)
	var lines []string
	for _, m := range c.messages {
		style, who := c.style.plain, c.style.accent.Render("jdo ")
		if m.Role == "user" {
			style, who = c.style.strong, c.style.muted.Render("you ")
		}
		for i, line := range strings.Split(lipgloss.Wrap(m.Text, inner-4, ""), "\n") {
			if i > 0 {
				who = "    "
			}
			lines = append(lines, who+style.Render(line))
		}
	}
	room := max(f.height-talkY-2, 1)
	c.scroll = min(c.scroll, max(len(lines)-room, 0))
	end := len(lines) - c.scroll
	lines = lines[max(end-room, 0):end]
	f.put("messages", "log", strings.Join(lines, "\n"), 1, talkY).Z(1)
	c.input.SetWidth(max(inner-3, 3))
	f.put("prompt", "input", pad(c.input.View(), inner), 1, f.height-1)
}

func (c *chat) cursor(f *frame) *tea.Cursor {
	cursor := c.input.Cursor()
	if cursor != nil {
		cursor.X++
		cursor.Y += f.height - 1
	}
	return cursor
}
