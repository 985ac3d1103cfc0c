// Package uat is an acceptance-test driver for terminal UIs: an agent uses the
// app as a person would, and criteria that a machine can check judge the outcome.
//
//	scenario, err := uat.Load("scenarios/triage.yaml")
//	driver := uat.New(app, uat.Script(), nil)
//	result, err := driver.Run(ctx, scenario) // result.Success, result.Criteria, …
//
// The loop is: observe the [State], ask the [Agent] for an [Action], perform it on
// the [Surface], until the agent says done. Then the scenario's criteria are checked
// against what was seen and against the app's own data ([Probe]). What the agent
// thinks of its work decides nothing.
//
// An [App] opens a fresh [Instance] for each run: a program that is not started yet,
// its data, and a directory. How a program is driven is for its surface to know;
// package teaui drives Bubble Tea programs in-process. This package knows of no
// UI library, no database and no model.
//
// It does not judge looks (colours, alignment), does not measure performance, and
// does not isolate: a scenario's commands run with the rights of whoever runs it.
package uat
