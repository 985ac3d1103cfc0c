package main

import (
	"net/url"
	"strings"
)

// setup is how a client is to reach the server: by a command, or a URL.
type setup struct {
	name    string
	command string
	args    []string
	url     *url.URL // nil for a command
	token   bool     // the server at url wants one
}

// entry is one server in a client's configuration. The order of its members is
// the one that people expect.
type entry struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
}

// entry returns the entry for a client that connects to URLs, calls such a
// server httpType, and puts the token where reference stands.
func (s *setup) entry(httpType, reference string) *entry {
	if s.url == nil {
		return &entry{Command: s.command, Args: s.args}
	}
	e := &entry{Type: httpType, URL: s.url.String()}
	if s.token {
		e.Headers = map[string]string{"Authorization": "Bearer " + reference}
	}
	return e
}

// bridged returns the entry for a client that only starts commands: the npm
// package mcp-remote connects to the URL. It replaces ${…} in headers from its
// environment. The header has no space because some clients on Windows break
// arguments at spaces.
func (s *setup) bridged() *entry {
	if s.url == nil {
		return &entry{Command: s.command, Args: s.args}
	}
	e := &entry{Command: "npx", Args: []string{"-y", "mcp-remote", s.url.String()}}
	if s.url.Scheme == "http" && !isLoopback(s.url) {
		e.Args = append(e.Args, "--allow-http")
	}
	if s.token {
		e.Args = append(e.Args, "--header", "Authorization:${WEBODAR_AUTHORIZATION}")
		e.Env = map[string]string{"WEBODAR_AUTHORIZATION": "Bearer YOUR-TOKEN"}
	}
	return e
}

// mcpServers is the format that most clients share.
func (s *setup) mcpServers(e *entry) any {
	type file struct {
		Servers map[string]*entry `json:"mcpServers"`
	}
	return file{map[string]*entry{s.name: e}}
}

// quote writes an argument for the usual shell of a system.
func quote(goos, arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,=", r)
	}
	safe := arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) && !(goos == "windows" && r == '\\') }) < 0
	switch {
	case safe:
		return arg
	case goos == "windows":
		return `"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
