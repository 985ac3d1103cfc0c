package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// withRequest puts what handlers may know of a request into the context.
func (s *Server) withRequest(ctx context.Context, c *call, req mcp.Request) context.Context {
	r := &catalog.Request{ID: c.event.RequestID, Surface: c.event.Surface, Peer: c.peer(), Params: c.params, Trace: c.trace}
	if r.Params == nil { // of a batch
		if text, err := marshal(req.GetParams()); err == nil {
			r.Params = text
		}
	}
	if session, ok := req.GetSession().(*mcp.ServerSession); ok {
		r.Client = &client{server: s, session: session, call: c}
	}
	return catalog.WithRequest(ctx, r)
}

// peer is what callers are told apart by for limits.
func (c *call) peer() string {
	if c.event.Surface == catalog.Stdio {
		return string(catalog.Stdio)
	}
	host, _, err := net.SplitHostPort(c.event.Peer)
	if err != nil {
		return c.event.Peer
	}
	return host
}

// client is the MCP client behind a request.
type client struct {
	server  *Server
	session *mcp.ServerSession
	call    *call
}

var _ catalog.Client = (*client)(nil)

// Session implements [catalog.Client].
func (c *client) Session() string {
	if c.call.event.Surface == catalog.Stdio {
		return string(catalog.Stdio)
	}
	if id := c.session.ID(); id != "" {
		return id
	}
	return c.call.key // without sessions each request is one by itself
}

// Ask implements [catalog.Client].
func (c *client) Ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	switch method {
	case "sampling/createMessage":
		//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
		return ask(ctx, params, c.session.CreateMessageWithTools)
	case "elicitation/create":
		return ask(ctx, params, c.session.Elicit)
	}
	return nil, fmt.Errorf("the gateway does not pass %s on", method)
}

func ask[P, R any](ctx context.Context, params json.RawMessage, send func(context.Context, *P) (*R, error)) (json.RawMessage, error) {
	in := new(P)
	if err := json.Unmarshal(params, in); err != nil {
		return nil, fmt.Errorf("the request's parameters do not fit: %w", err)
	}
	out, err := send(ctx, in)
	if err != nil {
		return nil, err
	}
	return marshal(out)
}

// Notify implements [catalog.Client].
func (c *client) Notify(ctx context.Context, method string, params json.RawMessage) {
	var err error
	switch method {
	case "notifications/progress":
		in := &mcp.ProgressNotificationParams{}
		if err = json.Unmarshal(params, in); err == nil {
			err = c.session.NotifyProgress(ctx, in)
		}
	case "notifications/message":
		//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
		in := &mcp.LoggingMessageParams{}
		if err = json.Unmarshal(params, in); err == nil {
			//lint:ignore SA1019 as above
			err = c.session.Log(ctx, in)
		}
	}
	if err != nil {
		c.server.opts.Logger.DebugContext(ctx, "notification not delivered", "method", method, "err", err)
	}
}

// Announce passes on what a mounted server says to all clients: that a resource
// has changed, to those that subscribed to it, or a log message, to those that
// want its level.
func (s *Server) Announce(method string, params json.RawMessage) {
	ctx := s.closing
	switch method {
	case "notifications/resources/updated":
		in := &mcp.ResourceUpdatedNotificationParams{}
		if json.Unmarshal(params, in) != nil {
			return
		}
		if err := s.sdk.ResourceUpdated(ctx, in); err != nil {
			s.opts.Logger.Debug("notification not delivered", "method", method, "err", err)
		}
	case "notifications/message":
		for session := range s.sdk.Sessions() {
			c := client{server: s, session: session}
			c.Notify(ctx, method, params)
		}
	}
}
