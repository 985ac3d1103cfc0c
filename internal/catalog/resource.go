package catalog

import (
	"context"
	"fmt"
	"slices"
)

// Resource is a document that a client can read.
type Resource struct {
	URI, Name, Title, Description string
	MIMEType                      string
	Read                          func(ctx context.Context) (string, error)
}

// Prompt is a template for a message that a person picks in a client.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	// Render returns the user's message. Required arguments are present.
	Render func(ctx context.Context, args map[string]string) (string, error)
}

// PromptArgument is one blank in a [Prompt].
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
	// Values are what completion offers; empty offers nothing.
	Values []string
}

// Resources returns the resources in their order.
func (c *Catalog) Resources() []Resource { return slices.Clone(c.current.Load().resources) }

// Prompts returns the prompts in their order.
func (c *Catalog) Prompts() []Prompt { return slices.Clone(c.current.Load().prompts) }

// RenderPrompt fills a prompt in.
func (c *Catalog) RenderPrompt(ctx context.Context, name string, args map[string]string) (string, error) {
	prompts := c.current.Load().prompts
	i := slices.IndexFunc(prompts, func(p Prompt) bool { return p.Name == name })
	if i < 0 {
		names := make([]string, len(prompts))
		for j, p := range prompts {
			names[j] = p.Name
		}
		return "", &Error{
			Type: PromptNotFound, Code: "PROMPT_NOT_FOUND", Message: fmt.Sprintf("prompt %q not found", Clip(name, 100)),
			Details: map[string]any{"prompt": Clip(name, 100), "suggestions": Suggest(name, names)},
		}
	}
	var fields []Field
	for _, a := range prompts[i].Arguments {
		if a.Required && args[a.Name] == "" {
			fields = append(fields, Field{Path: a.Name, Expected: "string", Got: "nothing"})
		}
	}
	if len(fields) > 0 {
		return "", invalidArguments(fields)
	}
	return prompts[i].Render(ctx, args)
}
