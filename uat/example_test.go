package uat_test

import (
	"context"
	"fmt"

	"github.com/webodar/webodar/uat"
)

// What is wrong with a scenario shows when it is read, all of it and where.
func ExampleRead() {
	_, err := uat.Read("triage.yaml", []byte(`name: triage
goal: Empty the inbox.
success_criteria:
  - sreen: home
  - probe: {sql: SELECT count(*) FROM inbox, equal: 0}
`))
	fmt.Println(err)
	// Output:
	// triage.yaml:4:5: unknown criterion "sreen"; did you mean screen?
	// triage.yaml:5:46: unknown key "equal" in probe; did you mean equals?
}

// An agent may be a function. What it thinks of its work decides nothing.
func ExampleDriver_Run() {
	optimist := uat.AgentFunc(func(_ context.Context, _ *uat.Scenario, state uat.State, history []uat.Step) (uat.Action, error) {
		if state.Screen == "ChatScreen" {
			return uat.Action{Type: uat.Done, Reason: "all is well"}, nil
		}
		return uat.Action{Type: uat.Press, Target: "c", Reason: "to the chat"}, nil
	})
	scenario := &uat.Scenario{
		Name: "promise something",
		Goal: "Tell the chat what you will do.",
		Criteria: []*uat.Criterion{
			{Screen: "chat"},
			{Probe: &uat.Probe{SQL: "SELECT count(*) FROM items", Match: uat.Match{AtLeast: new(float64(1))}}},
		},
	}
	result, err := uat.New((&fake{}).app, optimist, nil).Run(context.Background(), scenario)
	fmt.Println(result.Success, err)
	for _, c := range result.Criteria {
		fmt.Printf("%v: %s; got %s\n", c.Met, c.Criterion, c.Got)
	}
	// Output:
	// false <nil>
	// true: screen is chat; got ChatScreen
	// false: probe SELECT count(*) FROM items: is at least 1; got 0
}
