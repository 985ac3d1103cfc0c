package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// handle answers one message.
func (s *server) handle(m *message, send func(string)) {
	answer := func(result string) { send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)) }
	switch m.Method {
	case "initialize":
		time.Sleep(s.delay)
		switch {
		case s.mute:
			select {}
		case s.refuse:
			send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"not today"}}`, m.ID))
			return
		}
		answer(fmt.Sprintf(`{"protocolVersion":%q,"serverInfo":{"name":"scripted","version":"1"},`+
			`"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{}}}`, s.version))
	case "ping":
		answer("{}")
	case "notifications/cancelled":
		var p struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m.Params, &p)
		s.cancel(string(p.RequestID), "told")
	case "tools/list":
		answer(`{"tools":[` + strings.Join(s.toolList(), ",") + `]}`)
	case "resources/list":
		answer(`{"resources":[{"uri":"scripted://a","name":"a","mimeType":"text/plain","x-extra":[1,{"deep":true}],"_meta":{"m":1}}]}`)
	case "resources/templates/list":
		answer(`{"resourceTemplates":[{"uriTemplate":"scripted://item/{id}","name":"item"}]}`)
	case "resources/read":
		answer(fmt.Sprintf(`{"contents":[{"uri":%s,"text":"contents","_meta":{"k":"v"}}],"x-extra":1}`, field(m.Params, "uri")))
	case "resources/subscribe", "resources/unsubscribe":
		s.note(m.Method)
		answer("{}")
		send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":%s}}`, field(m.Params, "uri")))
	case "prompts/list":
		answer(`{"prompts":[{"name":"greet","description":"greets","arguments":[{"name":"who","required":true}]}]}`)
	case "prompts/get":
		answer(`{"messages":[{"role":"user","content":{"type":"text","text":"Hello ` + strings.Trim(string(field(field(m.Params, "arguments"), "who")), `"`) + `"}}]}`)
	case "completion/complete":
		answer(`{"completion":{"values":["Ada","Alan"],"total":2}}`)
	case "logging/setLevel":
		s.note("level " + string(field(m.Params, "level")))
		answer("{}")
	case "tools/call":
		s.call(m, send, answer)
	default:
		if m.ID != nil {
			send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID))
		}
	}
}

func field(object json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members) // tests send objects
	return members[name]
}

// call runs a tool in a context that the client can cancel.
func (s *server) call(m *message, send, answer func(string)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	id := string(m.ID)
	s.mu.Lock()
	s.cancels[id] = cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancels, id)
	}()
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &p) // as above
	s.note("call " + p.Name)
	t := &toolCall{server: s, ctx: ctx, id: id, args: p.Arguments, meta: p.Meta, send: send, answer: answer}
	if run, ok := tools[p.Name]; ok {
		run.run(t)
		return
	}
	if strings.HasPrefix(p.Name, "extra") || p.Name == s.dup {
		t.text(p.Name)
		return
	}
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"unknown tool: %s"}}`, id, p.Name))
}

func (s *server) toolList() []string {
	var list []string
	s.mu.Lock()
	removed := s.removed
	s.mu.Unlock()
	for _, name := range order {
		if name == "leaver" && removed {
			continue
		}
		list = append(list, tools[name].definition(name))
	}
	for i := range s.tools {
		list = append(list, tool{}.definition(fmt.Sprintf("extra%d", i)))
	}
	if s.dup != "" {
		list = append(list, tool{}.definition(s.dup))
	}
	return list
}
