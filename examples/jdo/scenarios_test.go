package main

import (
	"context"
	"testing"

	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/uattest"
)

func TestScenarios(t *testing.T) { uattest.Scenarios(t, Open, "scenarios") }

func TestDoneAtOncePassesNothing(t *testing.T) {
	uattest.Fails(t, Open, uattest.DoneAtOnce, "scenarios")
}

func TestRandomPassesNothing(t *testing.T) {
	for seed := range uint64(5) {
		uattest.Fails(t, Open, func() uat.Agent { return uattest.Random(seed) }, "scenarios")
	}
}

func BenchmarkScenario(b *testing.B) {
	scenario, err := uat.Load("scenarios/hierarchy-chain.yaml")
	if err != nil {
		b.Fatal(err)
	}
	driver := uat.New(Open, uat.Script(), &uat.Options{Dir: b.TempDir()})
	for b.Loop() {
		if result, err := driver.Run(context.Background(), scenario); err != nil || !result.Success {
			b.Fatal(err, result.Errors)
		}
	}
}
