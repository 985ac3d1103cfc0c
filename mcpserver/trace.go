package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// trace begins the span of a tool call; of other requests there is none. end takes
// the outcome from the record.
func (s *Server) trace(ctx context.Context, c *call, req mcp.Request) (traced context.Context, end func()) {
	r, ok := req.(*mcp.CallToolRequest)
	if !ok || !s.catalog.Traced() {
		return ctx, func() {}
	}
	traced, done := s.catalog.Trace(s.withRequest(ctx, c, req), r.Params.Name)
	c.trace = catalog.RequestOf(traced).Trace
	return traced, func() { done(recorded(c.err.Load())) }
}

// traceOf takes the trace context out of a request's _meta.
func traceOf(meta []byte) map[string]string {
	if wirejson.Kind(meta) != '{' {
		return nil
	}
	return catalog.TraceOf(func(name string) string {
		for key, value := range wirejson.Members(meta) {
			if key == name && wirejson.Kind(value) == '"' {
				text, _, _ := wirejson.Unquote(value)
				return text
			}
		}
		return ""
	})
}
