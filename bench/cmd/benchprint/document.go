package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"text/template"
)

//go:embed print.md.tmpl
var page string

func document(path, rows, figures, machine string, rounds int) error {
	var text strings.Builder
	err := template.Must(template.New("").Parse(page)).Execute(&text, map[string]any{
		"Comparison": rows, "Figures": figures, "Machine": machine, "Rounds": rounds,
	})
	if err == nil {
		err = os.WriteFile(path, []byte(text.String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	return nil
}
