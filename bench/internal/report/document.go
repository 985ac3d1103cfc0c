package report

import (
	"fmt"
	"os"
	"strings"
	"text/template"
)

// Write fills in a page and writes it to a file. The page must be a sound template: it is
// part of the program.
func Write(path, page string, data map[string]any) error {
	var text strings.Builder
	err := template.Must(template.New("").Parse(page)).Execute(&text, data)
	if err == nil {
		err = os.WriteFile(path, []byte(text.String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	return nil
}
