package uat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/uat"
)

func run(t *testing.T, f *fake, agent uat.Agent, lines string) (*uat.Result, error) {
	t.Helper()
	return uat.New(f.app, agent, &uat.Options{Dir: t.TempDir()}).Run(t.Context(), scripted(lines))
}

func TestCriteria(t *testing.T) {
	const script = "\nscript: [press: c s, type: first thing, type: second thing, press: h, press: e, press: c]"
	for criterion, want := range map[string]bool{
		"screen: chat":       true,
		"screen: ChatScreen": true,
		"screen: home":       false,

		"visited: [home, settings, chat]":               true,
		"visited: [settings, settings]":                 false,
		"path: [home, chat, settings, home, chat]":      true,
		"path: [home, chat]":                            false,
		"seen: {screen: settings}":                      true,
		"seen: {widget: {id: list, contains: nothing}}": false,

		"title: Fake":                                          true,
		"title: {equals: Fak}":                                 false,
		"focused: list":                                        true,
		"focused: input":                                       false,
		"text: what is on screen":                              true,
		"text: {lacks: what is on screen}":                     false,
		"text: {matches: '^what .* screen$'}":                  true,
		"binding: {key: c, contains: chat}":                    true,
		"binding: {key: c, absent: true}":                      false,
		"binding: {key: q}":                                    false,
		"binding: {key: q, absent: true}":                      true,
		"exited: true":                                         false,
		"no_errors: true":                                      false,
		"widget: {id: list}":                                   true,
		"widget: {id: list, type: panel}":                      false,
		"widget: {id: list, absent: true}":                     false,
		"widget: {id: gone}":                                   false,
		"widget: {id: gone, absent: true}":                     true,
		"widget: {id: list, contains: thing second}":           true,
		"widget: {id: list, equals: first thing second thing}": true,
		"widget: {id: list, contains: [first, third]}":         false,

		"extra: {name: panel.mode, equals: list}":             true,
		"extra: {name: panel.mode, lacks: list}":              false,
		"extra: {name: panel.counts.0, equals: 2}":            true,
		"extra: {name: panel.counts.1, equals: 2}":            false,
		"extra: {name: panel.none, absent: true}":             true,
		"extra: {name: panel.mode.deeper, equals: list}":      false,
		"extra: {name: panel.counts.0, at_least: 3}":          false,
		"extra: {name: panel, contains: '\"mode\":\"list\"'}": true,

		"probe: {sql: select count, equals: 2}":                             true,
		"probe: {sql: select count, equals: 2.0}":                           true,
		"probe: {sql: select count, at_least: 2, at_most: 2}":               true,
		"probe: {sql: select count, at_most: 1}":                            false,
		"probe: {sql: select half, equals: 0.50}":                           true,
		"probe: {sql: select null, equals: null}":                           true,
		"probe: {sql: select null, at_least: 0}":                            false,
		`probe: {sql: select all, equals: "0|first thing\n1|second thing"}`: true,
		"probe: {name: count, equals: 2}":                                   true,
		"probe: {name: items, contains: second}":                            true,
		"probe: {name: items, equals: second}":                              false,
	} {
		t.Run(criterion, func(t *testing.T) {
			// The second is there so that no scenario holds from the start.
			result, err := run(t, &fake{}, uat.Script(), "success_criteria:\n  - "+criterion+"\n  - visited: settings"+script)
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Criteria[0]; got.Met != want || !want && got.Got == "" {
				t.Errorf("got %+v", got)
			}
			if result.Success != want {
				t.Errorf("success is %v", result.Success)
			}
		})
	}
}

func TestProbesThatCannotBeAsked(t *testing.T) {
	for probe, want := range map[string]string{
		"{sql: BROKEN, equals: 1}":   "probe BROKEN: equals \"1\": syntax error",
		"{name: broken, equals: 1}":  "no answer",
		"{name: itens, contains: a}": "the app has no probe of that name; did you mean items?",
	} {
		result, err := run(t, &fake{}, uat.Script(), "success_criteria: [probe: "+probe+"]\nscript: [press: c]")
		if err == nil || !strings.Contains(err.Error(), want) || result.Success || len(result.Errors) != 1 {
			t.Errorf("%s: got %v, %+v", probe, err, result)
		}
	}
}

func TestPreconditions(t *testing.T) {
	f := &fake{}
	result, err := run(t, f, uat.Script(), `
preconditions:
  - sql: INSERT a
  - file: {path: sub/file.txt, content: hello}
  - command: [sh, -c, 'grep -q hello sub/file.txt && touch "$UAT_DIR/marker"']
  - press: s c
  - sql: INSERT b
success_criteria: [path: [chat, home]]
script: [press: h]
`)
	if err != nil || !result.Success {
		t.Fatalf("%v %+v", err, result)
	}
	want := []string{"INSERT a", "start", "press s", "press c", "INSERT b", "press h", "marker is there", "close surface", "close instance"}
	if diff := cmp.Diff(want, f.log); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(f.dir); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func TestPreconditionsThatFail(t *testing.T) {
	for precondition, want := range map[string]string{
		"sql: BROKEN":                           "precondition in line 4, sql BROKEN: syntax error",
		"press: x":                              "press x: no such key",
		"command: [sh, -c, 'echo why; exit 3']": "exit status 3: why",
		"command: [no-such-program]":            "no-such-program",
		"file: {path: sub, content: x}\n  - file: {path: sub/a}": "precondition in line 5, file sub/a: ",
	} {
		_, err := run(t, &fake{}, uat.Script(), "preconditions:\n  - "+precondition+"\nsuccess_criteria: [screen: chat]\nscript: [press: c]")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", precondition, err)
		}
	}
}

func TestDoneAtOnce(t *testing.T) {
	done := uat.AgentFunc(func(context.Context, *uat.Scenario, uat.State, []uat.Step) (uat.Action, error) {
		return uat.Action{Type: uat.Done}, nil
	})
	result, err := run(t, &fake{}, done, "success_criteria: [screen: home, no_errors: true, binding: {key: c}]")
	var vacuous *uat.VacuousError
	if !errors.As(err, &vacuous) || len(vacuous.Criteria) != 3 || result.Success {
		t.Errorf("got %v", err)
	}
	// What was on the first screen has not been seen.
	result, err = run(t, &fake{}, done, "success_criteria: [screen: home, seen: {screen: home}]")
	if err != nil || result.Success || !result.Criteria[0].Initially || result.Criteria[1].Met {
		t.Errorf("%v %+v", err, result)
	}
}

func TestAsserts(t *testing.T) {
	for assert, want := range map[string]string{
		"assert: {screen: chat}":                                       "",
		"assert: {screen: home}":                                       "step 2: assert screen is home: not so: ChatScreen",
		"{action_type: assert, target: screen, value: chat}":           "",
		"{action_type: assert, target: title, value: Fake}":            "",
		"{action_type: assert, target: focused, value: list}":          "",
		"{action_type: assert, target: text, value: on screen}":        "",
		"{action_type: assert, target: extra.panel.mode, value: list}": "",
		"{action_type: assert, target: binding.c}":                     "",
		"{action_type: assert, target: list}":                          "",
		"{action_type: assert, target: list, value: milk}":             `step 2: assert list "milk": not so: none`,
		"{action_type: assert, target: lost}":                          "step 2: assert lost: not so: not visible; there are list",
		"assert: {probe: {name: count, equals: 1}}":                    `step 2: assert probe count: equals "1": not so: 0`,
		"assert: {probe: {name: broken, equals: 1}}":                   "no answer",
		"assert: {visited: [home, chat]}":                              "",
	} {
		result, err := run(t, &fake{}, uat.Script(), "success_criteria: [screen: chat]\nscript:\n  - press: c\n  - "+assert+"\n  - press: c")
		if err != nil {
			t.Fatal(err)
		}
		errs := strings.Join(result.Errors, "")
		if (want == "") != result.Success || !strings.Contains(errs, want) || want == "" && len(result.Steps) != 4 || want != "" && len(result.Steps) != 2 {
			t.Errorf("%s: %d steps, %q", assert, len(result.Steps), errs)
		}
	}
}

func TestActionsThatFail(t *testing.T) {
	// A script cannot go on; an agent can.
	result, err := run(t, &fake{}, uat.Script(), "success_criteria: [screen: chat]\nscript: [press: x, press: c]")
	if err == nil || !strings.Contains(err.Error(), "agent: step 1 of the script (press x) failed: no such key") || result.Success {
		t.Errorf("%v %+v", err, result)
	}
	var outcomes []string
	agent := uat.AgentFunc(func(_ context.Context, _ *uat.Scenario, _ uat.State, history []uat.Step) (uat.Action, error) {
		if n := len(history); n > 0 {
			outcomes = append(outcomes, history[n-1].Outcome)
		}
		return []uat.Action{{Type: "jump"}, {Type: uat.Press}, {Type: uat.Press, Target: "x"}, {Type: uat.Press, Target: "c"}, {Type: uat.Done}}[len(history)], nil
	})
	result, err = run(t, &fake{}, agent, "success_criteria: [screen: chat]")
	if err != nil || !result.Success {
		t.Errorf("%v %+v", err, result)
	}
	want := []string{`unknown action type "jump"; there are press, click, type, wait, assert, done`, "a press action needs a target", "no such key", "ok"}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Error(diff)
	}
	if _, err := run(t, &fake{}, uat.Script(), "success_criteria: [screen: chat]"); err == nil || !strings.Contains(err.Error(), "the scenario has no script") {
		t.Errorf("got %v", err)
	}
}

func forever() uat.Agent {
	return uat.AgentFunc(func(_ context.Context, _ *uat.Scenario, _ uat.State, history []uat.Step) (uat.Action, error) {
		return uat.Action{Type: uat.Press, Target: []string{"c", "s"}[len(history)%2]}, nil
	})
}

func TestStepLimit(t *testing.T) {
	result, err := run(t, &fake{}, forever(), "max_steps: 3\nsuccess_criteria: [screen: home, seen: {screen: chat}]")
	var limit *uat.StepLimitError
	if !errors.As(err, &limit) || limit.Scenario != "test" || len(limit.Steps) != 3 || limit.State.Screen != "ChatScreen" || result.Success || len(result.Steps) != 3 {
		t.Errorf("%v %+v", err, result)
	}
	if result, _ := run(t, &fake{}, forever(), "success_criteria: [screen: chat]"); len(result.Steps) != uat.DefaultMaxSteps {
		t.Errorf("%d steps", len(result.Steps))
	}
}

func TestTimeout(t *testing.T) {
	const lines = "timeout_seconds: 7\nsuccess_criteria: [screen: chat]\nscript: [press: s, press: c]"
	for _, test := range []struct {
		name, during string
		steps        int
		hang         func(*fake, chan struct{}) uat.Agent
	}{
		{"deaf agent", "the agent's decision", 0, func(_ *fake, free chan struct{}) uat.Agent {
			return uat.AgentFunc(func(context.Context, *uat.Scenario, uat.State, []uat.Step) (uat.Action, error) {
				<-free
				return uat.Action{}, nil
			})
		}},
		{"agent that listens", "the agent's decision", 0, func(*fake, chan struct{}) uat.Agent {
			return uat.AgentFunc(func(ctx context.Context, _ *uat.Scenario, _ uat.State, _ []uat.Step) (uat.Action, error) {
				<-ctx.Done()
				return uat.Action{}, ctx.Err()
			})
		}},
		{"app that hangs", "press c", 2, func(f *fake, free chan struct{}) uat.Agent {
			f.perform = func(_ context.Context, a uat.Action) error {
				if a.Target == "c" {
					<-free
				}
				return nil
			}
			return uat.Script()
		}},
		{"agent that is slow, and not too slow", "", 3, func(*fake, chan struct{}) uat.Agent {
			return uat.AgentFunc(func(ctx context.Context, s *uat.Scenario, state uat.State, history []uat.Step) (uat.Action, error) {
				time.Sleep(2 * time.Second)
				return uat.Script().Next(ctx, s, state, history)
			})
		}},
		{"agent whose slowness adds up", "the agent's decision", 2, func(*fake, chan struct{}) uat.Agent {
			return uat.AgentFunc(func(ctx context.Context, s *uat.Scenario, state uat.State, history []uat.Step) (uat.Action, error) {
				time.Sleep(3 * time.Second)
				return uat.Script().Next(ctx, s, state, history)
			})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, free := &fake{}, make(chan struct{})
				begun := time.Now()
				result, err := run(t, f, test.hang(f, free), lines)
				took := time.Since(begun)
				close(free)
				time.Sleep(time.Minute) // for the call that was left behind; it takes no time here
				if test.during == "" {
					if err != nil || !result.Success {
						t.Errorf("%v %+v", err, result)
					}
					return
				}
				var timeout *uat.TimeoutError
				if !errors.As(err, &timeout) || !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("got %v", err)
				}
				if timeout.During != test.during || len(timeout.Steps) != test.steps || timeout.Scenario != "test" || timeout.State.Screen == "" || took != 7*time.Second {
					t.Errorf("after %v: %+v", took, timeout)
				}
			})
		})
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	agent := uat.AgentFunc(func(ctx context.Context, _ *uat.Scenario, _ uat.State, _ []uat.Step) (uat.Action, error) {
		cancel()
		<-ctx.Done()
		return uat.Action{}, ctx.Err()
	})
	f := &fake{}
	_, err := uat.New(f.app, agent, nil).Run(ctx, scripted("success_criteria: [screen: chat]"))
	var timeout *uat.TimeoutError
	if !errors.Is(err, context.Canceled) || errors.As(err, &timeout) || f.closed != 1 {
		t.Errorf("got %v", err)
	}
}

func TestPanics(t *testing.T) {
	f := &fake{perform: func(context.Context, uat.Action) error { panic("oh") }}
	result, err := run(t, f, uat.Script(), "success_criteria: [screen: chat]\nscript: [press: c]")
	var crash *uat.CrashError
	if !errors.As(err, &crash) || crash.Value != "oh" || crash.During != "press c" || !strings.Contains(crash.Stack, "TestPanics") || result.Success || len(result.Steps) != 1 {
		t.Errorf("%v %+v", err, result)
	}
}

func TestLog(t *testing.T) {
	var log bytes.Buffer
	f := &fake{}
	driver := uat.New(f.app, uat.Script(), &uat.Options{Logger: slog.New(slog.NewJSONHandler(&log, nil)), Dir: t.TempDir()})
	if _, err := driver.Run(t.Context(), scripted("success_criteria: [screen: chat]\nscript: [{press: c, reason: to talk}, {type: hi}]")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"msg":"step","scenario":"test","n":1,"action":"press","target":"c","value":"","reason":"to talk","ok":true,"outcome":"ok","screen":"ChatScreen"`,
		`"n":2,"action":"type","target":"","value":"hi"`, `"n":3,"action":"done"`, `"msg":"scenario ended","scenario":"test","success":true,"steps":3`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %s in\n%s", want, log.String())
		}
	}
}

func TestResultEncodesAsJSON(t *testing.T) {
	result, err := run(t, &fake{}, uat.Script(), "success_criteria: [screen: chat]\nscript: [press: c]")
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var back uat.Result
	if err := json.Unmarshal(encoded, &back); err != nil || !back.Success || back.State.Widgets[0].ID != "list" {
		t.Errorf("%v\n%s", err, encoded)
	}
}

// TestManySteps holds that what a run keeps does not grow with its states.
func TestManySteps(t *testing.T) {
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	agent := uat.AgentFunc(func(_ context.Context, _ *uat.Scenario, _ uat.State, history []uat.Step) (uat.Action, error) {
		switch len(history) {
		case 100:
			early = used()
		case 1000:
			if grown := int64(used()) - int64(early); grown > 900*1024 {
				t.Errorf("grew by %d bytes in 900 steps", grown)
			}
			return uat.Action{Type: uat.Done}, nil
		}
		return uat.Action{Type: uat.Press, Target: "c"}, nil
	})
	if result, err := run(t, &fake{}, agent, "max_steps: 2000\nsuccess_criteria: [screen: chat]"); err != nil || !result.Success {
		t.Errorf("%v", err)
	}
}
