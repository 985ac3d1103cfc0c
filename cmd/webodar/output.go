package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"

	"github.com/webodar/webodar/internal/catalog"
)

// writeJSON writes v for people and programs alike: indented, and without
// HTML escapes, which would hide the arrows of diagrams.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return catalog.Internal(fmt.Errorf("encoding the result: %w", err))
	}
	return nil
}

// writeLine writes text and, if it has none, a line break at its end.
func writeLine(w io.Writer, text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// warn writes what the caller should know although the command succeeded.
func warn(errOut io.Writer, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(errOut, "warning:", w)
	}
}

// plainWidth is how wide text is where no terminal says otherwise.
const plainWidth = 80

// widthOf returns how many columns w has.
func widthOf(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return plainWidth
}

// wrap breaks text into lines of at most width characters, where words allow.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
