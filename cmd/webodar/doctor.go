package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
)

// defaultListener is where "make serve" and the examples listen.
const defaultListener = "http://127.0.0.1:8080"

func newDoctor() *cobra.Command {
	var asJSON bool
	var http, token string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this program, the MCP clients and the listener",
		Long: `Check that this program works, that the MCP clients on this machine that are
configured for it start it, and that a server at --http answers. Nothing is
changed. The exit code is 1 if a check failed; a client that is not there, or a
listener that was not asked for, is no failure.`,
		Example: `  webodar doctor
  webodar doctor --http https://diagrams.example.org --json`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return doctor(cmd, http, token, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.Flags().StringVar(&http, "http", defaultListener, "check the server at this `URL`")
	cmd.Flags().StringVar(&token, "token", "", "bearer `TOKEN` for that server (better: WEBODAR_TOKEN)")
	return cmd
}

func doctor(cmd *cobra.Command, http, token string, asJSON bool) error {
	asked := cmd.Flags().Changed("http") && http != ""
	endpoint, err := parseEndpoint(cmp.Or(http, defaultListener))
	if err != nil {
		return err
	}
	cat, err := newCatalog(cmd, nil, nil)
	if err != nil {
		return err
	}
	r := &report{}
	checkSelf(cmd.Context(), r, cat)
	checkClients(r, thisMachine())
	checkListener(cmd.Context(), r, endpoint, token, asked)
	if err := r.write(cmd.OutOrStdout(), asJSON); err != nil {
		return err
	}
	if n := r.count(failed); n > 0 {
		return fmt.Errorf("%s failed", plural(n, "check"))
	}
	return nil
}
