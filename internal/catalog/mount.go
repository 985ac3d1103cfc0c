package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/webodar/webodar/internal/wirejson"
)

// Mounted says that another server has a feature, and how to reach it there.
type Mounted struct {
	Server string // its name in the configuration
	// Definition is the feature as MCP lists it, under the name that it has in
	// this catalogue. Doors that speak MCP show it as it stands.
	Definition json.RawMessage
	// Forward sends a request about the feature to the server: resources/read,
	// prompts/get, completion/complete, resources/subscribe and its opposite.
	// Tools are called by their handler. params are MCP's for the method, with
	// names as in this catalogue.
	Forward func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// Kind is a kind of feature.
type Kind string

// The kinds of features.
const (
	KindTool     Kind = "tool"
	KindResource Kind = "resource"
	KindPrompt   Kind = "prompt"
)

// Mount is all that mounted servers offer together.
type Mount struct {
	Tools     []Tool
	Resources []Resource
	Templates []Template
	Prompts   []Prompt
	// Missing explains a feature that is not there although its server is
	// configured; nil when it is simply not known. May be nil.
	Missing func(kind Kind, name string) *Error
}

// Template is a family of resources that a mounted server has (RFC 6570).
type Template struct {
	URITemplate string
	// Match reports whether uri belongs to the family.
	Match   func(uri string) bool
	Mounted *Mounted
}

// SetMount replaces what was mounted before, at once, and tells the listeners.
// What the catalogue was made with stays. On error nothing changes.
func (c *Catalog) SetMount(m *Mount) error {
	return c.change(func(o *offer) { o.mount = *m })
}

// Settle has the doors wait, in [Catalog.Settled], until settled is closed, so
// that the first list that a client asks for is complete. It is called before
// the catalogue is used.
func (c *Catalog) Settle(settled <-chan struct{}) { c.settled = settled }

// Settled returns once the mounted servers have connected, or are known to be
// late, or ctx ends. Doors call it before they list.
func (c *Catalog) Settled(ctx context.Context) {
	if c.settled == nil {
		return
	}
	select {
	case <-c.settled:
	case <-ctx.Done():
	}
}

// Templates returns the resource templates in their order.
func (c *Catalog) Templates() []Template { return slices.Clone(c.current.Load().templates) }

// Template returns the first template that uri belongs to, or nil.
func (c *Catalog) Template(uri string) *Template {
	for _, t := range c.current.Load().templates {
		if t.Match(uri) {
			return &t
		}
	}
	return nil
}

// Reader returns what knows the resource at uri on a mounted server; nil where
// the resource is built in. The error is of type [ResourceNotFound].
func (c *Catalog) Reader(uri string) (*Mounted, error) {
	if c.family(uri) != nil {
		return nil, nil
	}
	r, err := c.Resource(uri)
	if err == nil {
		return r.Mounted, nil
	}
	if t := c.Template(uri); t != nil {
		return t.Mounted, nil
	}
	return nil, err
}

// explain says, of what is not in s, why; nil when nobody knows it.
func (s *snapshot) explain(kind Kind, name string) *Error {
	if s.missing == nil {
		return nil
	}
	return s.missing(kind, name)
}

// Failed returns the error for a mounted tool's own failure, for doors other
// than MCP's and for the log; nil for a success.
func (r *Result) Failed() *Error {
	if r.Wire == nil {
		return nil
	}
	details := map[string]any{}
	failed, text := false, ""
	for key, value := range wirejson.Members(r.Wire) {
		switch key {
		case "isError":
			failed = string(value) == "true"
		case "content", "structuredContent":
			details[key] = json.RawMessage(value)
			if text == "" {
				text = firstText(value)
			}
		}
	}
	if !failed {
		return nil
	}
	return &Error{
		Type: ToolError, Code: "TOOL_FAILED", Message: cmp.Or(Clip(text, 300), "the tool reports a failure"), Details: details,
	}
}

// firstText is the first text in a result's content; empty for none.
func firstText(content []byte) string {
	for item := range wirejson.Elements(content) {
		for key, value := range wirejson.Members(item) {
			if key == "text" && wirejson.Kind(value) == '"' {
				text, _, _ := wirejson.Unquote(value)
				return text
			}
		}
	}
	return ""
}

// Document is the result as REST and the command line show it.
func (r *Result) Document() any {
	if r.Wire == nil {
		return r.Structured
	}
	doc := map[string]json.RawMessage{}
	for key, value := range wirejson.Members(r.Wire) {
		if key == "content" || key == "structuredContent" {
			doc[key] = value
		}
	}
	return doc
}

// checkMounted validates the arguments of a mounted tool. Unlike those of
// built-in tools they are never changed. A schema that cannot be resolved here
// is the server's own to check.
func checkMounted(e *entry, args json.RawMessage) *Error {
	c := &checker{exact: true}
	value, err := decodeNumbers(args)
	if err != nil {
		return Internal(fmt.Errorf("arguments that passed the door do not decode: %w", err))
	}
	c.check(e.Input, value, "")
	if len(c.fields) > 0 {
		return e.admissible(invalidArguments(c.fields))
	}
	if e.input == nil {
		return nil
	}
	var plain any
	if json.Unmarshal(args, &plain) != nil { // a number beyond a float's range, which is JSON
		return nil
	}
	if e.input.Validate(plain) != nil {
		return e.admissible(invalidArguments([]Field{{Expected: "what the input schema says", Got: "object", rule: true}}))
	}
	return nil
}

// admissible marks an error whose structured form the tool's own output schema
// would reject: a client would then never see the text.
func (e *entry) admissible(err *Error) *Error {
	if e.Output == nil {
		return err
	}
	resolved, bad := e.Output.Resolve(nil)
	if bad == nil {
		var plain any
		if text, failed := json.Marshal(err.Structured()); failed == nil && json.Unmarshal(text, &plain) == nil {
			bad = resolved.Validate(plain)
		}
	}
	err.TextOnly = bad != nil
	return err
}

// offer is what a snapshot is made of.
type offer struct {
	tools     []Tool
	resources []Resource
	prompts   []Prompt
	mount     Mount
}

// change makes a new snapshot from a changed offer and tells the listeners.
func (c *Catalog) change(f func(*offer)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.offer
	f(&o)
	s, err := newSnapshot(&o, c.current.Load())
	if err != nil {
		return err
	}
	c.offer = o
	c.current.Store(s)
	for _, id := range slices.Sorted(maps.Keys(c.listeners)) {
		c.listeners[id]()
	}
	return nil
}
