package uat

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Defaults and bounds of a scenario's limits.
const (
	DefaultMaxSteps = 50
	DefaultTimeout  = 120 * time.Second
	maxMaxSteps     = 100_000
	maxTimeout      = 24 * time.Hour
)

// Scenario is one thing a user wants to do, and how to know that it was done.
// [Read] makes it of YAML; scenario.schema.json describes that.
type Scenario struct {
	Name          string // unique among scenarios that run together
	Description   string
	Goal          string // what the agent is to achieve, in words
	Preconditions []Precondition
	Criteria      []*Criterion // all must hold when the agent is done
	MaxSteps      int          // 0 means DefaultMaxSteps
	Timeout       time.Duration
	Script        []Action // what the agent of Script does
	Tags          []string

	File string // where it was read from; may be empty
}

// Precondition is done before the agent's first step. Exactly one member is set. The
// program is started before the first action, or after the last precondition: what
// stands before finds the app set up and not running.
type Precondition struct {
	SQL     string   // statements for the instance's database
	File    *File    // a file in the instance's directory
	Command []string // a program and its arguments, run in the instance's directory
	Action  *Action  // press, click, type or wait

	Line int // where it stands in the scenario's file, from 1
}

// File is a file to be written.
type File struct {
	Path    string // relative, within the directory
	Content string
}

// String is the precondition on one line.
func (p Precondition) String() string {
	switch {
	case p.SQL != "":
		return "sql " + cut(strings.Join(strings.Fields(p.SQL), " "), 60)
	case p.File != nil:
		return "file " + p.File.Path
	case len(p.Command) > 0:
		return "command " + strings.Join(p.Command, " ")
	case p.Action != nil:
		return p.Action.String()
	}
	return "nothing"
}

// Validate reports everything that is wrong with a scenario, whatever the app.
func (s *Scenario) Validate() error {
	var problems []error
	problem := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if strings.TrimSpace(s.Name) == "" {
		problem("a scenario needs a name")
	}
	if len(s.Criteria) == 0 {
		problem("a scenario needs success_criteria; without any it would always pass")
	}
	if s.MaxSteps < 0 || s.MaxSteps > maxMaxSteps {
		problem("max_steps is from 1 to %d, not %d", maxMaxSteps, s.MaxSteps)
	}
	if s.Timeout < 0 || s.Timeout > maxTimeout {
		problem("timeout_seconds is over 0 and up to %v, not %v", maxTimeout.Seconds(), s.Timeout.Seconds())
	}
	for i, c := range s.Criteria {
		if c == nil {
			problem("success_criteria[%d] is nil", i)
		} else if err := c.Validate(); err != nil {
			problem("success_criteria[%d]: %w", i, err)
		}
	}
	for i, p := range s.Preconditions {
		if err := p.Validate(); err != nil {
			problem("preconditions[%d]: %w", i, err)
		}
	}
	for i, a := range s.Script {
		if err := a.Validate(); err != nil {
			problem("script[%d]: %w", i, err)
		} else if a.Type == Done && i < len(s.Script)-1 {
			problem("script[%d]: nothing after done is performed", i)
		}
	}
	return errors.Join(problems...)
}

// Validate reports what is wrong with a precondition.
func (p Precondition) Validate() error {
	given := 0
	for _, is := range []bool{p.SQL != "", p.File != nil, len(p.Command) > 0, p.Action != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return errors.New("a precondition is one of sql, file, command, press, click, type, wait")
	case p.File != nil && !filepath.IsLocal(p.File.Path):
		return fmt.Errorf("file path %q leaves the app's directory; give a relative path within it", p.File.Path)
	case len(p.Command) > 0 && p.Command[0] == "":
		return errors.New("command names no program")
	case p.Action != nil && (p.Action.Type == Assert || p.Action.Type == Done):
		return fmt.Errorf("%s is no precondition; it belongs into the script", p.Action.Type)
	case p.Action != nil:
		return p.Action.Validate()
	}
	return nil
}

func (s *Scenario) maxSteps() int {
	if s.MaxSteps == 0 {
		return DefaultMaxSteps
	}
	return s.MaxSteps
}

func (s *Scenario) timeout() time.Duration {
	if s.Timeout == 0 {
		return DefaultTimeout
	}
	return s.Timeout
}
