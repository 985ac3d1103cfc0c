package mermaid

import (
	"fmt"
	"slices"
	"strings"
)

// blocks matches openers with ends, and gives the lines of openers left open, and of
// the first end too many.
func (s *statement) blocks() (open []int, stray int) {
	stray = -1
	for i, line := range s.lines {
		words := strings.Fields(strings.TrimSpace(line))
		if len(words) == 0 || strings.HasPrefix(words[0], "%%") {
			continue
		}
		switch first := strings.TrimRight(words[0], ";:"); {
		case first == "end" && len(words) == 1:
			if len(open) > 0 {
				open = open[:len(open)-1]
			} else if stray < 0 {
				stray = i
			}
		case slices.Contains(openers[s.Type], first) && (s.Type != "block" || words[0] != "block-beta" && i > 0):
			open = append(open, i)
		}
	}
	return open, stray
}

func (s *statement) missingEnd() *slip {
	if !s.atEnd() || openers[s.Type] == nil {
		return nil
	}
	open, _ := s.blocks()
	if len(open) == 0 {
		return nil
	}
	i := open[len(open)-1]
	return &slip{
		what: fmt.Sprintf("the diagram ends, but %q on line %d is not closed by end", clip(strings.TrimSpace(s.lines[i]), 40), i+1),
		hint: "Add a line with end after the block's last statement.",
	}
}

func (s *statement) strayEnd() *slip {
	if _, stray := s.blocks(); s.line() == "end" && stray == s.At.Line-1 {
		return &slip{what: "this end closes nothing", hint: "Remove it, or add the statement that opens the block (" + strings.Join(openers[s.Type], ", ") + ")."}
	}
	return nil
}

var endAsID = pattern(`(?:^|[\s>|&-])end(?:$|[\s\[({;&-])`)

func (s *statement) reservedEnd() *slip {
	if s.line() == "end" || s.Found.Token != "end" && !(s.Type == "flowchart" || s.Type == "sequenceDiagram") || !endAsID().MatchString(s.At.Source) {
		return nil
	}
	return &slip{
		what: `"end" is a reserved word and cannot be the id of a node or participant`,
		hint: `Write End or END, or use another id with the label in quotes: e["end"]`,
	}
}

// unclosedBlock is a { of a class, an entity or a state without its }.
func (s *statement) unclosedBlock() *slip {
	if !s.atEnd() || s.Type != "classDiagram" && s.Type != "erDiagram" && s.Type != "stateDiagram" && s.Type != "requirement" {
		return nil
	}
	depth, opened := 0, -1
	for i, line := range s.lines {
		if at := strings.LastIndexByte(line, '{'); at >= 0 && !strings.Contains(line[at:], "}") && (strings.TrimSpace(line[at+1:]) == "" || s.Type == "classDiagram") {
			depth++
			opened = i
		} else if strings.HasPrefix(strings.TrimSpace(line), "}") && depth > 0 {
			depth--
		}
	}
	if depth == 0 {
		return nil
	}
	return &slip{
		what: fmt.Sprintf("the diagram ends, but the { on line %d is not closed", opened+1),
		hint: "Add a line with } after the block's last line.",
	}
}
