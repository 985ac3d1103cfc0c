package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/catalog"
)

func newLicenses() *cobra.Command {
	return &cobra.Command{
		Use:     "licenses",
		Aliases: []string{"licences"},
		Short:   "Print the licences of what is in this program",
		Long: `Print the licences of the diagram engines, fonts and Go modules that are part of
this program. Its own is the MIT licence.`,
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			notices := engines.Notices()
			if notices == "" {
				return &catalog.Error{
					Code: "ENGINE_MISSING", Message: "this program was built without its notices",
					Hint: "Full builds have them; from source: make build.",
				}
			}
			_, err := io.WriteString(cmd.OutOrStdout(), notices)
			return err
		},
	}
}
