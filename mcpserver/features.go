package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// registered is what the SDK knows of the catalogue, by name or URI, to tell it
// of differences only: it tells clients of each.
type registered struct {
	tools, resources, templates, prompts map[string]any
}

// register brings the SDK in line with the catalogue. The SDK tells the
// clients.
func (s *Server) register() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.registered
	s.registered = registered{map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}}
	for _, t := range s.catalog.Tools() {
		if fresh(old.tools, s.registered.tools, t.Name, identity(t, t.Mounted)) {
			s.sdk.AddTool(sdkTool(t), s.callTool)
		}
	}
	for _, r := range s.catalog.Resources() {
		if fresh(old.resources, s.registered.resources, r.URI, identity(r.URI, r.Mounted)) {
			s.addResource(r)
		}
	}
	for _, f := range s.catalog.Families() {
		if fresh(old.templates, s.registered.templates, f.URITemplate, f.URITemplate) {
			s.addFamily(f)
		}
	}
	for _, t := range s.catalog.Templates() {
		if fresh(old.templates, s.registered.templates, t.URITemplate, identity(nil, t.Mounted)) {
			s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: t.URITemplate, Name: t.URITemplate}, unreached)
		}
	}
	for _, p := range s.catalog.Prompts() {
		if fresh(old.prompts, s.registered.prompts, p.Name, identity(p.Name, p.Mounted)) {
			s.addPrompt(p)
		}
	}
	gone(old.tools, s.registered.tools, s.sdk.RemoveTools)
	gone(old.resources, s.registered.resources, s.sdk.RemoveResources)
	gone(old.templates, s.registered.templates, s.sdk.RemoveResourceTemplates)
	gone(old.prompts, s.registered.prompts, s.sdk.RemovePrompts)
}

// identity is what tells one version of a feature from the next.
func identity(own any, m *catalog.Mounted) any {
	if m != nil {
		return string(m.Definition)
	}
	return own
}

// fresh notes a feature, and reports whether the SDK does not know it.
func fresh(old, now map[string]any, name string, is any) bool {
	before, known := old[name]
	now[name] = is
	return !known || before != is
}

func gone(old, now map[string]any, remove func(...string)) {
	var names []string
	for name := range old {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	if names != nil {
		remove(names...)
	}
}

// unreached is the SDK's handler for what the middleware before it serves.
func unreached(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return nil, catalog.Internal(errors.New("a mounted resource was read past the gateway"))
}

func (s *Server) addResource(r catalog.Resource) {
	handler := unreached
	if r.Mounted == nil {
		handler = func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			text, err := r.Read(ctx)
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: text}}}, nil
		}
	}
	s.sdk.AddResource(&mcp.Resource{
		URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
	}, handler)
}

func (s *Server) addFamily(f catalog.Family) {
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: f.URITemplate, Name: f.Name, Title: f.Title, Description: f.Description,
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		contents, err := f.Read(ctx, req.Params.URI)
		if err != nil {
			return nil, err
		}
		c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: contents.MIMEType}
		if contents.Text {
			c.Text = string(contents.Data)
		} else {
			c.Blob = contents.Data
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	})
}

func (s *Server) addPrompt(p catalog.Prompt) {
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

func sdkTool(t *catalog.Tool) *mcp.Tool {
	if t.Mounted != nil { // its definition takes the place of this in lists
		return &mcp.Tool{Name: t.Name, InputSchema: json.RawMessage(`{"type":"object"}`)}
	}
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
	res, err := s.call(ctx, c, req)
	if err != nil {
		own := catalog.AsError(err)
		if !isToolFailure(own) {
			return nil, own
		}
		c.fail(own)
		return failure(own), nil
	}
	return success(res)
}

// call runs a tool for the client behind req.
func (s *Server) call(ctx context.Context, c *call, req *mcp.CallToolRequest) (*catalog.Result, error) {
	ctx = s.withRequest(ctx, c, req)
	r := catalog.RequestOf(ctx)
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
	return s.catalog.Call(ctx, req.Params.Name, args)
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
