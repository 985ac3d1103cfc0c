package mermaid

import (
	"fmt"
	"slices"
	"strings"
)

var arrow = pattern(`[-=.~<>]{2,}|->`)

var (
	shortArrow = pattern(`[\p{L}\p{N}\])}"]\s*(->|=>)\s*[\p{L}\p{N}"\[|]`)
	classOp    = pattern(`[\p{L}\p{N}~"]\s+(<\|-|[*o]-|-\|>|->|<-|-[*o])\s+[\p{L}\p{N}"]`)
	sequenceOp = pattern(`[\p{L}\p{N}"]\s*(=>+|~>|→|--->+)\s*[\p{L}\p{N}"]`)
)

func (s *statement) wrongArrow() *slip {
	var m []string
	want := ""
	switch s.Type {
	case "flowchart", "stateDiagram":
		m, want = shortArrow().FindStringSubmatch(s.line()), "-->"
	case "classDiagram":
		m, want = classOp().FindStringSubmatch(s.line()), "<|--, *--, o-- or -->"
	case "sequenceDiagram":
		m, want = sequenceOp().FindStringSubmatch(s.line()), "->>"
	}
	if m == nil {
		if strings.Contains(s.line(), "→") {
			return &slip{what: `"→" is no arrow in Mermaid`, hint: "Write --> (flowchart, state) or ->> (sequence)."}
		}
		return nil
	}
	return &slip{what: fmt.Sprintf("%q is no arrow in a %s", m[1], s.Type), hint: "Use " + want + " instead."}
}

var danglingLink = pattern(`^(.*?)\s*(?:--+[->ox]?|==+>?|-\.+-?>?|--+>?\|[^|]*\|)\s*;?$`)

func (s *statement) missingTarget() *slip {
	m := danglingLink().FindStringSubmatch(s.line())
	if m == nil || !strings.HasPrefix(s.found(), "end of") || s.Type != "flowchart" && s.Type != "stateDiagram" && s.Type != "sequenceDiagram" {
		return nil
	}
	from := wordStart().FindString(lastNode(m[1]))
	if from == "" {
		return &slip{what: "the link has no node on either side", hint: exampleOf(s.Type)}
	}
	return &slip{what: fmt.Sprintf("the link from %s ends without a target node", from), hint: fmt.Sprintf("Write the node it leads to, such as: %s --> X", from), expected: []string{"a node"}}
}

// lastNode is what stands after the last arrow in text.
func lastNode(text string) string {
	parts := arrow().Split(text, -1)
	return strings.TrimSpace(parts[len(parts)-1])
}

var twoNodes = pattern(`^([\p{L}_][\p{L}\p{N}_]*)(?:[\[({][^\])}]*[\])}]+)?\s+([\p{L}_][\p{L}\p{N}_]*)`)

func (s *statement) missingArrow() *slip {
	if arrow().MatchString(s.line()) {
		return nil
	}
	m := twoNodes().FindStringSubmatch(s.line())
	sequenceArrow := s.Type == "sequenceDiagram" && s.wants("SOLID_ARROW", "SOLID_OPEN_ARROW")
	switch {
	case m == nil || slices.Contains(keywords[s.Type], m[1]):
		if sequenceArrow {
			return &slip{what: "there is no arrow in this message", hint: exampleOf(s.Type)}
		}
	case s.Type == "flowchart" && s.At.Line != s.headerLine():
		return &slip{what: fmt.Sprintf("there is no arrow between %s and %s", m[1], m[2]), hint: fmt.Sprintf("Write %s --> %s, or put a label in brackets: %s[%s …]", m[1], m[2], m[1], m[2])}
	case sequenceArrow:
		return &slip{what: fmt.Sprintf("there is no arrow between %s and %s", m[1], m[2]), hint: fmt.Sprintf("Write %s->>%s: text", m[1], m[2])}
	case s.Type == "stateDiagram":
		return &slip{what: fmt.Sprintf("there is no arrow between %s and %s", m[1], m[2]), hint: fmt.Sprintf("Write %s --> %s", m[1], m[2])}
	case s.Type == "erDiagram" && s.wants("ZERO_OR_ONE", "ONLY_ONE", "BLOCK_START"):
		return &slip{what: fmt.Sprintf("there is no relationship between %s and %s", m[1], m[2]), hint: fmt.Sprintf("Write %s ||--o{ %s : label", m[1], m[2])}
	}
	return nil
}

func (s *statement) missingColon() *slip {
	switch {
	case s.Type == "sequenceDiagram" && s.wants("TXT") && arrow().MatchString(s.line()) && !strings.Contains(s.line(), ":"):
		return &slip{what: "the message has no text", hint: "Put a colon and the text after the participant: Alice->>Bob: text"}
	case (s.Type == "gantt" || s.Type == "journey") && s.wants("taskData"):
		return &slip{what: "the task has no data: there is no colon after its name", hint: exampleOf(s.Type)}
	case s.Type == "erDiagram" && s.wants("COLON") && strings.Contains(s.line(), "--"):
		return &slip{what: "the relationship has no label", hint: "Put a colon and a label after the second entity: CUSTOMER ||--o{ ORDER : places"}
	}
	return nil
}
