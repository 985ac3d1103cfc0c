package uat

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxScenarioBytes bounds a scenario's file.
const MaxScenarioBytes = 1 << 20

// Load reads a scenario from a file; see Read.
func Load(file string) (*Scenario, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxScenarioBytes+1))
	if err != nil {
		return nil, err
	}
	return Read(file, data)
}

// Read reads a scenario from YAML, JSON included. A faulty one is a *ScenarioError
// with all faults, each with line and column; unknown keys are faults. The file's
// name is for messages.
func Read(file string, data []byte) (*Scenario, error) {
	r := &reader{file: file}
	fail := func(line, column int, format string, args ...any) (*Scenario, error) {
		return nil, &ScenarioError{[]Problem{{file, line, column, fmt.Sprintf(format, args...)}}}
	}
	if len(data) > MaxScenarioBytes {
		return fail(0, 0, "over %d bytes", MaxScenarioBytes)
	}
	parsed, err := parse(data)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			position := at.GetToken().Position
			return fail(position.Line, position.Column, "%s", at.GetMessage())
		}
		return fail(0, 0, "%s", err)
	}
	var bodies []ast.Node
	for _, doc := range parsed.Docs {
		if doc.Body != nil && doc.Body.Type() != ast.CommentType {
			bodies = append(bodies, doc.Body)
		}
	}
	switch len(bodies) {
	case 0:
		return fail(1, 1, "no scenario; it needs name, goal and success_criteria")
	case 1:
	default:
		at := bodies[1].GetToken().Position
		return fail(at.Line, at.Column, "a second document; a file holds one scenario")
	}
	s := node{bodies[0], r}.scenario()
	s.File = file
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return nil, &ScenarioError{r.problems}
	}
	return s, nil
}

// parse is the YAML parser; should it panic, the text is at fault.
func parse(data []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("not readable as YAML: %v", r)
		}
	}()
	return parser.ParseBytes(data, 0)
}

var scenarioKeys = []string{"name", "description", "goal", "preconditions", "success_criteria", "max_steps", "timeout_seconds", "script", "tags"}

func (n node) scenario() *Scenario {
	s := &Scenario{}
	given := map[string]bool{}
	for _, e := range n.entries("a scenario") {
		given[e.name] = true
		switch e.name {
		case "name":
			s.Name = e.value.text("name")
		case "description":
			s.Description = e.value.text("description")
		case "goal":
			s.Goal = e.value.text("goal")
		case "preconditions":
			for _, item := range e.value.items("preconditions") {
				s.Preconditions = append(s.Preconditions, item.precondition())
			}
		case "success_criteria":
			items := e.value.items("success_criteria")
			if _, isList := e.value.Node.(*ast.SequenceNode); isList && len(items) == 0 {
				e.value.problem("success_criteria has none; without any the scenario would always pass")
			}
			for _, item := range items {
				s.Criteria = append(s.Criteria, item.criterion())
			}
		case "max_steps":
			s.MaxSteps = e.value.whole("max_steps", maxMaxSteps)
		case "timeout_seconds":
			seconds := e.value.number("timeout_seconds")
			if s.Timeout = time.Duration(seconds * float64(time.Second)); !(seconds > 0) || seconds > maxTimeout.Seconds() {
				e.value.problem("timeout_seconds is over 0 and up to %v", maxTimeout.Seconds())
			}
		case "script":
			items := e.value.items("script")
			for i, item := range items {
				a := item.action()
				if a.Type == Done && i < len(items)-1 {
					item.problem("nothing after done is performed")
				}
				s.Script = append(s.Script, a)
			}
		case "tags":
			s.Tags = e.value.texts("tags")
		default:
			e.key.problem("unknown key %q%s", e.name, suggest(e.name, scenarioKeys))
		}
	}
	for _, key := range []string{"name", "goal", "success_criteria"} {
		if !given[key] && (len(given) > 0 || len(n.reader.problems) == 0) {
			n.problem("the scenario has no %s", key)
		}
	}
	return s
}

var preconditionKeys = []string{"sql", "file", "command", "press", "click", "type", "wait"}

func (n node) precondition() Precondition {
	p := Precondition{Line: n.position().Line}
	before := len(n.reader.problems)
	list := n.entries("a precondition")
	for _, e := range list {
		switch {
		case e.name == "sql":
			p.SQL = e.value.text("sql")
		case e.name == "command":
			p.Command = e.value.texts("command")
		case e.name == "file":
			p.File = &File{}
			for _, m := range e.value.entries("file") {
				switch m.name {
				case "path":
					p.File.Path = m.value.text("path")
				case "content":
					p.File.Content, _ = m.value.scalar()
				default:
					m.key.problem("unknown key %q in file%s", m.name, suggest(m.name, []string{"path", "content"}))
				}
			}
		case slices.Contains(names(ActionTypes()), e.name), slices.Contains(longActionKeys, e.name):
			if p.Action == nil { // its other keys belong to it
				a := n.action()
				p.Action = &a
			}
		default:
			e.key.problem("unknown precondition %q%s", e.name, suggest(e.name, preconditionKeys))
		}
	}
	if err := p.Validate(); err != nil && len(n.reader.problems) == before {
		n.problem("%s", err)
	}
	return p
}
