package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// status is the outcome of one check.
type status string

// The outcomes. Only failed makes the command fail.
const (
	passed status = "ok"
	absent status = "none" // nothing there to check
	warned status = "warn"
	failed status = "fail"
)

// finding is the outcome of one check and what to do about it.
type finding struct {
	Section string `json:"section"`
	Name    string `json:"name"`
	Status  status `json:"status"`
	Detail  string `json:"detail"`
	Hint    string `json:"hint,omitempty"`
}

// report collects findings, those of a section together.
type report struct {
	section  string
	findings []finding
}

func (r *report) begin(section string) { r.section = section }

func (r *report) add(s status, name, detail, hint string) {
	r.findings = append(r.findings, finding{r.section, name, s, detail, hint})
}

func (r *report) count(s status) int {
	n := 0
	for _, f := range r.findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// write shows the report to people, or as JSON to programs.
func (r *report) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, map[string]any{
			"version": buildVersion(), "ok": r.count(failed) == 0, "findings": r.findings,
		})
	}
	_, err := io.WriteString(w, r.text(wantsColour(w)))
	return err
}

func (r *report) text(colour bool) string {
	name := 0
	for _, f := range r.findings {
		name = max(name, len(f.Name))
	}
	var b strings.Builder
	section := ""
	for _, f := range r.findings {
		if f.Section != section {
			if section != "" {
				b.WriteByte('\n')
			}
			section = f.Section
			fmt.Fprintln(&b, section)
		}
		fmt.Fprintf(&b, "  %s  %-*s  %s\n", mark(f.Status, colour), name, f.Name, f.Detail)
		if f.Hint != "" {
			fmt.Fprintf(&b, "  %*s  hint: %s\n", 4+2+name, "", f.Hint)
		}
	}
	return b.String()
}

// mark is the sign of a status, four columns wide.
func mark(s status, colour bool) string {
	text, code := "ok  ", "32"
	switch s {
	case absent:
		text, code = "-   ", "2"
	case warned:
		text, code = "warn", "33"
	case failed:
		text, code = "FAIL", "1;31"
	}
	if !colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// wantsColour follows https://no-color.org.
func wantsColour(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
