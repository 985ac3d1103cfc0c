package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/yosida95/uritemplate/v3"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// features are what a server has, as it lists it.
type features struct {
	tools, resources, templates, prompts []feature
}

// feature is one item of a list.
type feature struct {
	name       string // or URI, or URI template
	definition json.RawMessage
	match      *uritemplate.Template
	made       *made
}

// made is what publish, and nobody else, keeps of a tool from one time to the next.
type made struct {
	input  *jsonschema.Schema
	schema json.RawMessage // in place of its inputSchema, where set
	tool   *catalog.Tool   // under the name it had last
	unfit  bool            // it is left out
}

// Bounds on lists: a server that never ends one is broken.
const (
	maxPages = 200
	maxItems = 10_000
)

// list asks the server for all that it has.
func (c *connection) list(ctx context.Context) (*features, error) {
	limit := c.up.config.ConnectTimeout
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it did not list what it has within %s", limit))
	defer cancel()
	f := &features{}
	for _, l := range []struct {
		has                  bool
		method, member, name string
		into                 *[]feature
	}{
		{c.caps.Tools != nil, "tools/list", "tools", "name", &f.tools},
		{c.caps.Resources != nil, "resources/list", "resources", "uri", &f.resources},
		{c.caps.Resources != nil, "resources/templates/list", "resourceTemplates", "uriTemplate", &f.templates},
		{c.caps.Prompts != nil, "prompts/list", "prompts", "name", &f.prompts},
	} {
		if !l.has {
			continue
		}
		items, err := c.pages(ctx, l.method, l.member, l.name)
		var refused *rpcError
		if errors.As(err, &refused) { // it says it has, and has not
			c.up.log.Debug("a server refuses a list", "method", l.method, "reason", refused.Message)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.method, err)
		}
		*l.into = items
	}
	for i := range f.templates {
		t, err := uritemplate.New(f.templates[i].name)
		if err != nil {
			c.up.log.Warn("a resource template of a server cannot be read", "template", catalog.Clip(f.templates[i].name, 200))
			continue
		}
		f.templates[i].match = t
	}
	f.templates = slices.DeleteFunc(f.templates, func(t feature) bool { return t.match == nil })
	return f, nil
}

// pages reads one list to its end.
func (c *connection) pages(ctx context.Context, method, member, key string) ([]feature, error) {
	var items []feature
	seen := map[string]bool{}
	cursor := ""
	for range maxPages {
		var params map[string]any
		if cursor != "" {
			params = map[string]any{"cursor": cursor}
		}
		res, err := c.request(ctx, method, params)
		if err != nil {
			return nil, err
		}
		page := memberOf(res, member)
		if wirejson.Kind(res) != '{' || page == nil || wirejson.Kind(page) != '[' {
			return nil, &badAnswer{fmt.Sprintf("the list has no array %q", member)}
		}
		for item := range wirejson.Elements(page) {
			name := textOf(item, key)
			if name == "" || len(items) >= maxItems {
				continue
			}
			items = append(items, feature{name: name, definition: slices.Clone(item), made: &made{}})
		}
		cursor = textOf(res, "nextCursor")
		if cursor == "" {
			return items, nil
		}
		if seen[cursor] {
			return nil, &badAnswer{"the list gives the same cursor twice"}
		}
		seen[cursor] = true
	}
	return nil, &badAnswer{fmt.Sprintf("the list has more than %d pages", maxPages)}
}

// claims reports whether a name says that it is of the server.
func (s *Server) claims(kind catalog.Kind, name string) bool {
	return kind != catalog.KindResource && s.Prefix != "" && strings.HasPrefix(name, sanitize(s.Prefix)+"__")
}

// has reports whether the server has a feature that is mounted under name. f may
// be nil.
func (f *features) has(kind catalog.Kind, name string, s *Server) bool {
	if f == nil {
		return false
	}
	switch kind {
	case catalog.KindTool:
		return slices.ContainsFunc(f.tools, func(t feature) bool {
			return s.Tools.allows(t.name) && mountedName(s.Prefix, t.name) == name
		})
	case catalog.KindPrompt:
		return slices.ContainsFunc(f.prompts, func(p feature) bool { return mountedName(s.Prefix, p.name) == name })
	}
	return slices.ContainsFunc(f.resources, func(r feature) bool { return r.name == name }) ||
		slices.ContainsFunc(f.templates, func(t feature) bool { return t.match.Regexp().MatchString(name) })
}
