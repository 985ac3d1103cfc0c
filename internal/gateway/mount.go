package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
)

// mounting builds what the catalogue is to offer from what the servers have.
type mounting struct {
	gateway *Gateway
	tools   map[string]bool
	prompts map[string]bool
	uris    map[string]bool
	mount   catalog.Mount
	clashes []string
}

// publish brings the catalogue in line with the servers. Of those that call it while it
// runs, one does it for all.
func (g *Gateway) publish() {
	call := g.wanted.Add(1)
	g.publishing.Lock()
	defer g.publishing.Unlock()
	if g.published >= call {
		return
	}
	g.published = g.wanted.Load()
	m := &mounting{gateway: g, tools: map[string]bool{}, prompts: map[string]bool{}, uris: map[string]bool{}}
	for _, t := range g.catalog.Tools() {
		m.tools[t.Name] = t.Mounted == nil
	}
	for _, p := range g.catalog.Prompts() {
		m.prompts[p.Name] = p.Mounted == nil
	}
	for _, r := range g.catalog.Resources() {
		m.uris[r.URI] = r.Mounted == nil
	}
	for _, u := range g.all() {
		u.mu.Lock()
		f, offered := u.features, u.offered
		u.mu.Unlock()
		switch {
		case offered:
			m.add(u, f)
		case f != nil:
			// Names stay with their server while that is away: a call meant for it
			// must not reach another.
			kept := m.mount
			m.add(u, f)
			m.mount = kept
		}
	}
	m.mount.Missing = g.missing
	g.mu.Lock()
	fresh := slices.DeleteFunc(slices.Clone(m.clashes), func(c string) bool { return slices.Contains(g.clashes, c) })
	g.clashes = m.clashes
	g.mu.Unlock()
	for _, c := range fresh {
		g.opts.Logger.Warn("name clash", "resolved", c)
	}
	if err := g.catalog.SetMount(&m.mount); err != nil {
		// Names and schemas were made fit above.
		g.opts.Logger.Error("mounting", "err", err)
	}
}

func (m *mounting) add(u *upstream, f *features) {
	s := u.config
	for _, t := range f.tools {
		if !s.Tools.allows(t.name) {
			continue
		}
		if tool := m.tool(u, t); tool != nil {
			m.mount.Tools = append(m.mount.Tools, *tool)
		}
	}
	for _, p := range f.prompts {
		name := m.free(m.prompts, "prompt", u, p.name)
		mounted := u.mounted(withMembers(p.definition, map[string]json.RawMessage{"name": mustJSON(name)}))
		mounted.Forward = u.forward("prompt "+name, p.name)
		prompt := catalog.Prompt{Name: name, Title: textOf(p.definition, "title"), Description: textOf(p.definition, "description"), Mounted: mounted}
		// What a client must give is the server's to say.
		m.mount.Prompts = append(m.mount.Prompts, prompt)
	}
	for _, r := range f.resources {
		if m.uris[r.name] {
			m.clashes = append(m.clashes, fmt.Sprintf("resource %s of server %s is hidden by one of the same URI", r.name, u.name))
			continue
		}
		m.uris[r.name] = true
		mounted := u.mounted(r.definition)
		mounted.Forward = u.forward("resource "+r.name, r.name)
		m.mount.Resources = append(m.mount.Resources, catalog.Resource{
			URI: r.name, Name: cmp.Or(textOf(r.definition, "name"), r.name), Title: textOf(r.definition, "title"),
			Description: textOf(r.definition, "description"), MIMEType: textOf(r.definition, "mimeType"), Mounted: mounted,
		})
	}
	for _, t := range f.templates {
		if m.uris[t.name] {
			m.clashes = append(m.clashes, fmt.Sprintf("resource template %s of server %s is hidden by the same of another", t.name, u.name))
			continue
		}
		m.uris[t.name] = true
		mounted := u.mounted(t.definition)
		mounted.Forward = u.forward("a resource of "+t.name, t.name)
		m.mount.Templates = append(m.mount.Templates, catalog.Template{
			URITemplate: t.name, Match: t.match.Regexp().MatchString, Mounted: mounted,
		})
	}
}

// free returns the name for a feature, and reports what it had to do for it.
func (m *mounting) free(names map[string]bool, kind string, u *upstream, own string) string {
	taken := func(name string) bool { return names[name] }
	want := mountedName(u.config.Prefix, own)
	name := want
	if taken(name) && u.config.Prefix != u.name {
		name = mountedName(sanitize(u.name), own) // the server's name tells them apart better than a number
	}
	if name = freeName(name, taken); name != want {
		m.clashes = append(m.clashes, fmt.Sprintf("%s %s of server %s is called %s, since %s is taken", kind, own, u.name, name, want))
	}
	names[name] = true
	return name
}

func (u *upstream) mounted(definition json.RawMessage) *catalog.Mounted {
	return &catalog.Mounted{Server: u.name, Definition: definition}
}

// tool gives the catalogue tool of a server's; nil for what is none.
func (m *mounting) tool(u *upstream, t feature) *catalog.Tool {
	if t.made.input == nil {
		u.readInput(t)
	}
	if t.made.unfit {
		return nil
	}
	name := m.free(m.tools, "tool", u, t.name)
	if t.made.tool == nil || t.made.tool.Name != name {
		t.made.tool = u.tool(t, name)
	}
	return t.made.tool
}

// readInput reads a tool's input schema.
func (u *upstream) readInput(t feature) {
	schema := memberOf(t.definition, "inputSchema")
	t.made.input = &jsonschema.Schema{}
	if schema == nil || json.Unmarshal(schema, t.made.input) != nil {
		// A dialect that is not known here: the server checks for itself.
		t.made.input = &jsonschema.Schema{}
	}
	kind := memberOf(schema, "type")
	switch {
	case textOf(schema, "type") == "object":
		return
	case kind != nil:
		u.log.Warn("a tool's input schema is of no object; the tool is left out", "tool", catalog.Clip(t.name, 100), "type", catalog.Clip(string(kind), 40))
		t.made.unfit = true
		return
	case schema == nil:
		t.made.schema = json.RawMessage(`{"type":"object"}`)
	default:
		t.made.schema = withMembers(schema, map[string]json.RawMessage{"type": mustJSON("object")})
	}
	t.made.input.Type = "object"
}

// tool makes a catalogue tool of one that was read.
func (u *upstream) tool(t feature, name string) *catalog.Tool {
	replaced := map[string]json.RawMessage{"name": mustJSON(name)}
	if t.made.schema != nil {
		replaced["inputSchema"] = t.made.schema
	}
	description := textOf(t.definition, "description")
	if own, ok := u.config.Tools.Describe[t.name]; ok {
		description = own
		replaced["description"] = mustJSON(own)
	}
	hints := memberOf(t.definition, "annotations")
	is := func(hint string, otherwise bool) bool {
		if v := memberOf(hints, hint); v != nil {
			return string(v) == "true"
		}
		return otherwise
	}
	tool := &catalog.Tool{
		Name: name, Title: cmp.Or(textOf(t.definition, "title"), textOf(hints, "title"), name), Description: description,
		Input: t.made.input, Exposure: catalog.Guarded, Timeout: u.config.Tools.Timeout[t.name],
		Hints: catalog.Hints{
			ReadOnly: is("readOnlyHint", false), Destructive: is("destructiveHint", true),
			Idempotent: is("idempotentHint", false), OpenWorld: is("openWorldHint", true),
		},
		Mounted: u.mounted(withMembers(t.definition, replaced)),
	}
	if output := memberOf(t.definition, "outputSchema"); output != nil {
		s := &jsonschema.Schema{}
		if json.Unmarshal(output, s) == nil {
			tool.Output = s
		}
	}
	safe := tool.Hints.ReadOnly || tool.Hints.Idempotent
	own, what := t.name, "tool "+name
	tool.Handler = func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
		res, err := u.do(ctx, &job{
			method: "tools/call", name: own, label: own, what: what, params: catalog.RequestOf(ctx).Params,
			replaced: map[string]json.RawMessage{"name": mustJSON(own), "arguments": args}, safe: safe,
		})
		if err != nil {
			return nil, err
		}
		return &catalog.Result{Wire: res}, nil
	}
	return tool
}

// forward is how requests about something other than a tool reach the server.
// All of them only read. own is what the server calls it.
func (u *upstream) forward(what, own string) func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		replaced := map[string]json.RawMessage{}
		name := textOf(params, "uri")
		switch method {
		case "resources/subscribe":
			if !u.gateway.subscribe(u, name, 1) {
				return json.RawMessage("{}"), nil
			}
		case "resources/unsubscribe":
			if !u.gateway.subscribe(u, name, -1) {
				return json.RawMessage("{}"), nil
			}
		case "prompts/get":
			name = own
			replaced["name"] = mustJSON(own)
		case "completion/complete":
			if ref := memberOf(params, "ref"); textOf(ref, "type") == "ref/prompt" {
				replaced["ref"] = withMembers(ref, map[string]json.RawMessage{"name": mustJSON(own)})
			}
		}
		return u.do(ctx, &job{method: method, name: name, label: own, what: what, params: params, replaced: replaced, safe: true})
	}
}
