package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// batch gathers the answers to a JSON-RPC batch (section 6), which MCP had up
// to protocol 2025-03-26.
type batch struct {
	mu      sync.Mutex
	open    int // messages that are owed an answer
	answers [][]byte
}

func newBatch(msgs []*message) *batch {
	b := &batch{}
	for _, m := range msgs {
		if m.bad != nil || m.isCall() {
			b.open++
		}
	}
	return b
}

// add takes one answer, empty for none, and returns the text to write: nothing
// until the batch is complete.
func (b *batch) add(answer []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	if len(answer) > 0 {
		b.answers = append(b.answers, answer)
	}
	if b.open > 0 || len(b.answers) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(b.answers, []byte(",")))
}

func batchRefused(version string) *catalog.Error {
	return invalidRequest(
		fmt.Sprintf("protocol version %s has no batches; send each message by itself", version),
		fieldDetails("", "batches ended with protocol version "+version20250326))
}

func duplicateID(id jsonrpc.ID) *catalog.Error {
	e := invalidRequest(fmt.Sprintf("a request with id %v is already in flight", id.Raw()),
		fieldDetails("id", "is in use by a request that is not answered yet"))
	e.Details["id"] = id.Raw()
	e.Hint = "The first request runs on; use a new id for each request."
	return e
}

// negotiated is the protocol version that the SDK agrees on for what a client
// proposed.
func negotiated(p *mcp.InitializeParams) string {
	if p == nil {
		return ""
	}
	for _, v := range mcp.SupportedProtocolVersions() {
		if v == p.ProtocolVersion && v < version20260728 {
			return v
		}
	}
	return version20251125
}

// strayResponse reports a response to a request that was never sent.
func (s *Server) strayResponse(surface catalog.Surface, m *message) {
	c := s.begin(surface, m)
	c.event.Method = "response"
	c.fail(invalidRequest(fmt.Sprintf("a response with id %v matches no request of the server", m.id.Raw()), nil))
	s.end(context.Background(), c)
}
