package tui

import (
	"strings"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
)

const chatHelp = `Say it: I will send the report to Anna by Friday.
Or with a kind: vision: …, goal: …, milestone: … by 1 June.
A draft can be changed: by friday · for Anna · under … · title: …
/commit /vision /goal /milestone TEXT make a draft.
/inbox TEXT keeps a thought for later; /triage sorts them.
/list [visions|goals|milestones] shows what there is.
/commitments /at-risk /integrity /hierarchy /settings /home lead there.
/save and /discard are about the draft; /quit leaves.`

// command does what a line that starts with a slash says.
func (c *chat) command(line string) effect {
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	rest = strings.TrimSpace(rest)
	name = strings.ToLower(name)
	switch name {
	case "help", "?":
		c.say(chatHelp)
	case "triage", "integrity", "hierarchy", "settings", "commitments", "at-risk":
		return effect{push: screenFor(c.env, name)}
	case "atrisk", "risk":
		return effect{push: screenFor(c.env, "at-risk")}
	case "home":
		return effect{home: true}
	case "quit", "exit":
		return effect{quit: true}
	case "save", "confirm":
		return c.save()
	case "discard", "cancel":
		return c.discard()
	case "clear":
		c.messages, c.panel = nil, emptyPanel()
	case "list", "show":
		kind := plan.Kind(strings.TrimSuffix(strings.ToLower(rest), "s"))
		if rest == "" {
			kind = plan.Commitment
		}
		if kind.Above() == "" && kind != plan.Vision {
			c.say("/list knows visions, goals, milestones and commitments, not %q.", rest)
			return effect{}
		}
		return c.show(kind)
	case "visions", "goals", "milestones":
		return c.show(plan.Kind(strings.TrimSuffix(name, "s")))
	case "vision", "goal", "milestone", "commitment", "commit":
		if rest == "" {
			c.say("Say what: /%s TEXT", name)
			return effect{}
		}
		if name == "commit" {
			name = "commitment"
		}
		return c.propose(plan.As(plan.Kind(name), rest, c.today()))
	case "inbox", "capture":
		if rest == "" {
			c.say("Say what: /%s TEXT", name)
			return effect{}
		}
		if err := c.store.Capture(rest); err != nil {
			return failed(err)
		}
		c.say("In the inbox: %s", rest)
		return effect{err: c.reload()}
	default:
		c.say("There is no command /%s. /help lists them.", name)
	}
	return effect{}
}
