package teaui

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
)

// commands runs commands, each in a goroutine, as Bubble Tea does, and hands their
// messages out in the order in which they were started.
type commands struct {
	isBackground func(function string) bool // may be nil

	mu      sync.Mutex
	running []*command // by the order of their start, with those whose message was not taken
	closed  bool
	changed chan struct{} // holds one token after a command has ended
}

// command is one under way. Of a sequence or a batch, the commands in it are
// commands of their own.
type command struct {
	name   string
	timer  bool // or in the background: not waited for
	waited bool // for as long as patience goes
	ended  bool
	msg    tea.Msg
	crash  *uat.CrashError
	then   []tea.Cmd // rest of the sequence that it is the head of
	group  *group
}

// group is a sequence or batch within a sequence, whose rest waits for all of it.
type group struct {
	open   int
	then   []tea.Cmd
	parent *group
}

func newCommands() *commands {
	return &commands{changed: make(chan struct{}, 1)}
}

// start runs a command. then is what to start after it, as a sequence does.
func (c *commands) start(cmd tea.Cmd, then []tea.Cmd, g *group) {
	if cmd == nil {
		if len(then) > 0 {
			c.start(then[0], then[1:], g)
		} else {
			c.leave(g)
		}
		return
	}
	name := functionName(cmd)
	run := &command{name: name, timer: isTimer(name) || c.isBackground != nil && c.isBackground(name), then: then, group: g}
	c.mu.Lock()
	c.running = append(c.running, run)
	c.mu.Unlock()
	go func() {
		msg, crash := call(cmd, name)
		c.mu.Lock()
		defer c.mu.Unlock()
		run.msg, run.crash, run.ended = msg, crash, true
		if !c.closed {
			select {
			case c.changed <- struct{}{}:
			default:
			}
		}
	}()
}

func call(cmd tea.Cmd, name string) (msg tea.Msg, crash *uat.CrashError) {
	defer func() {
		if r := recover(); r != nil {
			crash = &uat.CrashError{During: "the command " + name, Value: fmt.Sprint(r), Stack: string(debug.Stack())}
		}
	}()
	return cmd(), nil
}

// take returns the ended commands in the order of their start, and forgets them.
// While a command that is no timer runs, only those started before it count, so that
// the order does not depend on which was faster; all do once the caller is impatient.
func (c *commands) take(impatient bool) []*command {
	c.mu.Lock()
	defer c.mu.Unlock()
	var taken []*command
	blocked := false
	c.running = slices.DeleteFunc(c.running, func(run *command) bool {
		if !run.ended {
			blocked = blocked || !run.timer && !run.waited
			return false
		}
		if blocked && !impatient {
			return false
		}
		taken = append(taken, run)
		return true
	})
	return taken
}

// pending reports whether a command has yet to be waited for.
func (c *commands) pending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.running, func(run *command) bool { return !run.timer && !run.waited })
}

// giveUp waits no more for the commands that run.
func (c *commands) giveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, run := range c.running {
		run.waited = true
	}
}

// unfinished are the names of the commands that run, but for timers.
func (c *commands) unfinished() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []string
	for _, run := range c.running {
		if !run.timer && !run.ended {
			list = append(list, run.name)
		}
	}
	return list
}

// follow starts what comes after a command: the parts of the sequence or batch that
// its message is, and then the rest of its own. It reports whether the message was
// one of those, and not for the model.
func (c *commands) follow(run *command) bool {
	parts, parallel := partsOf(run.msg)
	if parts == nil {
		c.next(run.then, run.group)
		return false
	}
	inner := &group{open: 1, then: run.then, parent: run.group}
	if parallel {
		inner.open = len(parts)
		for _, cmd := range parts {
			c.start(cmd, nil, inner)
		}
	} else {
		c.start(parts[0], parts[1:], inner)
	}
	return true
}

func (c *commands) next(then []tea.Cmd, g *group) {
	if len(then) > 0 {
		c.start(then[0], then[1:], g)
		return
	}
	c.leave(g)
}

func (c *commands) leave(g *group) {
	if g == nil {
		return
	}
	if g.open--; g.open == 0 {
		c.next(g.then, g.parent)
	}
}

func (c *commands) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
}

// partsOf takes a batch or a sequence apart. Bubble Tea keeps the type of the latter
// to itself; it is known by its shape, a list of commands.
func partsOf(msg tea.Msg) (parts []tea.Cmd, parallel bool) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		if len(batch) == 0 {
			return nil, false
		}
		return batch, true
	}
	v := reflect.ValueOf(msg)
	if !v.IsValid() || !v.CanConvert(commandList) || v.Len() == 0 {
		return nil, false
	}
	return v.Convert(commandList).Interface().([]tea.Cmd), false
}

var commandList = reflect.TypeFor[[]tea.Cmd]()

// isTimer knows the commands of Bubble Tea and its components that wait for time to
// pass. They are known by name, since a command is a function and no more.
func isTimer(function string) bool {
	return strings.HasPrefix(function, "charm.land/bubbletea/v2.Tick.func") ||
		strings.HasPrefix(function, "charm.land/bubbletea/v2.Every.func") ||
		strings.HasPrefix(function, "charm.land/bubbles/v2/cursor.(*Model).Blink")
}

func functionName(cmd tea.Cmd) string {
	if f := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()); f != nil {
		return f.Name()
	}
	return "unnamed"
}
