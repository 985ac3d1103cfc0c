package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

func newDecode() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "decode [CODE|URL|-]",
		Short: "Print the PlantUML source of a link",
		Long: `Print the PlantUML source of a link to any PlantUML server, or of the code at
the end of one, exactly as it was encoded; a line break is added if the last
line has none. Without an argument, or with -, standard input holds the link.`,
		Example: `  webodar decode https://www.plantuml.com/plantuml/svg/SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80
  webodar decode - < link.txt > diagram.puml`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := decodeSource(cmd, args)
			if err != nil {
				return err
			}
			warn(cmd.ErrOrStderr(), s.Warnings)
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), s)
			}
			return writeLine(cmd.OutOrStdout(), s.PlantUMLCode)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print source and warnings as JSON")
	return cmd
}

// source is decodePlantUML's result.
type source struct {
	PlantUMLCode string   `json:"plantumlCode"`
	Warnings     []string `json:"warnings,omitempty"`
}

func decodeSource(cmd *cobra.Command, args []string) (*source, error) {
	var code string
	var err error
	if len(args) == 1 && args[0] != stdinName {
		code, err = checkText("the argument", []byte(args[0]))
	} else {
		code, err = readText(cmd, args)
	}
	if err != nil {
		return nil, err
	}
	var s source
	err = callInto(cmd, "decodePlantUML", map[string]string{"encoded": code}, &s)
	return &s, pointAtFile(err, args)
}

// pointAtFile amends the error for an argument that is no code but the name of
// a file: encode takes one, so people pass one here too.
func pointAtFile(err error, args []string) error {
	var coded *catalog.Error
	if len(args) == 0 || strings.Contains(args[0], "://") || !errors.As(err, &coded) {
		return err
	}
	if _, statErr := os.Stat(args[0]); statErr != nil {
		return err
	}
	e := *coded
	e.Hint = "There is a file of this name; to decode what it holds: webodar decode - < " + args[0]
	return &e
}
