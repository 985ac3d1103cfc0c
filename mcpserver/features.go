package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// register tells the SDK what the catalogue offers.
func (s *Server) register() {
	s.registerTools()
	for _, r := range s.catalog.Resources() {
		s.sdk.AddResource(&mcp.Resource{
			URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
		}, func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			text, err := r.Read(ctx)
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: text}}}, nil
		})
	}
	for _, p := range s.catalog.Prompts() {
		prompt := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{
				Name: a.Name, Title: a.Title, Description: a.Description, Required: a.Required,
			})
		}
		s.sdk.AddPrompt(prompt, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text, err := s.catalog.RenderPrompt(ctx, p.Name, req.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return &mcp.GetPromptResult{
				Description: p.Description,
				Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
			}, nil
		})
	}
}

// registerTools brings the SDK's tools in line with the catalogue's. The SDK
// tells the clients.
func (s *Server) registerTools() {
	s.mu.Lock()
	defer s.mu.Unlock()
	present := map[string]bool{}
	for _, t := range s.catalog.Tools() {
		present[t.Name] = true
		s.sdk.AddTool(sdkTool(t), s.callTool)
	}
	var gone []string
	for name := range s.registered {
		if !present[name] {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveTools(gone...)
	}
	s.registered = present
}

func sdkTool(t *catalog.Tool) *mcp.Tool {
	tool := &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.Input,
		Annotations: &mcp.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.Hints.ReadOnly, IdempotentHint: t.Hints.Idempotent,
			DestructiveHint: &t.Hints.Destructive, OpenWorldHint: &t.Hints.OpenWorld,
		},
	}
	if t.Output != nil {
		tool.OutputSchema = t.Output
	}
	return tool
}

// callTool is the SDK's handler for every tool.
func (s *Server) callTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := s.callOf(req)
	r := &catalog.Request{ID: c.event.RequestID, Surface: c.event.Surface}
	if token := req.Params.GetProgressToken(); token != nil {
		r.Progress = func(ctx context.Context, done, total float64, message string) {
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: done, Total: total, Message: message,
			})
			if err != nil {
				s.opts.Logger.DebugContext(ctx, "progress not delivered", "request", c.event.RequestID, "err", err)
			}
		}
	}
	args := req.Params.Arguments
	if string(args) == "null" {
		args = nil
	}
	res, err := s.catalog.Call(catalog.WithRequest(ctx, r), req.Params.Name, args)
	if err != nil {
		own := catalog.AsError(err)
		if !isToolFailure(own) {
			return nil, own
		}
		c.fail(own)
		return failure(own), nil
	}
	out, err := success(res)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// complete offers the values of a prompt's argument that start with what was
// typed.
func (s *Server) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	if req.Params.Ref != nil && req.Params.Ref.Type == "ref/prompt" {
		for _, p := range s.catalog.Prompts() {
			if p.Name != req.Params.Ref.Name {
				continue
			}
			for _, a := range p.Arguments {
				if a.Name != req.Params.Argument.Name {
					continue
				}
				for _, v := range a.Values {
					if strings.HasPrefix(v, req.Params.Argument.Value) {
						values = append(values, v)
					}
				}
			}
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
