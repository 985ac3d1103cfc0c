package uat_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/uat"
)

const full = `# all there is
name: everything
description: |
  Two lines
  of it.
goal: Do it all.
tags: [a, b]
max_steps: 12
timeout_seconds: 1.5
preconditions:
  - sql: INSERT INTO t VALUES (1)
  - file: {path: a/b.txt, content: hello}
  - command: [echo, hi]
  - press: c down
    reason: on the way
  - type: text
    target: prompt
  - wait: 20
success_criteria:
  - screen: chat
  - visited: [home, chat]
  - path: home
  - title: Chat
  - focused: prompt
  - text: {contains: [a, b], lacks: c, matches: "x+"}
  - widget: {id: list, type: list, equals: 007}
  - widget: {id: gone, absent: true}
  - binding: {key: esc, contains: back}
  - extra: {name: a.b, equals: null}
  - no_errors: true
  - exited: true
  - probe: {sql: SELECT 1, equals: 1}
  - probe: {name: count, at_least: 1, at_most: 2.5}
  - seen: {screen: home}
script:
  - press: ctrl+s
  - click: "#ok"
  - type: 42
  - wait: 0
  - assert: {screen: chat}
  - {action_type: assert, target: text, value: hello}
  - {action_type: assert, expect: {screen: chat}}
  - {action_type: wait, value: 5}
  - done: enough
`

func scalar(s string) *uat.Scalar { v := uat.Scalar(s); return &v }
func number(v float64) *float64   { return &v }

func TestRead(t *testing.T) {
	got, err := uat.Read("full.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := &uat.Scenario{
		Name: "everything", Description: "Two lines\nof it.\n", Goal: "Do it all.", Tags: []string{"a", "b"},
		MaxSteps: 12, Timeout: 1500 * time.Millisecond, File: "full.yaml",
		Preconditions: []uat.Precondition{
			{SQL: "INSERT INTO t VALUES (1)", Line: 11},
			{File: &uat.File{Path: "a/b.txt", Content: "hello"}, Line: 12},
			{Command: []string{"echo", "hi"}, Line: 13},
			{Action: &uat.Action{Type: uat.Press, Target: "c down", Reason: "on the way"}, Line: 14},
			{Action: &uat.Action{Type: uat.Type, Target: "prompt", Value: "text"}, Line: 16},
			{Action: &uat.Action{Type: uat.Wait, Value: "20"}, Line: 18},
		},
		Criteria: []*uat.Criterion{
			{Screen: "chat", Line: 20},
			{Visited: []string{"home", "chat"}, Line: 21},
			{Path: []string{"home"}, Line: 22},
			{Title: &uat.Match{Contains: uat.Texts{"Chat"}}, Line: 23},
			{Focused: "prompt", Line: 24},
			{Text: &uat.Match{Contains: uat.Texts{"a", "b"}, Lacks: uat.Texts{"c"}, Matches: "x+"}, Line: 25},
			{Widget: &uat.WidgetCriterion{ID: "list", Type: "list", Match: uat.Match{Equals: scalar("007")}}, Line: 26},
			{Widget: &uat.WidgetCriterion{ID: "gone", Absent: true}, Line: 27},
			{Binding: &uat.BindingCriterion{Key: "esc", Match: uat.Match{Contains: uat.Texts{"back"}}}, Line: 28},
			{Extra: &uat.ExtraCriterion{Name: "a.b", Match: uat.Match{Equals: scalar("null")}}, Line: 29},
			{NoErrors: true, Line: 30},
			{Exited: true, Line: 31},
			{Probe: &uat.Probe{SQL: "SELECT 1", Match: uat.Match{Equals: scalar("1")}}, Line: 32},
			{Probe: &uat.Probe{Name: "count", Match: uat.Match{AtLeast: number(1), AtMost: number(2.5)}}, Line: 33},
			{Seen: &uat.Criterion{Screen: "home", Line: 34}, Line: 34},
		},
		Script: []uat.Action{
			{Type: uat.Press, Target: "ctrl+s"},
			{Type: uat.Click, Target: "#ok"},
			{Type: uat.Type, Value: "42"},
			{Type: uat.Wait, Value: "0"},
			{Type: uat.Assert, Expect: &uat.Criterion{Screen: "chat", Line: 40}},
			{Type: uat.Assert, Target: "text", Value: "hello"},
			{Type: uat.Assert, Expect: &uat.Criterion{Screen: "chat", Line: 42}},
			{Type: uat.Wait, Value: "5"},
			{Type: uat.Done, Reason: "enough"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	if err := schema(t).Validate(decoded(t, full)); err != nil {
		t.Errorf("the schema refuses it: %v", err)
	}
}

// faulty are scenarios with one fault each, in success_criteria where only that is
// given; the message is what the reader says of it. What the schema cannot tell is
// marked.
var faulty = []struct {
	name, yaml, message string
	beyondSchema        bool
}{
	{"empty", "", "f.yaml:1:1: no scenario; it needs name, goal and success_criteria", true},
	{"no mapping", "- a", `f.yaml:1:1: a scenario is a mapping of keys to values, not a list`, false},
	{"broken", "name: [", "f.yaml:1:7: ", true},
	{"tab", "name: x\n\tgoal: y", "f.yaml:2:1: ", true},
	{"two documents", "name: a\n---\nname: b", "f.yaml:3:5: a second document; a file holds one scenario", true},
	{"same key twice", "name: a\nname: b", "f.yaml:2:1: ", true},
	{"unknown key", "name: n\ngoal: g\nsucces_criteria: []", `f.yaml:3:1: unknown key "succes_criteria"; did you mean success_criteria?`, false},
	{"no criteria", "name: n\ngoal: g", "the scenario has no success_criteria", false},
	{"no criterion", "name: n\ngoal: g\nsuccess_criteria: []", "f.yaml:3:19: success_criteria has none; without any the scenario would always pass", false},
	{"blank name", "name: ' '\ngoal: g\nsuccess_criteria: [screen: a]", "f.yaml:1:7: name is empty", false},
	{"steps", "name: n\ngoal: g\nsuccess_criteria: [screen: a]\nmax_steps: 0", "f.yaml:4:12: max_steps is a whole number from 1 to 100000", false},
	{"time", "name: n\ngoal: g\nsuccess_criteria: [screen: a]\ntimeout_seconds: soon", `f.yaml:4:18: timeout_seconds is a number, not "soon"`, false},
	{"alias", "name: &n n\ngoal: *n\nsuccess_criteria: [screen: a]", "which scenarios do not have", true},

	{"unknown criterion", "- screem: a", `f.yaml:4:3: unknown criterion "screem"; did you mean screen?`, false},
	{"strange criterion", "- everything_fine: true", `f.yaml:4:3: unknown criterion "everything_fine"; there are screen,`, false},
	{"two in one", "- screen: a\n  title: b", "f.yaml:4:3: one criterion has screen and title; write a criterion for each", false},
	{"no errors, no", "- no_errors: false", "f.yaml:4:14: no_errors can only be true; leave it out otherwise", false},
	{"text asks nothing", "- text: {}", "f.yaml:4:3: text asks for nothing", false},
	{"unknown matcher", "- text: {contain: a}", `f.yaml:4:10: unknown key "contain" in text; did you mean contains?`, false},
	{"matches nothing", "- title: {contains: []}", "contains lists nothing", false},
	{"no regexp", "- text: {matches: '('}", "matches is no regular expression", true},
	{"widget without id", "- widget: {contains: a}", "a widget criterion needs id", false},
	{"absent and text", "- widget: {id: a, absent: true, contains: b}", `widget a cannot be absent and contains "b"`, false},
	{"bounds", "- probe: {name: p, at_least: 3, at_most: 2}", "at_least 3 is over at_most 2", true},
	{"probe asks nothing", "- probe: {sql: SELECT 1}", "probe asks for nothing", false},
	{"probe of both", "- probe: {sql: SELECT 1, name: a, equals: 1}", "a probe has either sql or name", false},
	{"seen probe", "- seen: {probe: {sql: SELECT 1, equals: 1}}", "seen is about what the screen showed; it cannot hold probe", false},
	{"impossible path", "- path: [a, a]", "path has a twice in a row, which no run can show", true},

	{"unknown action", "- screen: a\nscript:\n  - pres: a", `f.yaml:6:5: unknown action "pres"; did you mean press?`, false},
	{"long unknown action", "- screen: a\nscript:\n  - {action_type: jump}", `unknown action type "jump"`, false},
	{"two actions", "- screen: a\nscript:\n  - press: a\n    click: b", "one action is press and click; write an item for each", false},
	{"empty press", "- screen: a\nscript:\n  - press:", "f.yaml:6:", false},
	{"type nothing", "- screen: a\nscript:\n  - {action_type: type}", "a type action needs a value", false},
	{"after done", "- screen: a\nscript:\n  - done:\n  - press: a", "f.yaml:6:5: nothing after done is performed", true},
	{"long wait", "- screen: a\nscript:\n  - wait: 600001", "a wait's value is milliseconds, from 0 to 600000", false},
	{"unknown in assert", "- screen: a\nscript:\n  - assert: {scren: a}", `unknown criterion "scren"; did you mean screen?`, false},
	{"assert nothing", "- screen: a\nscript:\n  - {action_type: assert}", "an assert needs expect, or a target", false},
	{"target of press", "- screen: a\nscript:\n  - press: a\n    target: b", "target beside press; only type has one", false},

	{"unknown precondition", "- screen: a\npreconditions:\n  - sq: a", `f.yaml:6:5: unknown precondition "sq"; did you mean sql?`, false},
	{"assert before", "- screen: a\npreconditions:\n  - assert: {screen: a}", "assert is no precondition; it belongs into the script", false},
	{"file outside", "- screen: a\npreconditions:\n  - file: {path: ../a}", `file path "../a" leaves the app's directory`, true},
	{"two preconditions", "- screen: a\npreconditions:\n  - sql: a\n    command: b", "a precondition is one of", false},
}

func source(yaml string) string {
	if strings.HasPrefix(yaml, "- ") && yaml != "- a" {
		return "name: n\ngoal: g\nsuccess_criteria:\n" + yaml
	}
	return yaml
}

func TestReadRefuses(t *testing.T) {
	schema := schema(t)
	for _, test := range faulty {
		t.Run(test.name, func(t *testing.T) {
			_, err := uat.Read("f.yaml", []byte(source(test.yaml)))
			var faults *uat.ScenarioError
			if !errors.As(err, &faults) {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %s", err)
			}
			if !test.beyondSchema && schema.Validate(decoded(t, source(test.yaml))) == nil {
				t.Error("the schema takes it")
			}
		})
	}
}

func TestReadReportsAllFaults(t *testing.T) {
	_, err := uat.Read("f.yaml", []byte("goal: g\nnames: n\nsuccess_criteria:\n  - screem: a\n  - widget: {}\n"))
	want := []string{"f.yaml:2:1: unknown key \"names\"", "f.yaml:4:5: unknown criterion", "f.yaml:5:", "the scenario has no name"}
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("no %q in:\n%v", w, err)
		}
	}
}

// TestSchemaTakesTheExamples holds the schema and the reader to the same scenarios.
func TestSchemaTakesTheExamples(t *testing.T) {
	const dir = "../examples/jdo/scenarios"
	scenarios, err := uat.LoadAll(dir)
	if err != nil || len(scenarios) == 0 {
		t.Fatalf("%d scenarios, %v", len(scenarios), err)
	}
	schema := schema(t)
	for _, s := range scenarios {
		text, err := os.ReadFile(s.File)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(decoded(t, string(text))); err != nil {
			t.Errorf("%s: %v", s.File, err)
		}
	}
}

func TestLoadAll(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("b.yml", "name: b\ngoal: g\nsuccess_criteria: [screen: a]")
	write("a.json", `{"name": "a", "goal": "g", "success_criteria": [{"screen": "x"}]}`)
	write("c.txt", "not a scenario")
	scenarios, err := uat.LoadAll(dir)
	if err != nil || len(scenarios) != 2 || scenarios[0].Name != "a" {
		t.Errorf("%v, %v", scenarios, err)
	}
	write("c.yaml", "name: a\ngoal: g\nsuccess_criteria: [screen: a]")
	if _, err := uat.LoadAll(dir); err == nil || !strings.Contains(err.Error(), `the name "a" is that of`) {
		t.Errorf("got %v", err)
	}
	if _, err := uat.LoadAll(dir + "/none.yaml"); err == nil {
		t.Error("no file, no error")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(full))
	for _, test := range faulty {
		f.Add([]byte(source(test.yaml)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := uat.Read("f.yaml", data)
		if err != nil {
			var faults *uat.ScenarioError
			if !errors.As(err, &faults) || len(faults.Problems) == 0 {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Errorf("read, and not valid: %v", err)
		}
		for _, c := range s.Criteria {
			_ = c.String()
		}
	})
}

func schema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(uat.Schema), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &value); err != nil {
		t.Fatal(err)
	}
	return value
}
