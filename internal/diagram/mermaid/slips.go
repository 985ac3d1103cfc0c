package mermaid

import (
	"fmt"
	"slices"
	"strings"
)

// slip is a usual mistake that was recognised.
type slip struct {
	what string // is wrong
	hint string // what to do
	near []string
	// expected is what would have been right, where it is more to the point
	// than what the grammar says.
	expected []string
}

// statement is a place that a grammar refuses, with what stands around it.
type statement struct {
	*facts
	code  string
	lines []string
}

// slip recognises the mistakes that people and models make again and again. The first
// that fits wins, so what is surest comes first.
func (s *statement) slip() *slip {
	if s.At == nil {
		return nil
	}
	for _, recognise := range []func() *slip{
		s.fence, s.missingEnd, s.strayEnd, s.reservedEnd, s.unclosedQuote, s.unclosedPipe,
		s.surplusBracket, s.bracketsInLabel, s.unclosedBracket, s.unclosedBlock, s.otherDiagram, s.misspelt, s.semicolon, s.wrongArrow, s.missingTarget, s.missingArrow, s.missingColon, s.plainLabel,
	} {
		if found := recognise(); found != nil {
			return found
		}
	}
	return nil
}

// line is the statement's line, trimmed.
func (s *statement) line() string { return strings.TrimSpace(s.At.Source) }

// firstWord is the word that the statement begins with.
func (s *statement) firstWord() string {
	return wordStart().FindString(s.line())
}

var wordStart = pattern(`^(?:\[\*\]|[\p{L}][\p{L}\p{N}_-]*)`)

func (s *statement) atEnd() bool { return s.found() == endOfDiagram }

func (s *statement) wants(tokens ...string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(s.Expected, t) })
}

func (s *statement) fence() *slip {
	if strings.HasPrefix(s.line(), "```") || strings.HasPrefix(s.line(), "~~~") {
		return &slip{what: "a Markdown fence is no part of the diagram", hint: fenceHint}
	}
	return nil
}

func (s *statement) otherDiagram() *slip {
	first := s.firstWord()
	owner, known := owned[first]
	if !known || owner == s.Type || slices.Contains(keywords[s.Type], first) {
		if s.Type == "flowchart" && strings.Contains(s.line(), "->>") {
			owner, first = "sequenceDiagram", "->>"
		} else {
			return nil
		}
	}
	return &slip{
		what: fmt.Sprintf("%q belongs to a %s; this diagram is a %s", first, owner, s.Type),
		hint: fmt.Sprintf("Change the first line to %s, or write the statement in this type's way: %s", owner, strings.TrimPrefix(exampleOf(s.Type), "A statement here looks like: ")),
	}
}

// misspelt is a keyword with a typing error. It must not be a name that happens to
// look like one, so the statement must have no arrow.
func (s *statement) misspelt() *slip {
	word := s.firstWord()
	known := keywords[s.Type]
	if s.At.Line == s.headerLine() {
		known = nil
		if !slices.Contains(headers, word) {
			known = headers
		}
	}
	if len(word) < 3 || slices.Contains(known, word) || arrow().MatchString(s.line()) {
		return nil
	}
	close := near(word, known)
	if len(close) == 0 {
		return nil
	}
	return &slip{what: fmt.Sprintf("%q is not a keyword; did you mean %s?", word, close[0]), hint: "Correct it to " + close[0] + ".", near: close}
}

// headerLine is the line that names the type.
func (s *statement) headerLine() int {
	for i, line := range s.lines {
		word := wordStart().FindString(strings.TrimSpace(line))
		if word != "" && (slices.Contains(headers, word) || strings.HasPrefix(word, "flowchart") || strings.HasPrefix(word, "graph")) {
			return i + 1
		}
	}
	return 1
}

func (s *statement) semicolon() *slip {
	if !strings.HasPrefix(strings.TrimSpace(s.Found.Text), ";") && !(strings.HasSuffix(s.line(), ";") && s.Type != "flowchart") {
		return nil
	}
	return &slip{what: "there is a ; where none can stand", hint: "Remove the semicolon: a statement ends with its line."}
}
