package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
)

// client is one MCP client that can be configured.
type client struct {
	name  string // on the command line
	title string
	// snippet is the configuration, a value that encodes as JSON.
	snippet func(s *setup) any
	// places are the files it may go into, the usual one first.
	places func(m *machine) []place
	// next says what to do, a line each.
	next func(s *setup, m *machine) []string
	// urls says that the client connects to URLs in its file by itself.
	urls bool
}

// clients are all clients, in the order in which they are listed. Their
// formats are those of the clients' own documentation.
var clients = []*client{
	{
		name: "claude-desktop", title: "Claude Desktop",
		snippet: func(s *setup) any { return s.mcpServers(s.bridged()) },
		places: func(m *machine) []place {
			const file = "claude_desktop_config.json"
			return append(m.packaged(file), place{m.application("Claude", file), "all projects"})
		},
		next: claudeDesktopNext,
	},
	{
		name: "claude-code", title: "Claude Code", urls: true,
		snippet: func(s *setup) any { return s.mcpServers(s.entry("http", "${WEBODAR_TOKEN}")) },
		places: func(m *machine) []place {
			user := place{m.join(m.claudeCode, ".claude.json"), "all projects"}
			return append(m.projectFile(".mcp.json"), user)
		},
		next: claudeCodeNext,
	},
	{
		name: "vscode", title: "VS Code", urls: true,
		snippet: vscodeSnippet,
		places: func(m *machine) []place {
			user := place{m.application("Code", "User", "mcp.json"), "all projects"}
			return append([]place{user}, m.projectFile(".vscode", "mcp.json")...)
		},
		next: vscodeNext,
	},
	{
		name: "cursor", title: "Cursor", urls: true,
		snippet: func(s *setup) any { return s.mcpServers(cursorEntry(s)) },
		places: func(m *machine) []place {
			user := place{m.join(m.home, ".cursor", "mcp.json"), "all projects"}
			return append([]place{user}, m.projectFile(".cursor", "mcp.json")...)
		},
		next: cursorNext,
	},
}

func clientNames() []string {
	names := make([]string, len(clients))
	for i, c := range clients {
		names[i] = c.name
	}
	return names
}

func claudeDesktopNext(s *setup, _ *machine) []string {
	steps := []string{"Then quit Claude Desktop, also from the menu bar or tray, and start it again."}
	if s.url == nil {
		return steps
	}
	steps = append(steps,
		"Claude Desktop does not connect to URLs in this file: npx (from Node.js) runs mcp-remote as a bridge.",
		"For a server on the Internet, Settings > Connectors > Add custom connector takes the URL without a",
		"bridge; it is called from Anthropic's side, so an address of this machine or network does not work there.")
	if s.token {
		steps = append(steps, "The file cannot refer to variables outside it: write the token in place of YOUR-TOKEN, and keep the file private.")
	}
	return steps
}

func claudeCodeNext(s *setup, m *machine) []string {
	add := fmt.Sprintf("claude mcp add --scope user %s -- %s serve", quote(m.os, s.name), quote(m.os, s.command))
	if s.url != nil {
		add = fmt.Sprintf("claude mcp add --scope user --transport http %s %s", quote(m.os, s.name), quote(m.os, s.url.String()))
	}
	if s.token && s.url != nil {
		variable := "$WEBODAR_TOKEN"
		if m.os == "windows" {
			variable = "%WEBODAR_TOKEN%"
		}
		return []string{
			"Set WEBODAR_TOKEN in the environment that Claude Code starts from.",
			"Or let Claude Code add it; this stores the token itself:",
			"  " + add + ` --header "Authorization: Bearer ` + variable + `"`,
			"/mcp in a session shows whether it is connected.",
		}
	}
	return []string{"Or let Claude Code add it:", "  " + add, "/mcp in a session shows whether it is connected."}
}

// vscodeSnippet is VS Code's own format. A token is asked for once and kept in
// its secret store.
func vscodeSnippet(s *setup) any {
	type input struct {
		Type        string `json:"type"`
		ID          string `json:"id"`
		Description string `json:"description"`
		Password    bool   `json:"password"`
	}
	type file struct {
		Inputs  []input           `json:"inputs,omitempty"`
		Servers map[string]*entry `json:"servers"`
	}
	f := file{Servers: map[string]*entry{s.name: vscodeEntry(s)}}
	if s.token && s.url != nil {
		f.Inputs = []input{{"promptString", "webodar-token", "Bearer token of the webodar server", true}}
	}
	return f
}

func vscodeEntry(s *setup) *entry {
	e := s.entry("http", "${input:webodar-token}")
	if s.url == nil {
		e.Type = "stdio"
	}
	return e
}

func vscodeNext(s *setup, m *machine) []string {
	steps := []string{"VS Code shows Start above the entry; MCP: List Servers shows its state and log."}
	if s.token && s.url != nil {
		return append(steps, "It asks for the token when it starts the server, and keeps it in its secret store.")
	}
	type named struct {
		Name string `json:"name"`
		*entry
	}
	text, err := json.Marshal(named{s.name, vscodeEntry(s)})
	if err != nil { // strings always encode
		return steps
	}
	return append(steps, "Or let it add the server to all projects:", "  code --add-mcp "+quote(m.os, string(text)))
}

func cursorEntry(s *setup) *entry { return s.entry("", "${env:WEBODAR_TOKEN}") }

func cursorNext(s *setup, _ *machine) []string {
	steps := []string{"Then restart Cursor; its settings list the server under MCP."}
	if s.token && s.url != nil {
		steps = append(steps, "Set WEBODAR_TOKEN in the environment that Cursor starts from.")
	}
	text, err := json.Marshal(cursorEntry(s))
	if err != nil { // strings always encode
		return steps
	}
	query := url.Values{"name": {s.name}, "config": {base64.StdEncoding.EncodeToString(text)}}
	return append(steps, "Or open this link:", "  cursor://anysphere.cursor-deeplink/mcp/install?"+query.Encode())
}
