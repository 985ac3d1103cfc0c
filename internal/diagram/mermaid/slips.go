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

var arrow = pattern(`[-=.~<>]{2,}|->`)

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

// plainLabel is a slice of a pie whose label has no quotes.
func (s *statement) plainLabel() *slip {
	if s.Type == "pie" && !strings.Contains(s.line(), `"`) && strings.Contains(s.line(), ":") {
		return &slip{what: "the slice's label has no quotes", hint: `Write it as "label" : number`}
	}
	return nil
}
