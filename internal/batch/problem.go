package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
)

// Severity is how bad a problem is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // there is no picture, or the diagram is not valid
	Warning Severity = "warning" // there is one, but not all is as it was asked for
)

// Problem is something wrong at a place in a file.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line"` // in the file, from 1
	Column   int      `json:"column"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
	Type     string   `json:"diagram_type,omitempty"`
	Source   string   `json:"source,omitempty"` // the line, or what matters of it
	Caret    string   `json:"caret,omitempty"`  // stands below Source
}

// String is the problem on a line, as compilers write it.
func (p *Problem) String() string {
	text := fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
	if p.Severity == Warning {
		text += "warning: "
	}
	return strings.Join(strings.Fields(text+p.sentences()), " ")
}

// sentences are the message and the hint.
func (p *Problem) sentences() string {
	switch {
	case p.Hint == "":
		return p.Message
	case strings.HasSuffix(p.Message, ".") || strings.HasSuffix(p.Message, "?"):
		return p.Message + " " + p.Hint
	}
	return p.Message + ". " + p.Hint
}

// Cancelled reports whether the problem is that nobody waited.
func (p *Problem) Cancelled() bool { return p.Code == "CANCELLED" }

// answer is the envelope of a drawing tool, as clients see it.
type answer struct {
	Warnings []string `json:"warnings"`
	Errors   []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Details struct {
			Line   int    `json:"line"`
			Column int    `json:"column"`
			Source string `json:"source"`
			Caret  string `json:"caret"`
			Hint   string `json:"hint"`
			Type   string `json:"diagram_type"`
		} `json:"details"`
	} `json:"errors"`
	AST struct {
		Type  string `json:"type"`
		Title string `json:"title"`
	} `json:"ast"`
}

// readAnswer reads what a tool answered: its envelope, and the problems in it. picture
// is nil where there are any.
func (d *Diagram) readAnswer(res *catalog.Result, err error) (a answer, picture []byte, problems []Problem) {
	var structured any
	var cause error
	if err != nil {
		failed := catalog.AsError(err)
		cause = failed.Cause
		if failed.Envelope == nil {
			return a, nil, []Problem{d.problem(failed)}
		}
		structured = failed.Envelope
	} else {
		structured = res.Structured
	}
	text, err := json.Marshal(structured)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return a, nil, []Problem{d.problem(catalog.Internal(fmt.Errorf("a drawing tool's answer: %w", err)))}
	}
	for _, e := range a.Errors {
		p := Problem{
			File: display(d.File.Name), Severity: Error, Code: e.Code, Message: d.inFile(withoutPlace(e.Message)), Hint: d.inFile(e.Details.Hint),
			Type: e.Details.Type, Source: e.Details.Source, Caret: e.Details.Caret,
		}
		if cause != nil { // there is no log here to look into
			if why := strings.Join(strings.Fields(cause.Error()), " "); why != p.Message {
				p.Message += ": " + catalog.Clip(why, 300)
			}
			p.Hint = strings.Replace(p.Hint, "; the server's log has the details", "", 1)
		}
		p.Line, p.Column = d.Place(e.Details.Line, e.Details.Column)
		problems = append(problems, p)
	}
	if res != nil && res.Picture != nil && len(problems) == 0 {
		picture = res.Picture.Data
	}
	return a, picture, problems
}

// problem is a failure that has no envelope.
func (d *Diagram) problem(e *catalog.Error) Problem {
	p := Problem{File: display(d.File.Name), Severity: Error, Code: e.Code, Message: e.Message, Hint: e.Hint}
	if e.Type == catalog.InternalError && e.Cause != nil {
		p.Message, p.Hint = e.Cause.Error(), "" // there is no log to look into
	}
	p.Line, p.Column = d.Place(0, 0)
	return p
}

// warnings are those of an answer, at the beginning of the diagram.
func (d *Diagram) warnings(texts []string) []Problem {
	var all []Problem
	for _, text := range texts {
		p := Problem{File: display(d.File.Name), Severity: Warning, Code: "WARNING", Message: d.inFile(text)}
		p.Line, p.Column = d.Place(0, 0)
		all = append(all, p)
	}
	return all
}

// notInBuild is the problem of a diagram whose language this binary cannot draw.
func (d *Diagram) notInBuild() Problem {
	p := Problem{
		File: display(d.File.Name), Severity: Error, Code: "NOT_IN_BUILD", Message: "drawing PlantUML is not in this build of webodar",
		Hint: "webodar encode makes a link that shows the diagram.",
	}
	p.Line, p.Column = d.Place(0, 0)
	return p
}

var place = regexp.MustCompile(`^line \d+, column \d+: `)

// withoutPlace takes off a message what the problem has in members of its own.
func withoutPlace(message string) string {
	return strings.TrimPrefix(message, place.FindString(message))
}

var lineOrQuoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\bline \d+`)

// inFile makes lines of the file of the lines of a fence that a message names. What it
// quotes from the diagram stays.
func (d *Diagram) inFile(message string) string {
	if d.fence == nil {
		return message
	}
	return lineOrQuoted.ReplaceAllStringFunc(message, func(found string) string {
		number, ok := strings.CutPrefix(found, "line ")
		line, err := strconv.Atoi(number)
		if !ok || err != nil {
			return found
		}
		line, _ = d.fence.Place(line, 1)
		return "line " + strconv.Itoa(line)
	})
}

var errNoPicture = errors.New("the tool returned no picture")
