package mermaid

import (
	"fmt"
	"strings"
)

func (s *statement) unclosedQuote() *slip {
	if strings.Count(s.At.Source, `"`)%2 == 0 {
		return nil
	}
	return &slip{what: `a double quote (") is opened but not closed on this line`, hint: `Add the closing quote; a quote inside a label is written #quot;`, expected: []string{`"`}}
}

// unclosedPipe is the text of a flowchart's arrow without its second |.
func (s *statement) unclosedPipe() *slip {
	column := strings.LastIndexByte(s.At.Source, '|') + 1
	if s.Type != "flowchart" || strings.Count(s.At.Source, "|")%2 == 0 {
		return nil
	}
	return &slip{what: fmt.Sprintf("the | in column %d has no partner", column), hint: "Put the arrow's text between two of them: A -->|text| B", expected: []string{"|"}}
}

// surplusBracket is a closing bracket that closes nothing.
func (s *statement) surplusBracket() *slip {
	text := firstOf(strings.TrimSpace(s.Found.Text))
	if text == "" || !strings.Contains("])}", text[:1]) {
		return nil
	}
	open := map[byte]string{']': "[", ')': "(", '}': "{"}[text[0]]
	if strings.Count(s.At.Source, text[:1]) <= strings.Count(s.At.Source, open) {
		return nil
	}
	return &slip{what: fmt.Sprintf("there is a %s that closes nothing", text[:1]), hint: "Remove it, or add the " + open + " that it closes."}
}

var pairs = map[rune]rune{'[': ']', '(': ')', '{': '}'}

// openBracket gives the column, from 1, of the first bracket that is not closed.
func openBracket(line string) (bracket rune, column int) {
	type open struct {
		r      rune
		column int
	}
	var stack []open
	quoted := false
	for i, r := range []rune(line) {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case pairs[r] != 0:
			stack = append(stack, open{r, i + 1})
		case len(stack) > 0 && r == pairs[stack[len(stack)-1].r]:
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) == 0 {
		return 0, 0
	}
	return stack[0].r, stack[0].column
}

var labelOpen = pattern(`[\p{L}\p{N}_][\[({]`)

// bracketsInLabel is a bracket or quote inside a label that has no quotes around it.
func (s *statement) bracketsInLabel() *slip {
	if s.Type != "flowchart" && s.Type != "block" && s.Type != "mindmap" || !s.wants("SQE", "PE", "DIAMOND_STOP", "TEXT") && s.Found.Token != "PS" && s.Found.Token != "SQS" {
		return nil
	}
	if !strings.ContainsAny(s.Found.Text, `()[]{}"`) || !labelOpen().MatchString(s.At.Source) {
		return nil
	}
	if b, _ := openBracket(s.At.Source); b != 0 && s.Found.Token != "PS" && s.Found.Token != "STR" {
		return nil
	}
	return &slip{
		what: quoted(s.found()) + " cannot stand in a label without quotes",
		hint: `Put the whole label in double quotes: A["text (with brackets)"]; a double quote inside is written #quot;`,
	}
}

func (s *statement) unclosedBracket() *slip {
	bracket, column := openBracket(s.At.Source)
	if bracket == 0 || bracket == '{' && (s.Type == "classDiagram" || s.Type == "erDiagram" || s.Type == "stateDiagram" || s.Type == "requirement") {
		return nil
	}
	return &slip{
		what: fmt.Sprintf("the %q in column %d is not closed", bracket, column),
		hint: fmt.Sprintf("Add the %q that closes it.", pairs[bracket]), expected: []string{string(pairs[bracket])},
	}
}

// plainLabel is a slice of a pie whose label has no quotes.
func (s *statement) plainLabel() *slip {
	if s.Type == "pie" && !strings.Contains(s.line(), `"`) && strings.Contains(s.line(), ":") {
		return &slip{what: "the slice's label has no quotes", hint: `Write it as "label" : number`}
	}
	return nil
}
