package uat

import (
	"context"
	"fmt"
)

// Agent decides what to do next. It is asked until it says Done, an assert fails or
// a limit is reached; an action that failed is in the history for it to react to.
type Agent interface {
	// Next returns one action. The history holds every step so far, oldest first;
	// it is the driver's, to be read until Next returns. An error ends the run.
	Next(ctx context.Context, scenario *Scenario, state State, history []Step) (Action, error)
}

// AgentFunc is a function as an agent.
type AgentFunc func(ctx context.Context, scenario *Scenario, state State, history []Step) (Action, error)

// Next calls the function.
func (f AgentFunc) Next(ctx context.Context, scenario *Scenario, state State, history []Step) (Action, error) {
	return f(ctx, scenario, state, history)
}

// Script is the agent that performs the script of each scenario it is given, and
// then is done. It stops at an action that failed, since what follows in a script
// relies on it. It keeps no state: one may serve many runs.
func Script() Agent { return AgentFunc(nextInScript) }

func nextInScript(_ context.Context, scenario *Scenario, _ State, history []Step) (Action, error) {
	if len(scenario.Script) == 0 {
		return Action{}, fmt.Errorf("the scenario has no script; add one, or run it with another agent")
	}
	if n := len(history); n > 0 && !history[n-1].OK {
		return Action{}, fmt.Errorf("step %d of the script (%s) failed: %s", n, history[n-1].Action, history[n-1].Outcome)
	}
	if len(history) < len(scenario.Script) {
		return scenario.Script[len(history)], nil
	}
	return Action{Type: Done, Reason: "the script has ended"}, nil
}
