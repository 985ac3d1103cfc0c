package gateway

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/parser"
)

// ParseOptions say where values come from.
type ParseOptions struct {
	// Env looks a variable up for ${NAME}; nil knows none.
	Env func(name string) (string, bool)
}

// Error says where a configuration is wrong.
type Error struct {
	Line    int    // from 1; 0 when it is not about a line
	Key     string // as in mcpServers.files.timeout
	Message string
}

func (e *Error) Error() string {
	switch {
	case e.Line > 0 && e.Key != "":
		return fmt.Sprintf("line %d: %s: %s", e.Line, e.Key, e.Message)
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return e.Message
}

// Parse reads the members mcpServers and servers of a JSON or YAML file, as
// Claude Desktop, Claude Code, Cursor and VS Code write them. Others are not
// looked at. The error is an *[Error].
func Parse(data []byte, opts *ParseOptions) (*Config, error) {
	env := func(string) (string, bool) { return "", false }
	if opts != nil && opts.Env != nil {
		env = opts.Env
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxError(err)
	}
	config := &Config{}
	d := &decoder{env: env, config: config}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return config, nil
	}
	root, bad := d.members(value{node: file.Docs[0].Body})
	if bad != nil {
		return nil, bad
	}
	names := map[string]string{}
	for _, m := range root {
		if m.name != "mcpServers" && m.name != "servers" {
			continue
		}
		servers, bad := d.members(m.value)
		if bad != nil {
			return nil, bad
		}
		for _, s := range servers {
			if before, taken := names[s.name]; taken {
				return nil, s.errorf("there is a server of this name in %s already", before)
			}
			names[s.name] = m.name
			server, bad := d.server(s)
			if bad != nil {
				return nil, bad
			}
			if server != nil {
				config.Servers = append(config.Servers, server)
			}
		}
	}
	slices.Sort(config.Secrets)
	config.Secrets = slices.Compact(config.Secrets)
	return config, nil
}

// foreign are keys of other programs' files that are right there and mean
// nothing here.
var foreign = []string{
	"autoApprove", "alwaysAllow", "autoStart", "description", "dev", "disabledTools", "envFile", "gallery", "icon",
	"metadata", "trust", "version",
}

var serverName = regexp.MustCompile(`^[^\x00-\x1f]{1,100}$`)

// server decodes one entry; nil for one that is switched off.
func (d *decoder) server(m member) (*Server, *Error) {
	if !serverName.MatchString(m.name) {
		return nil, m.errorf("a server's name has 1 to 100 characters and no line breaks")
	}
	s := defaults(m.name)
	kind, disabled := "", false
	bad := d.object(m.value, map[string]func(value) *Error{
		"type":      d.text(&kind),
		"transport": d.text(&kind),
		"command":   d.text(&s.Command),
		"args":      d.texts(&s.Args),
		"env":       d.textMap(&s.Env),
		"cwd":       d.text(&s.Cwd),
		"url":       d.text(&s.URL),
		"headers":   d.textMap(&s.Headers),
		"disabled":  d.flag(&disabled),
		"prefix":    d.text(&s.Prefix),
		"tools": d.nested(map[string]func(value) *Error{
			"allow":    d.patterns(&s.Tools.Allow),
			"deny":     d.patterns(&s.Tools.Deny),
			"describe": d.textMap(&s.Tools.Describe),
			"timeout":  d.durations(&s.Tools.Timeout),
		}),
		"timeout":        d.duration(&s.Timeout),
		"connectTimeout": d.duration(&s.ConnectTimeout),
		"callsInFlight":  d.count(&s.CallsInFlight, 1),
		"retry":          d.nested(map[string]func(value) *Error{"attempts": d.count(&s.Retry.Attempts, 1)}),
		"health": d.nested(map[string]func(value) *Error{
			"interval": d.duration(&s.Health.Interval),
			"timeout":  d.duration(&s.Health.Timeout),
		}),
		"restart": d.nested(map[string]func(value) *Error{"maxPerMinute": d.count(&s.Restart.MaxPerMinute, 1)}),
		"breaker": d.nested(map[string]func(value) *Error{
			"enabled":     d.flag(&s.Breaker.Enabled),
			"failureRate": d.share(&s.Breaker.FailureRate),
			"minCalls":    d.count(&s.Breaker.MinCalls, 1),
			"window":      d.duration(&s.Breaker.Window),
			"openFor":     d.duration(&s.Breaker.OpenFor),
		}),
	}, foreign)
	if bad == nil {
		bad = s.check(m, kind)
	}
	if bad != nil {
		return nil, bad
	}
	if disabled {
		return nil, nil
	}
	d.config.Secrets = append(d.config.Secrets, s.secretsOf()...)
	return s, nil
}

// check refuses what makes no sense together.
func (s *Server) check(m member, kind string) *Error {
	switch kind {
	case "", "stdio", "http", "streamable-http", "streamableHttp", "streamable_http":
	case "sse":
		s.SSE = true
	default:
		return m.errorf("type %q is not known: want stdio, http or sse", kind)
	}
	switch {
	case s.Command == "" && s.URL == "":
		return m.errorf("has neither command nor url: give a command to start, or the url of a running server")
	case s.Command != "" && s.URL != "":
		return m.errorf("has both command and url: give one")
	case kind == "stdio" && s.URL != "":
		return m.errorf("type stdio needs a command, not a url")
	case kind != "" && kind != "stdio" && s.Command != "":
		return m.errorf("type %s needs a url, not a command", kind)
	case s.URL == "" && len(s.Headers) > 0:
		return m.errorf("headers are for a url; a command takes env")
	case s.URL != "" && (len(s.Args) > 0 || len(s.Env) > 0 || s.Cwd != ""):
		return m.errorf("args, env and cwd are for a command; a url takes headers")
	}
	if s.URL != "" {
		u, err := url.Parse(s.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return m.errorf("url: want one such as http://127.0.0.1:9000/mcp, got %q", withoutQuery(s.URL))
		}
		// Some clients' files give no type, and this path is the custom.
		s.SSE = s.SSE || kind == "" && strings.HasSuffix(u.Path, "/sse")
	}
	if !prefixed.MatchString(s.Prefix) {
		s.Prefix = sanitize(s.Prefix)
	}
	return nil
}

var prefixed = regexp.MustCompile(`^[A-Za-z0-9_-]{0,40}$`)

// withoutQuery takes off what of a URL may hold a secret.
func withoutQuery(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		before, _, _ := strings.Cut(text, "?")
		return before
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	return u.String()
}

// allows reports whether a tool is mounted.
func (r *ToolRules) allows(name string) bool {
	match := func(pattern string) bool {
		// A slash is a character like others here.
		ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
		return ok && err == nil
	}
	return (len(r.Allow) == 0 || slices.ContainsFunc(r.Allow, match)) && !slices.ContainsFunc(r.Deny, match)
}
