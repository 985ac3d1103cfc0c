package catalog

import (
	"context"
	"slices"
)

// Resource is a document that a client can read.
type Resource struct {
	URI, Name, Title, Description string
	MIMEType                      string
	// Read returns the text; nil for a resource that is mounted.
	Read    func(ctx context.Context) (string, error)
	Mounted *Mounted
}

// Prompt is a template for a message that a person picks in a client.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	// Render returns the user's message. Required arguments are present.
	// Nil for a prompt that is mounted.
	Render  func(ctx context.Context, args map[string]string) (string, error)
	Mounted *Mounted
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

// Resource returns one resource, or an error of type [ResourceNotFound].
func (c *Catalog) Resource(uri string) (*Resource, error) {
	s := c.current.Load()
	r, err := find(s.resources, uri, func(r Resource) string { return r.URI }, ResourceNotFound, "RESOURCE_NOT_FOUND", "resource", "uri")
	if err != nil {
		if why := s.explain(KindResource, uri); why != nil {
			return nil, why
		}
	}
	return r, err
}

// Prompt returns one prompt, or an error of type [PromptNotFound].
func (c *Catalog) Prompt(name string) (*Prompt, error) {
	s := c.current.Load()
	p, err := find(s.prompts, name, func(p Prompt) string { return p.Name }, PromptNotFound, "PROMPT_NOT_FOUND", "prompt", "prompt")
	if err != nil {
		if why := s.explain(KindPrompt, name); why != nil {
			return nil, why
		}
	}
	return p, err
}

// find returns the item that key names, or an error with suggestions. what is
// what a person calls the item; member is where the error's details name it.
func find[T any](items []T, want string, key func(T) string, kind Type, code, what, member string) (*T, error) {
	keys := make([]string, len(items))
	for i := range items {
		if keys[i] = key(items[i]); keys[i] == want {
			return &items[i], nil
		}
	}
	return nil, unknown(kind, code, what, member, want, keys)
}

// RenderPrompt fills a prompt in.
func (c *Catalog) RenderPrompt(ctx context.Context, name string, args map[string]string) (string, error) {
	p, err := c.Prompt(name)
	if err != nil {
		return "", err
	}
	var fields []Field
	for _, a := range p.Arguments {
		if a.Required && args[a.Name] == "" {
			fields = append(fields, Field{Path: a.Name, Expected: "string", Got: "nothing"})
		}
	}
	if len(fields) > 0 {
		return "", invalidArguments(fields)
	}
	return p.Render(ctx, args)
}
