package uat

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// StepLimitError ends a run whose agent was not done within max_steps.
type StepLimitError struct {
	Scenario string
	Steps    []Step
	Limit    int
	State    State // the last one
}

func (e *StepLimitError) Error() string {
	return fmt.Sprintf("scenario %q: not done after %d steps; the last was %s, on screen %s", e.Scenario, e.Limit, lastAction(e.Steps), orNone(e.State.Screen))
}

// TimeoutError ends a run that was not over within timeout_seconds, whoever took the
// time.
type TimeoutError struct {
	Scenario string
	Steps    []Step
	Limit    time.Duration
	During   string // what was going on: "the agent's decision", "press enter", …
	State    State  // the last one that was taken
}

func (e *TimeoutError) Error() string {
	text := fmt.Sprintf("scenario %q: not over after %v, during %s; %d steps were done, the last was %s, on screen %s",
		e.Scenario, e.Limit, e.During, len(e.Steps), lastAction(e.Steps), orNone(e.State.Screen))
	if len(e.State.Busy) > 0 {
		text += "; busy: " + strings.Join(e.State.Busy, ", ")
	}
	return text
}

// Unwrap lets errors.Is find context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// VacuousError refuses a scenario all of whose criteria hold before the first step:
// an agent that does nothing would pass.
type VacuousError struct {
	Scenario string
	Criteria []CriterionResult
}

func (e *VacuousError) Error() string {
	return fmt.Sprintf("scenario %q proves nothing: all %d of its criteria hold before the first step. "+
		"Add one that only the goal makes true, such as visited, seen or a probe", e.Scenario, len(e.Criteria))
}

// CrashError is an app or an agent that panicked.
type CrashError struct {
	During string // what was going on: "Update(tea.KeyPressMsg)", "the agent's decision"
	Value  string // what it panicked with
	Stack  string
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("panic during %s: %s", e.During, e.Value)
}

// ScenarioError is what is wrong with a scenario's file, all of it.
type ScenarioError struct {
	Problems []Problem
}

// Problem is one fault in a file. Line and Column count from 1; 0 means that it has
// no place.
type Problem struct {
	File    string
	Line    int
	Column  int
	Message string
}

// String is the problem as compilers write theirs: file:line:column: message.
func (p Problem) String() string {
	place := p.File
	if place == "" {
		place = "scenario"
	}
	if p.Line > 0 {
		place += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	return place + ": " + p.Message
}

func (e *ScenarioError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func lastAction(steps []Step) string {
	if len(steps) == 0 {
		return "none"
	}
	return steps[len(steps)-1].Action.String()
}
