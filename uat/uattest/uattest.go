// Package uattest runs scenarios in Go tests.
//
//	func TestScenarios(t *testing.T) {
//		uattest.Scenarios(t, jdo.Open, "scenarios")
//	}
//
// Each scenario is a subtest, in a synctest bubble: its waits take no time. App and
// Driver are for tests that go about it step by step.
package uattest

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/webodar/webodar/uat"
)

// Driver returns a driver that logs to the test and gives each run a temporary
// directory. A nil agent is that of uat.Script.
func Driver(t testing.TB, app uat.App, agent uat.Agent) *uat.Driver {
	t.Helper()
	if agent == nil {
		agent = uat.Script()
	}
	return uat.New(app, agent, &uat.Options{Dir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
}

// App opens an instance of an app in a temporary directory, and closes it with the
// test. Its program is not started.
func App(t testing.TB, app uat.App) *uat.Instance {
	t.Helper()
	instance, err := app(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if instance.Close != nil {
		t.Cleanup(func() {
			if err := instance.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return instance
}

// Scenarios runs the scripts of the scenarios in files and directories, each as a
// subtest.
func Scenarios(t *testing.T, app uat.App, paths ...string) {
	t.Helper()
	each(t, paths, func(t *testing.T, s *uat.Scenario) {
		result, err := Driver(t, app, nil).Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range result.Errors {
			t.Error(e)
		}
		for _, c := range result.Criteria {
			if !c.Met {
				t.Errorf("%s:%d: %s; got %s", filepath.Base(s.File), c.Line, c.Criterion, c.Got)
			}
		}
		if t.Failed() {
			t.Logf("the screen at the end:\n%s", result.State.Text)
		}
	})
}

// Fails runs an agent that knows nothing of the goals against each scenario, and
// fails where it passes: such a scenario asks too little. Agents that are done at
// once and agents that act at random are worth trying.
func Fails(t *testing.T, app uat.App, agent func() uat.Agent, paths ...string) {
	t.Helper()
	each(t, paths, func(t *testing.T, s *uat.Scenario) {
		result, err := uat.New(app, agent(), &uat.Options{Dir: t.TempDir()}).Run(t.Context(), s)
		var vacuous *uat.VacuousError
		var limit *uat.StepLimitError
		switch {
		case errors.As(err, &vacuous):
			t.Error(err)
		case err != nil && !errors.As(err, &limit):
			t.Errorf("%v\n%s", err, result.State.Text)
		case result.Success:
			t.Errorf("passed, by %s", actions(result.Steps))
		}
	})
}

// DoneAtOnce is an agent that says done and nothing else.
func DoneAtOnce() uat.Agent {
	return uat.AgentFunc(func(context.Context, *uat.Scenario, uat.State, []uat.Step) (uat.Action, error) {
		return uat.Action{Type: uat.Done, Reason: "nothing to do"}, nil
	})
}

func each(t *testing.T, paths []string, run func(*testing.T, *uat.Scenario)) {
	t.Helper()
	scenarios, err := uat.LoadAll(paths...)
	if err != nil {
		t.Fatal(err)
	}
	if len(scenarios) == 0 {
		t.Fatalf("no scenario in %s", strings.Join(paths, ", "))
	}
	for _, s := range scenarios {
		name := strings.TrimSuffix(filepath.Base(s.File), filepath.Ext(s.File))
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { run(t, s) })
		})
	}
}

func actions(steps []uat.Step) string {
	list := make([]string, len(steps))
	for i, s := range steps {
		list[i] = s.Action.String()
	}
	return strings.Join(list, ", ")
}
