package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// tool is one way to behave.
type tool struct {
	schema string // empty admits everything
	extra  string // further members of the definition
	run    func(*toolCall)
}

func (t tool) definition(name string) string {
	schema := t.schema
	if schema == "" {
		schema = `{"type":"object"}`
	}
	return fmt.Sprintf(`{"name":%q,"description":"scripted %s","inputSchema":%s%s}`, name, name, schema, t.extra)
}

// toolCall is one call of a tool.
type toolCall struct {
	*server
	ctx          context.Context
	id           string
	args, meta   json.RawMessage
	send, answer func(string)
}

func (t *toolCall) text(s string) {
	t.answer(fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, s))
}

func (t *toolCall) arg(name string) string {
	return strings.Trim(string(field(t.args, name)), `"`)
}

func (t *toolCall) duration() time.Duration {
	d, err := time.ParseDuration(t.arg("for"))
	if err != nil {
		d = time.Second
	}
	return d
}

// notify sends a notification.
func (t *toolCall) notify(method, params string) {
	t.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// once reports whether the file that the argument names was not there yet, and
// makes it.
func (t *toolCall) once() bool {
	f, err := os.OpenFile(t.arg("once"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

const readOnly = `,"annotations":{"readOnlyHint":true,"title":"Reads","x-hint":"kept"},"x-extra":{"kept":true},"_meta":{"vendor/thing":7}`

// tools are the ways to behave, by name.
var tools = map[string]tool{
	"echo": {run: func(t *toolCall) {
		t.answer(fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"structuredContent":{"args":%s,"meta":%s},"_meta":{"from":"scripted"},"x-extra":true}`,
			t.arg("text"), orNull(t.args), orNull(t.meta)))
	}},
	"read":   {extra: readOnly, run: func(t *toolCall) { t.text("read") }},
	"strict": {schema: `{"type":"object","properties":{"path":{"type":"string"},"depth":{"type":"integer"}},"required":["path"]}`, run: func(t *toolCall) { t.text(t.arg("path")) }},
	"fail":   {run: func(t *toolCall) { t.answer(`{"content":[{"type":"text","text":"no luck"}],"isError":true}`) }},
	"reject": {run: func(t *toolCall) {
		t.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32050,"message":"rejected","data":{"because":["so"]}}}`, t.id))
	}},
	"slow": {run: func(t *toolCall) {
		select {
		case <-time.After(t.duration()):
			t.note("done slow")
			t.text("slept")
		case <-t.ctx.Done():
		}
	}},
	"steps": {run: func(t *toolCall) {
		token := field(t.meta, "progressToken")
		for i := range 5 {
			if token != nil {
				t.notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":%d,"total":5,"message":"step %d"}`, token, i+1, i+1))
			}
			time.Sleep(t.duration() / 5)
		}
		t.text("stepped")
	}},
	"log": {run: func(t *toolCall) {
		t.notify("notifications/message", `{"level":"warning","logger":"scripted","data":{"text":"said"}}`)
		t.text("logged")
	}},
	"count": {run: func(t *toolCall) {
		t.note("count " + t.arg("id"))
		time.Sleep(t.duration())
		t.text("counted " + t.arg("id"))
	}},
	"mute":  {run: func(t *toolCall) { <-t.ctx.Done() }},
	"die":   {run: func(*toolCall) { os.Exit(7) }},
	"pause": {run: func(*toolCall) { pause() }},
	"die_once": {run: func(t *toolCall) {
		if t.once() {
			os.Exit(7)
		}
		t.text("alive")
	}},
	"read_die_once": {extra: readOnly, run: func(t *toolCall) {
		if t.once() {
			os.Exit(7)
		}
		t.text("alive")
	}},
	"garbage": {run: func(t *toolCall) { t.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[}`, t.id)) }},
	"text":    {run: func(t *toolCall) { t.send("Traceback (most recent call last):"); t.text("survived") }},
	"badutf8": {run: func(t *toolCall) {
		t.send(fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}}", t.id))
	}},
	"scalar": {run: func(t *toolCall) { t.answer(`"done"`) }},
	"deep": {run: func(t *toolCall) {
		t.answer(`{"content":[],"structuredContent":{"x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}}`)
	}},
	"status500": {run: func(t *toolCall) { t.text("over HTTP this is status 500") }},
	"otherid": {run: func(t *toolCall) {
		t.send(`{"jsonrpc":"2.0","id":987654321987,"result":{}}`)
		t.text("right")
	}},
	"flood": {run: func(t *toolCall) {
		for i := range 20_000 {
			t.notify("notifications/message", fmt.Sprintf(`{"level":"debug","data":%d}`, i))
			if i%100 == 0 {
				t.notify("notifications/tools/list_changed", `{}`)
			}
		}
		t.text("flooded")
	}},
	"big": {run: func(t *toolCall) { t.text(strings.Repeat("x", 5<<20)) }},
	"ask": {run: func(t *toolCall) {
		ch := make(chan json.RawMessage, 1)
		id := `"ask-` + strings.Trim(t.id, `"`) + `"`
		t.asked.Store(id, ch)
		t.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}`, id))
		select {
		case res := <-ch:
			t.answer(fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, res))
		case <-t.ctx.Done():
		}
	}},
	"leaver": {run: func(t *toolCall) {
		t.mu.Lock()
		t.removed = true
		t.mu.Unlock()
		t.notify("notifications/tools/list_changed", `{}`)
		t.text("bye")
	}},
	"environment": {run: func(t *toolCall) {
		names := make([]string, 0, len(os.Environ()))
		for _, pair := range os.Environ() {
			name, _, _ := strings.Cut(pair, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		t.text(strings.Join(names, " "))
	}},
	"pid":                  {run: func(t *toolCall) { t.text(fmt.Sprint(os.Getpid())) }},
	"odd.name/with:things": {run: func(t *toolCall) { t.text("odd") }},
	"typed": {
		extra:  `,"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`,
		schema: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
		run: func(t *toolCall) {
			t.answer(`{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":` + t.arg("n") + `}}`)
		},
	},
}

var order = slices.Sorted(maps.Keys(tools))

func orNull(text json.RawMessage) string {
	if text == nil {
		return "null"
	}
	return string(text)
}
