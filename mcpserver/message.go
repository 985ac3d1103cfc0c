package mcpserver

import (
	"fmt"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// Protocol versions at which the rules of the wire changed.
const (
	version20250326 = "2025-03-26" // the last with batches; assumed when HTTP names none
	version20250618 = "2025-06-18" // the first without
	version20251125 = "2025-11-25" // the last with sessions
	version20260728 = "2026-07-28" // the first without sessions
)

// maxBatch is the most messages that a batch may hold.
const maxBatch = 100

// message is one JSON-RPC message as the guard reads it: sound in its envelope
// and in the parameters that the server looks at.
type message struct {
	raw    []byte
	id     jsonrpc.ID
	method string // empty for a response
	params []byte // nil when absent or null
	meta   []byte // _meta within params
	tool   string // of tools/call
	bad    *catalog.Error

	result, failure []byte // of a response
}

func (m *message) isCall() bool { return m.method != "" && m.id.IsValid() }

// parse reads one text off the wire: a message, or a batch of them. An error
// without messages means that the text as a whole is no good; a message that
// is no good by itself carries its error in bad.
func parse(text []byte) (msgs []*message, batch bool, err *catalog.Error) {
	if err := catalog.CheckJSON(text); err != nil {
		return nil, false, err
	}
	switch wirejson.Kind(text) {
	case '{':
		return []*message{parseObject(text)}, false, nil
	case '[':
		for element := range wirejson.Elements(text) {
			if len(msgs) == maxBatch {
				return nil, true, invalidRequest(fmt.Sprintf("the batch holds more than %d messages", maxBatch),
					fieldDetails("", "send fewer at a time"))
			}
			if wirejson.Kind(element) != '{' {
				return nil, true, invalidRequest("a batch holds an element that is no object", fieldDetails(
					fmt.Sprintf("[%d]", len(msgs)), "must be an object, is "+wirejson.TypeName(element)))
			}
			msgs = append(msgs, parseObject(element))
		}
		if len(msgs) == 0 {
			return nil, true, invalidRequest("the batch is empty", fieldDetails("", "a batch holds at least one message"))
		}
		return msgs, true, nil
	}
	return nil, false, invalidRequest(
		"the message is no JSON object but "+wirejson.TypeName(text),
		fieldDetails("", "a JSON-RPC message is an object"))
}

// parseObject reads the envelope (JSON-RPC 2.0, sections 4 and 5).
func parseObject(text []byte) *message {
	m := &message{raw: text}
	var version, id, method []byte
	for key, value := range wirejson.Members(text) {
		switch key {
		case "jsonrpc":
			version = value
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			m.failure = value
		}
	}
	response := method == nil && (m.result != nil || m.failure != nil)
	if id != nil {
		if reason := m.readID(id); reason != "" {
			m.bad = invalidRequest("the id "+reason, fieldDetails("id", reason))
			return m
		}
	}
	var missing []string
	if version == nil {
		missing = append(missing, "jsonrpc")
	}
	if response && id == nil {
		missing = append(missing, "id")
	}
	if !response && method == nil {
		missing = append(missing, "method")
	}
	if missing != nil {
		m.bad = missingFields(missing)
		return m
	}
	if v, _, ok := unquote(version); !ok || v != "2.0" {
		m.bad = invalidRequest(`jsonrpc must be "2.0"`, fieldDetails("jsonrpc", `must be the string "2.0"`))
		return m
	}
	if response {
		return m
	}
	var ok bool
	if m.method, _, ok = unquote(method); !ok || m.method == "" {
		m.method = ""
		m.bad = invalidRequest("method must be a string that is not empty", fieldDetails("method", "must be a string that is not empty"))
		return m
	}
	m.bad = m.checkMethod()
	return m
}

// readID takes the id over, or says what is wrong with it.
func (m *message) readID(value []byte) (reason string) {
	switch wirejson.Kind(value) {
	case '"':
		s, _, ok := wirejson.Unquote(value)
		if !ok {
			return "holds half of a surrogate pair"
		}
		m.id, _ = jsonrpc.MakeID(s)
		return ""
	case 0:
		// Integers beyond 2^53 would not come back as they were sent.
		const exact = 1 << 53
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil || f != float64(int64(f)) || f > exact || f < -exact {
			return "must be a whole number within 2^53"
		}
		m.id, _ = jsonrpc.MakeID(f)
		return ""
	}
	return "must be a string or a whole number, is " + wirejson.TypeName(value)
}

// unquote decodes a string value; ok is false for other types too.
func unquote(value []byte) (s string, offset int, ok bool) {
	if wirejson.Kind(value) != '"' {
		return "", 0, false
	}
	return wirejson.Unquote(value)
}

func invalidRequest(text string, details map[string]any) *catalog.Error {
	return &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "INVALID_REQUEST",
		Message: text, Details: details,
	}
}

// fieldDetails names the member at fault; empty stands for the message itself.
func fieldDetails(field, reason string) map[string]any {
	if field == "" {
		return map[string]any{"reason": reason}
	}
	return map[string]any{"field": field, "reason": reason}
}

func missingFields(missing []string) *catalog.Error {
	text := "missing "
	for i, name := range missing {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return invalidRequest(text, map[string]any{"missing": missing})
}

// checkInitialized refuses what does not suit a connection that has, or has
// not, been initialized. Messages of later versions carry all they need.
func (m *message) checkInitialized(initialized bool) *catalog.Error {
	switch {
	case m.method == "initialize" && initialized:
		return invalidRequest("the session is initialized already", fieldDetails("method", "initialize may be sent once"))
	case initialized, !m.isCall(), metaVersion(m) >= version20260728:
		return nil
	}
	switch m.method {
	case "initialize", "ping", "server/discover":
		return nil
	}
	e := invalidRequest(fmt.Sprintf("%s came before initialize", m.method), fieldDetails("method", "must be initialize at first"))
	e.Hint = "Send initialize first, then notifications/initialized."
	return e
}

// sdk returns the message as the SDK takes it.
func (m *message) sdk() jsonrpc.Message {
	if m.method != "" {
		return &jsonrpc.Request{ID: m.id, Method: m.method, Params: m.params}
	}
	r := &jsonrpc.Response{ID: m.id, Result: m.result}
	if m.failure != nil {
		r.Error = responseError(m.failure)
	}
	return r
}
