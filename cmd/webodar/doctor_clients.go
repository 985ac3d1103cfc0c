package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// clientFile is what the clients' files have in common. Members of other types
// than these are another program's business and must not stop the check.
type clientFile struct {
	MCPServers map[string]json.RawMessage `json:"mcpServers"`
	Servers    map[string]json.RawMessage `json:"servers"`
	Projects   map[string]json.RawMessage `json:"projects"` // Claude Code's
}

// checkClients looks for webodar in the configuration files of all clients.
func checkClients(r *report, m *machine) {
	r.begin("MCP clients")
	for _, c := range clients {
		before := len(r.findings)
		found := false
		for _, p := range c.places(m) {
			found = checkPlace(r, c, p, m) || found
		}
		switch {
		case len(r.findings) > before:
		case found:
			r.add(absent, c.name, "installed, webodar is not configured", "To add it: webodar config "+c.name)
		default:
			r.add(absent, c.name, "no configuration file", "")
		}
	}
}

// checkPlace reports on one file, and whether there is one.
func checkPlace(r *report, c *client, p place, m *machine) bool {
	data, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	where := fmt.Sprintf("%s (%s)", p.path, p.scope)
	if err != nil {
		r.add(warned, c.name, unreadable(where, err).Message, "")
		return true
	}
	servers, err := serversIn(data, m)
	if err != nil {
		r.add(failed, c.name, fmt.Sprintf("%s: %v", where, err), "Correct the file; the client ignores it as it is.")
		return true
	}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if e := servers[name]; isOurs(name, e) {
			s, detail, hint := checkEntry(c, e)
			r.add(s, c.name, fmt.Sprintf("%s: %q %s", where, name, detail), hint)
		}
	}
	return true
}

// serversIn returns the servers that a client's file configures for the user
// and for the project of m.
func serversIn(data []byte, m *machine) (map[string]*entry, error) {
	var file clientFile
	if err := json.Unmarshal(plainJSON(data), &file); err != nil {
		return nil, readableJSON(err)
	}
	servers := map[string]*entry{}
	collect := func(list map[string]json.RawMessage) {
		for name, text := range list {
			e := &entry{}
			if json.Unmarshal(text, e) == nil {
				servers[name] = e
			}
		}
	}
	collect(file.MCPServers)
	collect(file.Servers)
	for _, dir := range []string{m.project, m.workDir} {
		var project clientFile
		if json.Unmarshal(file.Projects[dir], &project) == nil {
			collect(project.MCPServers)
		}
	}
	return servers, nil
}

// readableJSON words an error without Go's types.
func readableJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON: %w at offset %d", err, syntax.Offset)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%s is not an object", cmp.Or(kind.Field, "the file"))
	}
	return err
}

// isOurs reports whether an entry stands for this program.
func isOurs(name string, e *entry) bool {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(strings.ReplaceAll(e.Command, `\`, "/"))), ".exe")
	return base == "webodar" || strings.Contains(strings.ToLower(name), "webodar")
}

// checkEntry says whether a client can use the entry.
func checkEntry(c *client, e *entry) (s status, detail, hint string) {
	again := "Put in what this prints: webodar config " + c.name
	if e.Command == "" {
		u, err := url.Parse(e.URL)
		switch {
		case err != nil || u.Host == "":
			return failed, "has neither a command nor a URL", again
		case !c.urls:
			return warned, "connects to " + e.URL, c.title + " does not connect to URLs in this file. " + again
		}
		return passed, "connects to " + e.URL, ""
	}
	path, err := exec.LookPath(e.Command)
	if err != nil {
		return failed, fmt.Sprintf("starts %s, which is not there or cannot be run", e.Command), again
	}
	detail = "starts " + strings.Join(append([]string{e.Command}, e.Args...), " ")
	if strings.TrimSuffix(filepath.Base(e.Command), ".exe") != "webodar" { // a bridge, a container
		return passed, detail, ""
	}
	if !slices.Contains(e.Args, "serve") {
		return failed, detail + `, without "serve"`, again
	}
	if exe, err := os.Executable(); err == nil && !sameFile(path, exe) {
		return warned, detail + ", another binary than this one", "If that is not intended: webodar config " + c.name
	}
	return passed, detail, ""
}
