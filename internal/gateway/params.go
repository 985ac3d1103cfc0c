package gateway

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// modern is the first protocol version without sessions.
const modern = "2026-07-28"

// perRequest are the members of _meta with which clients of that version
// describe themselves; towards the server the gateway is the client.
const perRequest = "io.modelcontextprotocol/"

// requestKey names the request in _meta, as the log of the gateway has it.
const requestKey = "webodar/requestId"

// params writes a request's parameters for the server: those of the client but
// for what replaced holds, and a _meta of both.
func (c *connection) params(serial int64, rq *catalog.Request, from []byte, replaced map[string]json.RawMessage) []byte {
	var b bytes.Buffer
	var meta []byte
	b.WriteByte('{')
	write := func(name string, value []byte) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		quoted, _ := json.Marshal(name) // strings always encode
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(value)
	}
	for name, value := range wirejson.Members(from) {
		switch _, other := replaced[name]; {
		case name == "_meta":
			meta = value
		case !other:
			write(name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(replaced)) {
		write(name, replaced[name])
	}
	if merged := c.meta(serial, rq, meta); merged != nil {
		write("_meta", merged)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// meta is what goes along with a request. Nil for nothing.
func (c *connection) meta(serial int64, rq *catalog.Request, from []byte) []byte {
	merged := map[string]json.RawMessage{}
	for name, value := range wirejson.Members(from) {
		if name == "progressToken" {
			value = mustJSON(serial)
		}
		if !strings.HasPrefix(name, perRequest) || name == "io.modelcontextprotocol/related-task" {
			merged[name] = value
		}
	}
	for name, value := range rq.Trace {
		merged[name] = mustJSON(value)
	}
	if rq.ID != "" {
		merged[requestKey] = mustJSON(rq.ID)
	}
	for name, value := range c.self {
		merged[name] = value
	}
	if len(merged) == 0 {
		return nil
	}
	return mustJSON(merged)
}

// mustJSON encodes what always encodes: numbers, strings, and maps of texts
// that are JSON.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// text returns a member that is a string.
func textOf(object []byte, name string) string {
	for key, value := range wirejson.Members(object) {
		if key == name && wirejson.Kind(value) == '"' {
			s, _, _ := wirejson.Unquote(value)
			return s
		}
	}
	return ""
}

// withMembers returns an object with members replaced or added.
func withMembers(object []byte, replaced map[string]json.RawMessage) json.RawMessage {
	all := map[string]json.RawMessage{}
	for name, value := range wirejson.Members(object) {
		all[name] = value
	}
	maps.Copy(all, replaced)
	return mustJSON(all)
}

// memberOf returns one member of an object as it stands; nil for none.
func memberOf(object []byte, name string) json.RawMessage {
	for key, value := range wirejson.Members(object) {
		if key == name {
			return value
		}
	}
	return nil
}
