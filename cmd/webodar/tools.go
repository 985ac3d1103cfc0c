package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

func newTools() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the tools",
		Long: `List the tools that agents and "webodar call" can use. As JSON, each comes with
its input and output schema.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cat, err := newCatalog(cmd, nil, nil)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), describe(cat.Tools()))
			}
			return writeTools(cmd.OutOrStdout(), cat.Tools(), widthOf(cmd.OutOrStdout()))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the tools as JSON, as GET /api/tools does, with their output schemas")
	return cmd
}

// described is REST's discovery document and the output schema, which REST may
// not add.
type described struct {
	ID           string             `json:"id"`
	Name         string             `json:"name"`
	Description  string             `json:"description"`
	InputSchema  *jsonschema.Schema `json:"inputSchema"`
	OutputSchema *jsonschema.Schema `json:"outputSchema,omitempty"`
}

func describe(tools []*catalog.Tool) map[string][]described {
	list := make([]described, len(tools))
	for i, t := range tools {
		list[i] = described{t.Name, t.Name, t.Description, t.Input, t.Output}
	}
	return map[string][]described{"tools": list}
}

// narrowest is the least width of a column of descriptions; below it they
// stand under the names.
const narrowest = 30

// writeTools writes a table of name, title and description, no wider than
// width unless a word is.
func writeTools(w io.Writer, tools []*catalog.Tool, width int) error {
	name, title := len("NAME"), len("TITLE")
	for _, t := range tools {
		name, title = max(name, len(t.Name)), max(title, len(t.Title))
	}
	var b strings.Builder
	indent := name + 2 + title + 2
	if width-indent < narrowest {
		for _, t := range tools {
			fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Title)
			for _, line := range wrap(t.Description, width-2) {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
	} else {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", name, "NAME", title, "TITLE", "DESCRIPTION")
		for _, t := range tools {
			lines := wrap(t.Description, width-indent)
			fmt.Fprintf(&b, "%-*s  %-*s  %s\n", name, t.Name, title, t.Title, lines[0])
			for _, line := range lines[1:] {
				fmt.Fprintf(&b, "%*s%s\n", indent, "", line)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
