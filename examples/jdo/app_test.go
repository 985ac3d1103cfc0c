package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/uattest"
)

func TestAddFromTheShell(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "jdo.db")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--db", file, "add", "call", "the bank"}, &stdout, &stderr); code != 0 || stdout.String() != "in the inbox: call the bank\n" {
		t.Errorf("code %d: %s%s", code, stdout.String(), stderr.String())
	}
	for _, args := range [][]string{{"--db", file, "ad", "x"}, {"--db", file, "add"}, {"--db", filepath.Dir(file), "add", "x"}} {
		stderr.Reset()
		if code := run(t.Context(), args, &stdout, &stderr); code != 1 || !strings.HasPrefix(stderr.String(), "jdo: ") {
			t.Errorf("%v: code %d: %s", args, code, stderr.String())
		}
	}
	if code := run(t.Context(), []string{"--x"}, &stdout, &stderr); code != 2 {
		t.Errorf("code %d", code)
	}
}

// TestBrokenData holds that data which cannot be read is an error on the screen.
func TestBrokenData(t *testing.T) {
	scenario, err := uat.Read("broken.yaml", []byte(`
name: broken data
goal: See the error.
preconditions:
  - sql: INSERT INTO commitments (title, due_date) VALUES ('x', 'soon')
success_criteria:
  - path: [home, commitments]
  - widget: {id: error, contains: 'commitment 1: "soon" is no date like 2026-03-02'}
script: [press: l]
`))
	if err != nil {
		t.Fatal(err)
	}
	if result, err := uattest.Driver(t, Open, nil).Run(t.Context(), scenario); err != nil || !result.Success {
		t.Errorf("%v %+v", err, result)
	}
}

// TestStateIsSmall holds that what an agent is shown of a full screen stays small.
func TestStateIsSmall(t *testing.T) {
	instance := uattest.App(t, Open)
	if err := instance.Database.Exec(t.Context(), `INSERT INTO commitments (title, due_date)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT 'Commitment number ' || i, date('now', '+' || i || ' days') FROM n`); err != nil {
		t.Fatal(err)
	}
	surface, err := instance.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer surface.Close()
	for _, key := range []string{"l", "c"} {
		if err := surface.Perform(t.Context(), uat.Action{Type: uat.Press, Target: key}); err != nil {
			t.Fatal(err)
		}
		state, err := surface.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %d bytes", state.Screen, len(encoded)); len(encoded) > 12<<10 {
			t.Errorf("%s: %d bytes\n%s", state.Screen, len(encoded), encoded)
		}
	}
}

// TestThousandSteps holds that neither the driver nor jdo grows with what is done.
func TestThousandSteps(t *testing.T) {
	used := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	keys := strings.Fields("i l h s esc c esc i r esc")
	var early int64
	agent := uat.AgentFunc(func(_ context.Context, _ *uat.Scenario, _ uat.State, history []uat.Step) (uat.Action, error) {
		switch len(history) {
		case 200:
			early = used()
		case 1000:
			if grown := used() - early; grown > 1<<20 {
				t.Errorf("grew by %d bytes in 800 steps", grown)
			}
			return uat.Action{Type: uat.Done}, nil
		}
		return uat.Action{Type: uat.Press, Target: keys[len(history)%len(keys)]}, nil
	})
	scenario := &uat.Scenario{Name: "long", MaxSteps: 2000, Criteria: []*uat.Criterion{{Visited: []string{"settings"}}}}
	result, err := uat.New(Open, agent, &uat.Options{Dir: t.TempDir()}).Run(t.Context(), scenario)
	if err != nil || !result.Success {
		t.Fatal(err)
	}
	t.Logf("%d steps in %v", len(result.Steps), result.Duration)
}
