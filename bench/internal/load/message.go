// Package load sends calls to servers and checks every answer. It speaks the
// protocols by hand, so that no SDK's client is measured along.
package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/webodar/webodar/bench/internal/sample"
	"github.com/webodar/webodar/encoder"
)

// Protocol versions.
const (
	withSessions    = "2025-11-25"
	withoutSessions = "2026-07-28"
)

// tool is what all calls are for.
const tool = "encodePlantUML"

// Messages that open an MCP session.
const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + withSessions +
		`","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// message is a request with a place for its id; without after it has none.
type message struct{ before, after []byte }

func (m message) append(dst []byte, id int) []byte {
	dst = append(dst, m.before...)
	if m.after == nil {
		return dst
	}
	return append(strconv.AppendInt(dst, int64(id), 10), m.after...)
}

// arguments are those of each call.
func arguments() []byte {
	args, err := json.Marshal(map[string]string{"plantumlCode": sample.Diagram})
	if err != nil {
		panic(err) // a map of strings can be encoded
	}
	return args
}

// restCall is the body of a REST call.
func restCall() message { return message{before: arguments()} }

// mcpCall is a tools/call; meta is further JSON behind the arguments.
func mcpCall(meta string) message {
	return message{
		before: []byte(`{"jsonrpc":"2.0","id":`),
		after:  fmt.Appendf(nil, `,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, tool, arguments(), meta),
	}
}

// modernMeta is what protocol 2026-07-28 has in each request.
const modernMeta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + withoutSessions +
	`","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}`

// checker knows the right answer from the first one on, which it proves by
// decoding the link.
type checker struct{ link []byte }

var errNoLink = errors.New("the answer holds no link")

// check reports what is wrong with an answer.
func (c *checker) check(answer []byte) error {
	if c.link == nil {
		if err := c.learn(answer); err != nil {
			return err
		}
	}
	if !bytes.Contains(answer, c.link) {
		return fmt.Errorf("%w: %.300s", errNoLink, answer)
	}
	return nil
}

func (c *checker) learn(answer []byte) error {
	start := bytes.Index(answer, []byte(encoder.DefaultBaseURL))
	if start < 0 {
		return fmt.Errorf("%w: %.300s", errNoLink, answer)
	}
	link, _, _ := bytes.Cut(answer[start:], []byte(`"`))
	text, err := encoder.Decode(string(link))
	if err != nil {
		return fmt.Errorf("the link %.300s: %w", link, err)
	}
	if text != sample.Diagram {
		return fmt.Errorf("the link %.300s is another diagram's", link)
	}
	c.link = bytes.Clone(link)
	return nil
}

// answerID finds the id of a response; ok is false for other messages.
func answerID(line []byte) (id int, ok bool) {
	_, rest, found := bytes.Cut(line, []byte(`"id":`))
	end := bytes.IndexAny(rest, ",}")
	if !found || end < 0 {
		return 0, false
	}
	id, err := strconv.Atoi(string(bytes.TrimSpace(rest[:end])))
	return id, err == nil
}
