package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/encoder"
)

func newEncode() *cobra.Command {
	var code, asJSON bool
	var format string
	cmd := &cobra.Command{
		Use:   "encode [FILE|-]",
		Short: "Turn a PlantUML file into a link",
		Long: `Turn a PlantUML file, or standard input, into a link that shows the diagram.
The link holds the whole diagram: nothing is sent anywhere until it is opened.`,
		Example: `  webodar encode diagram.puml
  webodar encode --format png diagram.puml
  echo 'Bob -> Alice : hello' | webodar encode`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf(cmd, "code", "json"); err != nil {
				return err
			}
			link, err := encodeLink(cmd, args, format)
			if err != nil {
				return err
			}
			warn(cmd.ErrOrStderr(), link.Warnings)
			switch {
			case asJSON:
				return writeJSON(cmd.OutOrStdout(), link)
			case code:
				return writeLine(cmd.OutOrStdout(), link.Encoded)
			}
			return writeLine(cmd.OutOrStdout(), link.URL)
		},
	}
	cmd.Flags().BoolVar(&code, "code", false, "print only the code at the end of the link")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print link, code, format and warnings as JSON")
	cmd.Flags().StringVar(&format, "format", encoder.DefaultFormat, "what the link shows: svg, png, txt and others that PlantUML servers know")
	completeWith(cmd, "format", encoder.Formats())
	return cmd
}

// link is encodePlantUML's result.
type link struct {
	URL      string   `json:"url"`
	Encoded  string   `json:"encoded"`
	Format   string   `json:"format"`
	Warnings []string `json:"warnings,omitempty"`
}

// encodeLink has the catalogue encode, so that limits and codes are those of
// every door. The tool knows one format; other links differ in that part only.
func encodeLink(cmd *cobra.Command, args []string, format string) (*link, error) {
	base, err := cmd.Flags().GetString("plantuml-url")
	if err != nil {
		return nil, err
	}
	opts := &encoder.Options{BaseURL: base, Format: format}
	if err := (&encoder.Options{Format: format}).Validate(); err != nil {
		return nil, usageError{fmt.Errorf("--format %s: want one of %s", format, strings.Join(encoder.Formats(), ", "))}
	}
	source, err := readText(cmd, args)
	if err != nil {
		return nil, err
	}
	var l link
	if err := callInto(cmd, "encodePlantUML", map[string]string{"plantumlCode": source}, &l); err != nil {
		return nil, err
	}
	if format != l.Format {
		if l.URL, _, err = encoder.URL(source, opts); err != nil {
			return nil, err
		}
		l.Format = format
	}
	return &l, nil
}
