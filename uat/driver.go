package uat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// Driver runs scenarios: one app, one agent.
type Driver struct {
	app     App
	agent   Agent
	options Options
}

// Options are what a Driver can be told; the zero value will do.
type Options struct {
	// Logger gets a line for each action and its result, at level info; states are
	// logged at level debug. The default drops them.
	Logger *slog.Logger

	// Progress is called after each step, in the run's goroutine.
	Progress func(scenario *Scenario, step Step)

	// Dir is where instances get their directories; the default is os.TempDir.
	Dir string
}

// New returns a driver.
func New(app App, agent Agent, options *Options) *Driver {
	d := &Driver{app: app, agent: agent}
	if options != nil {
		d.options = *options
	}
	if d.options.Logger == nil {
		d.options.Logger = slog.New(slog.DiscardHandler)
	}
	return d
}

// Step is one action and what came of it.
type Step struct {
	N        int           `json:"n"` // from 1
	Action   Action        `json:"action"`
	OK       bool          `json:"ok"`
	Outcome  string        `json:"outcome"` // "ok", or what went wrong
	Screen   string        `json:"screen"`  // on top after the action
	Thinking time.Duration `json:"thinking_ns"`
	Duration time.Duration `json:"duration_ns"` // of the action, with the app's settling
}

// Result is what came of a run.
type Result struct {
	Scenario string            `json:"scenario"`
	Success  bool              `json:"success"` // every criterion was met and nothing is in Errors
	Steps    []Step            `json:"steps"`
	Criteria []CriterionResult `json:"criteria"` // empty where the run ended before they were checked
	Errors   []string          `json:"errors"`
	Visited  []string          `json:"visited"` // screens in the order they came up
	Duration time.Duration     `json:"duration_ns"`
	State    State             `json:"state"` // the last one
}

// Run opens the app, runs the scenario and closes the app. The result is never nil
// and holds what was done so far.
//
// The error says why the scenario could not be played to its end: *StepLimitError,
// *TimeoutError, *VacuousError, *CrashError, or one of the agent, a precondition, a
// probe or the app's start. A scenario that was played and not fulfilled is a result
// without success and no error.
func (d *Driver) Run(ctx context.Context, scenario *Scenario) (*Result, error) {
	r := &run{Driver: d, scenario: scenario, record: newRecord(scenario), log: d.options.Logger.With("scenario", scenario.Name)}
	r.result = &Result{Scenario: scenario.Name, Steps: []Step{}, Errors: []string{}}
	begun := time.Now()
	err := scenario.Validate()
	if err == nil {
		err = r.timed(ctx)
	}
	if err != nil {
		r.result.Errors = append(r.result.Errors, err.Error())
	}
	r.result.Visited, r.result.State, r.result.Duration = r.record.visited, r.state, time.Since(begun)
	r.result.Success = len(r.result.Errors) == 0 && len(r.result.Criteria) > 0
	for _, c := range r.result.Criteria {
		r.result.Success = r.result.Success && c.Met
	}
	r.log.Info("scenario ended", "success", r.result.Success, "steps", len(r.result.Steps), "duration", r.result.Duration, "errors", r.result.Errors)
	return r.result, err
}

// run is one scenario under way.
type run struct {
	*Driver
	scenario  *Scenario
	log       *slog.Logger
	instance  *Instance
	surface   Surface
	state     State
	record    *record
	result    *Result
	initially []CriterionResult // how the criteria stood before the first step
	during    string            // what is going on, for TimeoutError
	stuck     bool              // a call into the app was left behind
}

// timed runs within the scenario's time, closes the app and names what took too long.
func (r *run) timed(outer context.Context) (err error) {
	ctx, cancel := context.WithTimeout(outer, r.scenario.timeout())
	defer cancel()
	dir, err := os.MkdirTemp(r.options.Dir, "uat-")
	if err != nil {
		return fmt.Errorf("making the app's directory: %w", err)
	}
	err = r.play(ctx, dir)
	if expired := ctx.Err(); expired != nil && err != nil {
		err = outer.Err()
		if err == nil {
			err = &TimeoutError{r.scenario.Name, r.result.Steps, r.scenario.timeout(), r.during, r.state}
		}
	}
	return errors.Join(err, r.close(dir))
}

func (r *run) close(dir string) error {
	var problems []error
	if r.surface != nil {
		problems = append(problems, r.surface.Close())
	}
	if r.instance != nil && r.instance.Close != nil {
		problems = append(problems, r.instance.Close())
	}
	if err := errors.Join(append(problems, os.RemoveAll(dir))...); err != nil && !r.stuck {
		return fmt.Errorf("closing the app: %w", err)
	}
	return nil
}

func (r *run) play(ctx context.Context, dir string) error {
	if err := r.setUp(ctx, dir); err != nil {
		return err
	}
	if err := r.refuseVacuous(ctx); err != nil {
		return err
	}
	for {
		if len(r.result.Steps) >= r.scenario.maxSteps() {
			return &StepLimitError{r.scenario.Name, r.result.Steps, r.scenario.maxSteps(), r.state}
		}
		begun := time.Now()
		action, err := within(ctx, r, "the agent's decision", func() (Action, error) {
			return r.agent.Next(ctx, r.scenario, r.state, r.result.Steps)
		})
		if err != nil {
			return fmt.Errorf("agent: %w", err)
		}
		step := Step{N: len(r.result.Steps) + 1, Action: action, Thinking: time.Since(begun)}
		begun = time.Now()
		failure := r.step(ctx, action)
		step.Duration, step.Screen = time.Since(begun), r.state.Screen
		if step.OK, step.Outcome = failure == nil, "ok"; failure != nil {
			step.Outcome = failure.Error()
		}
		r.note(step)
		var crash *CrashError
		switch {
		case errors.As(failure, &crash):
			return crash
		case ctx.Err() != nil:
			return ctx.Err()
		case action.Type == Assert && failure != nil:
			r.result.Errors = append(r.result.Errors, fmt.Sprintf("step %d: %s: %s", step.N, action, failure))
			return r.judge(ctx)
		case action.Type == Done && failure == nil:
			return r.judge(ctx)
		}
	}
}

func (r *run) note(step Step) {
	r.result.Steps = append(r.result.Steps, step)
	r.log.Info("step", "n", step.N, "action", step.Action.Type, "target", step.Action.Target, "value", step.Action.Value,
		"reason", step.Action.Reason, "ok", step.OK, "outcome", step.Outcome, "screen", step.Screen,
		"thinking", step.Thinking, "duration", step.Duration)
	r.log.Debug("state", "n", step.N, "state", r.state)
	if r.options.Progress != nil {
		r.options.Progress(r.scenario, step)
	}
}

// step performs an action. An error is the action's failure.
func (r *run) step(ctx context.Context, action Action) error {
	if err := action.Validate(); err != nil {
		return err
	}
	switch action.Type {
	case Done:
		return nil
	case Assert:
		criterion, err := action.Criterion()
		if err != nil {
			return err
		}
		result, err := within(ctx, r, action.String(), func() (CriterionResult, error) {
			return r.record.judge(ctx, criterion, &r.state, r.instance)
		})
		if err == nil && !result.Met {
			err = fmt.Errorf("not so: %s", orNone(result.Got))
		}
		return err
	case Press:
		// One by one, so that every screen on the way has been visited.
		for key := range strings.FieldsSeq(action.Target) {
			if err := r.perform(ctx, Action{Type: Press, Target: key}); err != nil {
				return err
			}
		}
		return nil
	}
	return r.perform(ctx, action)
}

func (r *run) perform(ctx context.Context, action Action) error {
	_, err := within(ctx, r, action.String(), func() (struct{}, error) {
		return struct{}{}, r.surface.Perform(ctx, action)
	})
	return errors.Join(err, r.observe(ctx))
}

func (r *run) observe(ctx context.Context) error {
	if r.stuck {
		return nil
	}
	state, err := within(ctx, r, "taking the state", func() (State, error) { return r.surface.Observe(ctx) })
	if err != nil {
		return err
	}
	r.state = state
	r.record.add(&r.state)
	return nil
}

// refuseVacuous notes which criteria hold before the first step, and refuses the
// scenario where all do.
func (r *run) refuseVacuous(ctx context.Context) error {
	if err := r.judge(ctx); err != nil {
		return err
	}
	r.initially, r.result.Criteria = r.result.Criteria, nil
	for _, c := range r.initially {
		if !c.Met {
			return nil
		}
	}
	return &VacuousError{r.scenario.Name, r.initially}
}

// judge checks all criteria against the last state and the app's data.
func (r *run) judge(ctx context.Context) error {
	results, err := within(ctx, r, "checking the criteria", func() ([]CriterionResult, error) {
		results := make([]CriterionResult, len(r.scenario.Criteria))
		for i, c := range r.scenario.Criteria {
			var err error
			if results[i], err = r.record.judge(ctx, c, &r.state, r.instance); err != nil {
				return nil, err
			}
			results[i].Initially = i < len(r.initially) && r.initially[i].Met
		}
		return results, nil
	})
	r.result.Criteria = results
	return err
}

// within makes a call that ends with the context, even where the callee does not: an
// app that hangs in an update, or an agent that does not listen, is left behind in
// its goroutine, and the run ends. A panic is an error.
func within[T any](ctx context.Context, r *run, during string, call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	r.during = during
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = &CrashError{During: during, Value: fmt.Sprint(p), Stack: string(debug.Stack())}
			}
			done <- a
		}()
		a.value, a.err = call()
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
	}
	// What has come at the same moment counts.
	select {
	case a := <-done:
		return a.value, a.err
	default:
		r.stuck = true
		var none T
		return none, ctx.Err()
	}
}
