package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

func newConfig() *cobra.Command {
	var name, http string
	var token presence
	cmd := &cobra.Command{
		Use:   "config [CLIENT]",
		Short: "Print what to put into an MCP client's configuration",
		Long: `Print what to put into the configuration of an MCP client, so that it starts
webodar, or with --http connects to one that runs. Clients: ` + strings.Join(clientNames(), ", ") + `.

Standard output gets the JSON; standard error says where it belongs. No file is
changed.`,
		Example: `  webodar config claude-desktop
  webodar config cursor --http http://127.0.0.1:8080
  webodar config vscode --http https://diagrams.example.org --token`,
		Args:      atMost(1),
		ValidArgs: clientNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listClients(cmd.OutOrStdout())
			}
			s, err := newSetup(cmd, name, http, bool(token))
			if err != nil {
				return err
			}
			return printConfig(cmd, args[0], s)
		},
	}
	cmd.Flags().StringVar(&name, "name", "webodar", "what the client calls the server")
	cmd.Flags().StringVar(&http, "http", "", "connect to the server at this `URL` instead of starting one")
	cmd.Flags().Var(&token, "token", "with --http: have the client send a bearer token (the token itself is not printed)")
	cmd.Flags().Lookup("token").NoOptDefVal = "true"
	return cmd
}

func printConfig(cmd *cobra.Command, name string, s *setup) error {
	c, err := findClient(name)
	if err != nil {
		return err
	}
	if err := writeJSON(cmd.OutOrStdout(), c.snippet(s)); err != nil {
		return err
	}
	notes := cmd.ErrOrStderr()
	m := thisMachine()
	places := c.places(m)
	target := "one of these files"
	if len(places) == 1 {
		target = "this file"
	}
	fmt.Fprintf(notes, "\n%s: put this into %s, beside the servers that are there:\n", c.title, target)
	for _, p := range places {
		fmt.Fprintf(notes, "  %s  (%s)\n", p.path, p.scope)
	}
	for _, step := range c.next(s, m) {
		fmt.Fprintln(notes, step)
	}
	if s.url != nil && s.token && s.url.Scheme == "http" && !isLoopback(s.url) {
		warn(notes, []string{"http to another machine sends the token unencrypted; use https"})
	}
	if s.url == nil && isTemporary(s.command) {
		warn(notes, []string{"this binary is a temporary one of go run; install webodar first"})
	}
	return nil
}

func listClients(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Clients:\n")
	for _, c := range clients {
		fmt.Fprintf(&b, "  webodar config %-16s %s\n", c.name, c.title)
	}
	b.WriteString("\nAny other client: start \"webodar serve\" for MCP over stdio, or connect by\nstreamable HTTP to http://127.0.0.1:8080/mcp after \"webodar serve --http 8080\".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func findClient(name string) (*client, error) {
	for _, c := range clients {
		if c.name == name {
			return c, nil
		}
	}
	msg := fmt.Sprintf("client %q is not known", catalog.Clip(name, 100))
	if near := catalog.Suggest(name, clientNames()); len(near) > 0 {
		return nil, usageError{fmt.Errorf("%s; did you mean %s?", msg, strings.Join(near, " or "))}
	}
	return nil, usageError{fmt.Errorf("%s; known are %s", msg, strings.Join(clientNames(), ", "))}
}

// newSetup checks the flags and finds out what a client must start. Settings
// that this command was given are those that the server is to have.
func newSetup(cmd *cobra.Command, name, http string, token bool) (*setup, error) {
	if strings.TrimSpace(name) == "" {
		return nil, usageError{fmt.Errorf("--name %q: want a name", name)}
	}
	s := &setup{name: name, token: token}
	if http != "" {
		u, err := parseEndpoint(http)
		s.url = u
		return s, err
	}
	command, err := selfPath()
	if err != nil {
		return nil, fmt.Errorf("finding the path of this program: %w", err)
	}
	s.command, s.args = command, []string{"serve"}
	for _, flag := range []string{"config", "plantuml-url"} {
		f := cmd.Flags().Lookup(flag)
		if !f.Changed {
			continue
		}
		value := f.Value.String()
		if flag == "config" { // clients start the server in a directory of their own
			if value, err = filepath.Abs(value); err != nil {
				return nil, err
			}
		}
		s.args = append(s.args, "--"+flag, value)
	}
	return s, nil
}
