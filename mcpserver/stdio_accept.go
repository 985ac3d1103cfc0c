package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// accept queues the messages of one line and answers those that are no good.
func (c *stdioConn) accept(text []byte) {
	msgs, isBatch, err := parse(text)
	if err == nil && isBatch && c.version() >= version20250618 {
		err = batchRefused(c.version())
	}
	if err != nil {
		c.refuse(nil, err)
		return
	}
	var b *batch
	if isBatch {
		b = newBatch(msgs)
	}
	for _, m := range msgs {
		if m.bad == nil {
			m.bad = m.checkInitialized(c.proposal != nil)
		}
		if m.bad == nil && m.method == "initialize" {
			// The guard has decoded it once, so this does not fail.
			c.proposal = &mcp.InitializeParams{}
			_ = json.Unmarshal(m.params, c.proposal)
		}
		switch {
		case m.bad != nil:
			c.refuse(m, m.bad, b)
		case m.method == "":
			c.acceptResponse(m)
		case m.isCall():
			c.acceptCall(m, b)
		case methods[m.method].notification:
			c.queue = append(c.queue, m.sdk())
		default:
			c.server.opts.Logger.Debug("unknown notification dropped", "method", catalog.Clip(m.method, 100))
		}
	}
}

func (c *stdioConn) acceptCall(m *message, b *batch) {
	c.mu.Lock()
	if c.inFlight[m.id] != nil {
		c.mu.Unlock()
		c.refuse(&message{}, duplicateID(m.id), b)
		return
	}
	rec := c.server.begin(catalog.Stdio, m)
	rec.event.Peer = c.client()
	cl := &stdioCall{call: rec, batch: b, awaited: m.method != "subscriptions/listen"} // which has no end of its own
	if cl.awaited {
		if c.open++; c.open == 1 {
			c.idle = make(chan struct{})
		}
	}
	c.inFlight[m.id] = cl
	c.mu.Unlock()
	req := m.sdk().(*jsonrpc.Request)
	req.Extra = extra(rec.key)
	c.queue = append(c.queue, req)
}

func (c *stdioConn) acceptResponse(m *message) {
	c.mu.Lock()
	known := c.asked[m.id]
	delete(c.asked, m.id)
	c.mu.Unlock()
	if !known {
		c.server.strayResponse(catalog.Stdio, m)
		return
	}
	c.queue = append(c.queue, m.sdk())
}

// client names the client for the log.
func (c *stdioConn) client() string {
	if c.proposal == nil || c.proposal.ClientInfo == nil {
		return ""
	}
	return catalog.Clip(c.proposal.ClientInfo.Name, 100)
}

// version is the negotiated protocol version, empty before there is one.
func (c *stdioConn) version() string { return negotiated(c.proposal) }

// refuse answers a message that does not reach the SDK. m is nil, or has no
// id, where the id could not be told.
func (c *stdioConn) refuse(m *message, e *catalog.Error, b ...*batch) {
	rec := c.server.begin(catalog.Stdio, m)
	rec.fail(e)
	var id jsonrpc.ID
	if m != nil {
		id = m.id
	}
	text := encodeError(id, rpcError(e))
	if len(b) > 0 && b[0] != nil {
		text = b[0].add(text)
	}
	c.writeLine(text)
	c.server.end(context.Background(), rec)
}
