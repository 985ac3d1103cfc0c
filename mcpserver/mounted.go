package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// forward serves a request about what a mounted server has. ok is false for all
// others. The SDK's types would drop what they do not know, so that results
// pass as text.
func (s *Server) forward(ctx context.Context, c *call, method string, req mcp.Request) (res mcp.Result, ok bool, err error) {
	var mounted *catalog.Mounted
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		if t, err := s.catalog.Tool(r.Params.Name); err == nil && t.Mounted != nil {
			c.about(t.Name, t.Mounted)
			res, err := s.callMounted(ctx, c, r)
			return res, true, err
		}
	case *mcp.ReadResourceRequest:
		mounted, _ = s.catalog.Reader(r.Params.URI) // looked up before
	case *mcp.GetPromptRequest:
		if p, err := s.catalog.Prompt(r.Params.Name); err == nil {
			mounted = p.Mounted
		}
	case *mcp.CompleteRequest:
		mounted = s.completer(r)
	}
	if mounted == nil {
		return nil, false, nil
	}
	c.about("", mounted)
	ctx = s.withRequest(ctx, c, req)
	release, refused := s.catalog.Admit(ctx)
	if refused != nil {
		return nil, true, refused
	}
	defer release()
	text, err := mounted.Forward(ctx, method, catalog.RequestOf(ctx).Params)
	if err != nil {
		return nil, true, err
	}
	return &rawResult{text: text, modern: isModernRequest(req), cached: method == "resources/read"}, true, nil
}

func (s *Server) callMounted(ctx context.Context, c *call, req *mcp.CallToolRequest) (mcp.Result, error) {
	res, err := s.call(ctx, c, req)
	if err != nil {
		own := catalog.AsError(err)
		if !isToolFailure(own) {
			return nil, own
		}
		c.fail(own)
		return failure(own), nil
	}
	if failed := res.Failed(); failed != nil {
		c.fail(failed)
	}
	return &rawResult{text: res.Wire, modern: isModernRequest(req)}, nil
}

// completer returns the mounted server that knows the values for an argument.
func (s *Server) completer(r *mcp.CompleteRequest) *catalog.Mounted {
	switch ref := r.Params.Ref; {
	case ref == nil:
	case ref.Type == "ref/prompt":
		if p, err := s.catalog.Prompt(ref.Name); err == nil {
			return p.Mounted
		}
	case ref.Type == "ref/resource":
		for _, t := range s.catalog.Templates() {
			if t.URITemplate == ref.URI {
				return t.Mounted
			}
		}
		if mounted, err := s.catalog.Reader(ref.URI); err == nil {
			return mounted
		}
	}
	return nil
}

// subscription returns the handler of resources/subscribe and its opposite.
func (s *Server) subscription(ctx context.Context, method string, req mcp.Request, uri string) error {
	mounted, err := s.catalog.Reader(uri)
	if err != nil || mounted == nil { // what is built in never changes
		return err
	}
	ctx = s.withRequest(ctx, s.callOf(req), req)
	_, err = mounted.Forward(ctx, method, catalog.RequestOf(ctx).Params)
	return err
}

// rawResult is a result that a mounted server made, as it stands.
type rawResult struct {
	mcp.ResultBase // what the SDK adds to _meta
	text           json.RawMessage
	modern         bool // protocol 2026-07-28, which has further members
	cached         bool // and those about caching
}

// MarshalJSON implements [json.Marshaler].
func (r *rawResult) MarshalJSON() ([]byte, error) {
	if !r.modern {
		return r.text, nil
	}
	members := map[string]json.RawMessage{"resultType": json.RawMessage(`"complete"`)}
	if r.cached {
		members["ttlMs"], members["cacheScope"] = json.RawMessage("0"), json.RawMessage(`"private"`)
	}
	for name, value := range wirejson.Members(r.text) {
		members[name] = value
	}
	if len(r.Meta) > 0 {
		meta := map[string]any{}
		for name, value := range wirejson.Members(members["_meta"]) {
			meta[name] = json.RawMessage(value)
		}
		maps.Copy(meta, r.Meta)
		text, err := marshal(meta)
		if err != nil {
			return nil, err
		}
		members["_meta"] = text
	}
	return marshal(members)
}

func isModernRequest(req mcp.Request) bool {
	if p := req.GetParams(); p != nil {
		version, _ := p.GetMeta()[mcp.MetaKeyProtocolVersion].(string)
		return version >= version20260728
	}
	return false
}

// listed puts the definitions of mounted features, as they stand, in place of
// the SDK's idea of them.
func (s *Server) listed(res mcp.Result) mcp.Result {
	switch r := res.(type) {
	case *mcp.ListToolsResult:
		return &toolList{r, replaced(r.Tools, func(t *mcp.Tool) *catalog.Mounted {
			if own, err := s.catalog.Tool(t.Name); err == nil {
				return own.Mounted
			}
			return nil
		})}
	case *mcp.ListResourcesResult:
		return &resourceList{r, replaced(r.Resources, func(v *mcp.Resource) *catalog.Mounted {
			if own, err := s.catalog.Resource(v.URI); err == nil {
				return own.Mounted
			}
			return nil
		})}
	case *mcp.ListResourceTemplatesResult:
		templates := map[string]*catalog.Mounted{}
		for _, t := range s.catalog.Templates() {
			templates[t.URITemplate] = t.Mounted
		}
		return &templateList{r, replaced(r.ResourceTemplates, func(v *mcp.ResourceTemplate) *catalog.Mounted { return templates[v.URITemplate] })}
	case *mcp.ListPromptsResult:
		return &promptList{r, replaced(r.Prompts, func(v *mcp.Prompt) *catalog.Mounted {
			if own, err := s.catalog.Prompt(v.Name); err == nil {
				return own.Mounted
			}
			return nil
		})}
	}
	return res
}

func replaced[T any](items []T, mounted func(T) *catalog.Mounted) []any {
	list := make([]any, len(items))
	for i, item := range items {
		if list[i] = item; mounted != nil {
			if m := mounted(item); m != nil {
				list[i] = m.Definition
			}
		}
	}
	return list
}

// The lists with other items in them. The SDK's own types have the rest.
type (
	toolList struct {
		*mcp.ListToolsResult
		items []any
	}
	resourceList struct {
		*mcp.ListResourcesResult
		items []any
	}
	templateList struct {
		*mcp.ListResourceTemplatesResult
		items []any
	}
	promptList struct {
		*mcp.ListPromptsResult
		items []any
	}
)

// MarshalJSON implements [json.Marshaler].
func (l *toolList) MarshalJSON() ([]byte, error) {
	return withItems(l.ListToolsResult, "tools", l.items)
}

// MarshalJSON implements [json.Marshaler].
func (l *resourceList) MarshalJSON() ([]byte, error) {
	return withItems(l.ListResourcesResult, "resources", l.items)
}

// MarshalJSON implements [json.Marshaler].
func (l *templateList) MarshalJSON() ([]byte, error) {
	return withItems(l.ListResourceTemplatesResult, "resourceTemplates", l.items)
}

// MarshalJSON implements [json.Marshaler].
func (l *promptList) MarshalJSON() ([]byte, error) {
	return withItems(l.ListPromptsResult, "prompts", l.items)
}

func withItems(list any, name string, items []any) ([]byte, error) {
	text, err := marshal(list)
	if err != nil {
		return nil, err
	}
	encoded, err := marshal(items)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for key, value := range wirejson.Members(text) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if key == name {
			value = encoded
		}
		b.WriteString(`"` + key + `":`)
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
