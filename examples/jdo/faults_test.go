package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webodar/webodar/uat"
)

// faults are mistakes that someone could make in jdo, each with the scenario that has
// to find it.
var faults = []struct {
	name, file, old, new, scenario string // scenario is its file without .yaml
}{
	{"a key of home does nothing", "tui/model.go", `case "triage":`, `case "triage ":`, "triage-flow"},
	{"a key leads to the wrong screen", "tui/screen.go", `"i", "integrity", "h", "hierarchy"`, `"i", "hierarchy", "h", "integrity"`, "integrity-metrics"},
	{"escape is lost on the way back", "tui/model.go", `m.stack = m.stack[:len(m.stack)-1]
		return m.apply(m.top().enter())`, `m.stack = m.stack[:1]
		return m.apply(m.top().enter())`, "navigation-escape"},
	{"escape does nothing in the settings", "tui/settings.go", `case "esc":
		return effect{pop: true}`, `case "esc":
		return effect{}`, "navigation-main"},
	{"escape leaves the settings while a name is typed", "tui/settings.go", `case "esc":
			s.editing = nil
			return effect{}`, `case "esc":
			return effect{pop: true}`, "navigation-escape"},
	{"a confirmed draft is not saved", "tui/chat.go", `	id, err := e.store.Add(item)`, `	id, err := int64(1), error(nil)`, "commitment-create"},
	{"a draft is saved without a yes", "tui/chat.go", `	c.panel = emptyPanel()
	c.say("Discarded.")`, `	c.file(c.panel.draft)
	c.panel = emptyPanel()
	c.say("Discarded.")`, "commitment-discard"},
	{"the draft does not show", "tui/chat.go", `c.panel = c.draftPanel(d)`, `c.panel = c.draftPanel(d); c.panel.mode = "view"`, "commitment-create"},
	{"a stakeholder is forgotten", "store/store.go", `item.Title, parent, due, item.Stakeholder)`, `item.Title, parent, due, "")`, "commitment-create"},
	{"a weekday is a week late", "plan/dates.go", `return onWeekday(today, day), true`, `return onWeekday(today, day).Add(7), true`, "commitment-create"},
	{"a draft cannot be changed", "plan/parse.go", `		d.Due = due
		return d, true`, `		_ = due
		return d, true`, "commitment-discard"},
	{"done does not reach the data", "store/store.go", `WHERE id = ?", status, completed, id)`, `WHERE id = -?", status, completed, id)`, "commitment-list"},
	{"the wrong commitment is dropped", "tui/commitments.go", `item := c.items[c.selected]
	if item.Status == status`, `item := c.items[0]
	if item.Status == status`, "commitment-list"},
	{"done ones stay in the list", "tui/commitments.go", `filters[c.filter] == "all" ||`, `true ||`, "commitment-list"},
	{"a deleted note stays in the inbox", "store/store.go", `DELETE FROM inbox WHERE id = ?`, `DELETE FROM inbox WHERE id = -?`, "triage-flow"},
	{"skip deletes", "tui/triage.go", `case "s":
		return t.do("skip")`, `case "s":
		return t.do("delete")`, "triage-flow"},
	{"the chosen type is not taken", "tui/triage.go", `return t.accept(plan.As(kind, t.notes[0].Text, t.today()))`, `return t.accept(t.suggestion())`, "triage-flow"},
	{"/triage is not known", "tui/command.go", `case "triage", "integrity"`, `case "integrity"`, "triage-command"},
	{"a click on a type is lost", "tui/triage.go", `return t.as(plan.Kind(kind))`, `_ = kind
		return effect{}`, "triage-command"},
	{"late counts as on time", "plan/integrity.go", `float64(m.Late)/2`, `float64(m.Late)`, "integrity-metrics"},
	{"a grade is a step off", "plan/integrity.go", `case m.Score >= 70:`, `case m.Score > 70:`, "integrity-metrics"},
	{"at risk leaves out what is overdue", "plan/integrity.go", `c.Due.DaysSince(today) <= riskDays`, `c.Due.DaysSince(today) >= 0 && c.Due.DaysSince(today) <= riskDays`, "integrity-at-risk"},
	{"at risk shows everything", "tui/commitments.go", `c.items = c.integrity().AtRisk`, `c.items = c.pending()`, "integrity-at-risk"},
	{"a goal forgets its vision", "tui/chat.go", `item.Parent = parent.ID`, `_ = parent.ID`, "hierarchy-chain"},
	{"the tree shows no children", "tui/hierarchy.go", `h.add(child, depth+1)`, `_ = child`, "hierarchy-tree"},
	{"a node cannot be closed", "tui/hierarchy.go", `h.open[n.key()] = false`, `h.open[n.key()] = true`, "hierarchy-tree"},
	{"a setting is not stored", "store/store.go", `DO UPDATE SET value = excluded.value", key, value)`, `DO NOTHING", "", value)`, "settings-change"},
	{"a setting has no effect", "tui/env.go", `return plan.Measure(e.all.Commitments, e.today(), e.riskDays)`, `return plan.Measure(e.all.Commitments, e.today(), plan.DefaultRiskDays)`, "settings-change"},
	{"an error shows on the way", "tui/integrity.go", `func (i *integrity) enter() effect   { return effect{err: i.reload()} }`, `func (i *integrity) enter() effect { return effect{err: context.Canceled} }`, "navigation-escape"},
	{"a screen panics", "tui/settings.go", `func newSettings(e *env) *settings { return &settings{env: e} }`, `func newSettings(*env) *settings { return &settings{} }`, "navigation-main"},
}

// TestFaults builds jdo with each of the faults and holds that its scenario fails.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds jdo once for each fault")
	}
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			binary := buildWith(t, fault.file, fault.old, fault.new)
			if result := runScenario(t, binary, filepath.Join("scenarios", fault.scenario+".yaml")); result.Success || result.Scenario == "" {
				t.Errorf("%s passed", fault.scenario)
			}
		})
	}
}

// buildWith builds jdo with one change of a source file, which it leaves as it is.
func buildWith(t *testing.T, file, old, replacement string) (binary string) {
	t.Helper()
	dir := t.TempDir()
	source, err := filepath.Abs(filepath.Join("internal", file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), old); n != 1 {
		t.Fatalf("%s has %q %d times, not once; the fault is out of date", file, old, n)
	}
	changed := strings.Replace(string(text), old, replacement, 1)
	if strings.Contains(replacement, "context.") {
		changed = strings.Replace(changed, "import (", "import (\n\t\"context\"", 1)
	}
	mutant := filepath.Join(dir, "mutant.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{mutant: []byte(changed), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary = filepath.Join(dir, "jdo")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

func runScenario(t *testing.T, binary, file string) (result uat.Result) {
	t.Helper()
	out, err := exec.Command(binary, "uat", "run", "-json", file).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return result
}
