package batch

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Report is what a check found.
type Report struct {
	Files    int       `json:"files"`
	Diagrams int       `json:"diagrams"`
	Problems []Problem `json:"problems"`
}

// Errors counts the problems that are errors.
func (r *Report) Errors() int {
	n := 0
	for _, p := range r.Problems {
		if p.Severity == Error {
			n++
		}
	}
	return n
}

// ReportFormats are the formats of [Report.Write].
var ReportFormats = []string{"text", "json", "sarif", "github"}

// Write writes the report: text has a line for each problem; json is the report itself;
// sarif is for code scanning; github is for the log of a GitHub workflow, which shows
// each problem at its line. version is this program's.
func (r *Report) Write(w io.Writer, format, version string) error {
	switch format {
	case "json":
		return writeJSON(w, struct {
			OK bool `json:"ok"`
			*Report
		}{r.Errors() == 0, r})
	case "sarif":
		return writeJSON(w, r.sarif(version))
	}
	for i := range r.Problems {
		line := r.Problems[i].String()
		if format == "github" {
			line = r.Problems[i].command()
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Escapes of GitHub's workflow commands, in data and in properties.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// command is the problem as a GitHub workflow command.
func (p *Problem) command() string {
	message := p.Message
	if p.Hint != "" {
		message += "\n" + p.Hint
	}
	return fmt.Sprintf("::%s file=%s,line=%d,col=%d,title=%s::%s", p.Severity, commandProperty.Replace(p.File), p.Line, p.Column,
		commandProperty.Replace("webodar: "+p.Code), commandData.Replace(message))
}
