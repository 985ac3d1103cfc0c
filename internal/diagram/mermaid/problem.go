package mermaid

import "strings"

// Code classifies a problem. The names are those that clients of Mermaid printers
// know.
type Code string

// The codes of a [Problem].
const (
	InvalidInput       Code = "INVALID_INPUT"
	InputTooLarge      Code = "INPUT_TOO_LARGE"
	InvalidConfig      Code = "INVALID_CONFIG"
	ParseError         Code = "PARSE_ERROR"
	UnsupportedDiagram Code = "UNSUPPORTED_DIAGRAM"
	RenderFailed       Code = "RENDER_FAILED"
)

// Place is where something stands in the text as it was submitted. Lines and columns
// count from 1, columns in characters.
type Place struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Source string `json:"source"` // the line
}

// Problem says why there is no drawing, to whoever can do something about it.
type Problem struct {
	Code     Code     `json:"code"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
	Type     string   `json:"type,omitempty"` // of diagram, if it was recognised
	Place    *Place   `json:"place,omitempty"`
	Found    string   `json:"found,omitempty"`
	Expected []string `json:"expected,omitempty"` // in words
	Near     []string `json:"near,omitempty"`     // names that were perhaps meant
	Field    string   `json:"field,omitempty"`    // the argument at fault
	Key      string   `json:"key,omitempty"`      // the configuration's member at fault
}

func (p *Problem) Error() string { return p.Message }

var _ error = (*Problem)(nil)

// sourceWidth is how much of a source line is shown, in characters.
const sourceWidth = 160

// Details are the problem's facts for a machine, as members of a JSON object.
func (p *Problem) Details() map[string]any {
	d := map[string]any{}
	for name, value := range map[string]string{
		"hint": p.Hint, "diagram_type": p.Type, "found": p.Found, "field": p.Field, "key": p.Key,
	} {
		if value != "" {
			d[name] = value
		}
	}
	if p.Place != nil {
		source, caret := p.Place.show()
		d["line"], d["column"], d["source"], d["caret"] = p.Place.Line, p.Place.Column, source, caret
	}
	if len(p.Expected) > 0 {
		d["expected"] = p.Expected
	}
	if len(p.Near) > 0 {
		d["suggestions"] = p.Near
	}
	return d
}

// show gives the part of the line around the place, and a line that has a caret
// below it.
func (p *Place) show() (source, caret string) {
	line := []rune(p.Source)
	at := min(max(p.Column-1, 0), len(line))
	lead := ""
	if at > sourceWidth-20 {
		from := at - sourceWidth/2
		line, at, lead = line[from:], at-from, "…"
	}
	trail := ""
	if len(line) > sourceWidth {
		line, trail = line[:sourceWidth], "…"
	}
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, lead+string(line[:min(at, len(line))]))
	return lead + string(line) + trail, pad + "^"
}
