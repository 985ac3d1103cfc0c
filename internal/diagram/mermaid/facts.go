package mermaid

import (
	"fmt"
	"slices"
	"strings"
)

// facts are what the script side knows of a failure (errors.js).
type facts struct {
	Kind    string `json:"kind"` // parser, lexer, yaml, unknown, semantic, draw, config
	Name    string `json:"name"` // of the exception
	Message string `json:"message"`
	Type    string `json:"type"`
	Word    string `json:"word"` // that stands where a type of diagram should
	At      *Place `json:"at"`
	Found   struct {
		Token string `json:"token"`
		Text  string `json:"text"`
	} `json:"found"`
	Expected []string `json:"expected"` // names of tokens
	Key      string   `json:"key"`      // of the configuration
}

// problem makes sentences of facts.
func (f *facts) problem(code string) *Problem {
	p := &Problem{Code: ParseError, Type: f.Type, Place: f.At}
	switch f.Kind {
	case "unknown":
		f.unknown(p, code)
	case "yaml":
		p.Type = ""
		p.Message = "the front matter is not valid YAML: " + f.Message
		p.Hint = "Correct the YAML between the two --- lines; quote values that contain : or brackets."
	case "parser", "lexer":
		f.syntax(p, code)
	case "config":
		p.Code, p.Field, p.Key, p.Place = InvalidConfig, "config_json", f.Key, nil
		p.Message = "mermaid does not accept this configuration: " + firstLine(f.Message)
		p.Hint = "Check the values in config_json, colours above all."
	case "draw":
		p.Code = RenderFailed
		p.Message = "mermaid could not draw the diagram: " + firstLine(f.Message)
		p.Hint = "The source was understood, so what it asks for cannot be drawn: look for unusual values in styles, shapes and configuration."
	default:
		f.semantic(p)
	}
	if p.Place != nil {
		p.Message = fmt.Sprintf("line %d, column %d: %s", p.Place.Line, p.Place.Column, p.Message)
	}
	return p
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return clip(strings.TrimRight(s, "."), 300)
}

// unknown is about a text whose type of diagram mermaid does not recognise.
func (f *facts) unknown(p *Problem, code string) {
	for _, foreign := range foreigners {
		if foreign.is(f.Word) {
			p.Message, p.Hint = foreign.what, foreign.hint
			if foreign.unsupported {
				p.Code = UnsupportedDiagram
			}
			return
		}
	}
	p.Code = UnsupportedDiagram
	if f.Word == "" {
		p.Code, p.Message = ParseError, "there is no diagram: nothing is left but comments, directives or front matter"
		p.Hint = "Write the type of diagram first, such as: flowchart TD"
		return
	}
	p.Found = f.Word
	p.Near = near(strings.TrimRight(f.Word, ":;"), headers)
	p.Message = fmt.Sprintf("%q is not a type of diagram that mermaid knows", clip(f.Word, 60))
	switch {
	case len(p.Near) > 0:
		p.Message += "; did you mean " + strings.Join(p.Near, " or ") + "?"
		p.Hint = "Correct the first word of the diagram to " + p.Near[0] + "."
	case f.At != nil && looksLikeStatement(f.At.Source):
		p.Message = "the diagram does not begin with its type"
		p.Hint = "Put the type on the first line, such as: flowchart TD"
	default:
		p.Hint = "Begin with one of " + strings.Join(headers[:12], ", ") + " …"
	}
}

func looksLikeStatement(line string) bool {
	return strings.Contains(line, "--") || strings.Contains(line, "->") || strings.Contains(line, ":")
}

// syntax is about a text that the type's grammar refuses.
func (f *facts) syntax(p *Problem, code string) {
	p.Found = f.found()
	p.Expected = inWords(f.Type, f.Expected)
	s := &statement{facts: f, code: code, lines: splitLines(code)}
	if slip := s.slip(); slip != nil {
		p.Message, p.Hint, p.Near = slip.what, slip.hint, slip.near
		if slip.expected != nil {
			p.Expected = slip.expected
		}
		return
	}
	p.Message = "unexpected " + quoted(p.Found)
	if len(p.Expected) > 0 {
		p.Message += "; expected " + orList(p.Expected)
	}
	p.Hint = exampleOf(f.Type)
}

// found is what stood at the place, in words.
func (f *facts) found() string {
	text := strings.TrimSpace(f.Found.Text)
	switch {
	case text != "" && !slices.Contains(lineEnds, f.Found.Token):
		return clip(firstOf(text), 40)
	case strings.HasPrefix(f.Found.Token, "EOF"), f.Found.Token == "1", text == "" && f.Found.Token == "":
		return endOfDiagram
	}
	return endOfLine
}

const (
	endOfDiagram = "end of the diagram"
	endOfLine    = "end of the line"
)

// quoted puts what was found between marks that do not need escapes in JSON.
func quoted(found string) string {
	if found == endOfDiagram || found == endOfLine {
		return found
	}
	return "‘" + found + "’"
}

// firstOf is the first line of a token.
func firstOf(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(text)
}

var lineEnds = []string{"NEWLINE", "NL", "SPACELINE"}

// semantic is about a text that is well-formed and says something impossible.
func (f *facts) semantic(p *Problem) {
	p.Message = firstLine(f.Message)
	switch {
	case f.Type == "---":
		p.Type, p.Message = "", "the front matter is not closed, or not at the very start"
		p.Hint = "Put --- alone on the first line and again, with the same indentation, on the line after the YAML."
	case strings.Contains(p.Message, "No such shape"):
		p.Hint = "Use a shape that mermaid has, such as rect, rounded, stadium, cyl, circle, diam, hex, doc."
	case strings.Contains(p.Message, "inactivate an inactive"):
		p.Message = "a participant is deactivated that is not active: " + p.Message
		p.Hint = "Remove this deactivate (or the - after the arrow), or activate the participant before."
	case strings.Contains(p.Message, "Invalid date"):
		p.Message = "this is no date that gantt understands: " + strings.TrimSpace(strings.TrimPrefix(p.Message, "Invalid date:"))
		p.Hint = "Write dates in the form that dateFormat says, such as 2026-01-31 for YYYY-MM-DD."
	case strings.Contains(p.Message, "linkStyle"), f.At != nil && strings.HasPrefix(strings.TrimSpace(f.At.Source), "linkStyle"):
		p.Message = "there is no link with this number: " + clip(strings.TrimSpace(f.sourceLine()), 60)
		p.Hint = "linkStyle counts the links from 0 in the order they are written; use an existing number."
	case strings.Contains(p.Message, "Edge limit exceeded"):
		p.Hint = `Pass config_json {"maxEdges": 2000}, or another number up to 100000, or split the diagram.`
	case strings.Contains(p.Message, "Negative values"):
		p.Hint = "Slices of a pie must be 0 or more."
	case f.Name != "" && f.Name != "Error" && strings.HasSuffix(f.Name, "Error") && isInternal(f.Name):
		p.Message = "mermaid cannot make sense of this statement (" + clip(p.Message, 120) + ")"
		p.Hint = exampleOf(f.Type)
	default:
		p.Hint = "The syntax is right, what the statement says is not possible; correct or remove it."
	}
	p.Message = strings.TrimPrefix(p.Message, "Error: ")
}

func (f *facts) sourceLine() string {
	if f.At == nil {
		return f.Message
	}
	return f.At.Source
}

// isInternal reports whether an exception is one that the language raises.
func isInternal(name string) bool {
	return name == "TypeError" || name == "ReferenceError" || name == "RangeError" || name == "SyntaxError"
}

// orList joins words for reading.
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// splitLines cuts at every line break that mermaid knows.
func splitLines(code string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(code), "\n")
}
