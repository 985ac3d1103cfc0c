package uat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/uat"
)

// call runs the command on the fake app, in a directory with three scenarios.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.yaml":    "name: good\ngoal: g\ntags: [fast]\nsuccess_criteria: [screen: chat, no_errors: true]\nscript: [{press: c, reason: to talk}]",
		"bad.yaml":     "name: bad\ngoal: g\nsuccess_criteria:\n  - screen: chat\n  - widget: {id: gone, absent: true}\nscript: [press: s]",
		"vacuous.yaml": "name: vacuous\ngoal: g\nsuccess_criteria: [screen: home]\nscript: [press: h]",
		"faulty.yml":   "name: faulty",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	code = uat.Main(context.Background(), "app uat", (&fake{}).app, args, &out, &errs)
	times := regexp.MustCompile(`\s+\d+(\.\d)? ms`)
	return code, times.ReplaceAllString(out.String(), " 0 ms"), errs.String()
}

func TestMainRuns(t *testing.T) {
	code, stdout, stderr := call(t, "run", "good.yaml", "bad.yaml")
	want := `=== good
   1  press c                                      ChatScreen 0 ms  to talk
   2  done                                         ChatScreen 0 ms  the script has ended
  met   screen is chat
  met   no error shown
PASS good: 2 steps, 0 ms

=== bad
   1  press s                                      SettingsScreen 0 ms
   2  done                                         SettingsScreen 0 ms  the script has ended
  NOT   screen is chat
        bad.yaml:4: got: SettingsScreen
  met   widget gone is absent
        note: no widget of that id was visible at any step
  the screen at the end:
    ││ what is   │
    ││ on screen │
FAIL bad: 2 steps, 0 ms

1 of 2 scenarios passed
`
	if diff := cmp.Diff(want, stdout); diff != "" || code != 1 || stderr != "" {
		t.Errorf("code %d, stderr %s\n%s", code, stderr, diff)
	}
}

func TestMainAnswers(t *testing.T) {
	for _, test := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"run good.yaml", 0, "1 of 1 scenarios passed\n", ""},
		{"run -tag fast good.yaml bad.yaml", 0, "1 of 1 scenarios passed\n", ""},
		{"run -tag slow good.yaml", 1, "", "there is no such scenario"},
		{"run .", 1, "", "faulty.yml:1:1: the scenario has no goal"},
		{"run none.yaml", 1, "", "none.yaml: no such file or directory"},
		{"run -v good.yaml", 0, "PASS", "msg=step scenario=good n=1 action=press"},
		{"check good.yaml bad.yaml", 0, "ok   good.yaml\n     holds before the first step: no error shown\nok   bad.yaml", ""},
		{"check vacuous.yaml", 1, `FAIL vacuous.yaml: scenario "vacuous" proves nothing`, ""},
		{"run vacuous.yaml", 1, "proves nothing", ""},
		{"schema", 0, `"title": "uat scenario"`, ""},
		{"", 2, "", "usage: app uat run"},
		{"run", 2, "", "app uat run: name the files"},
		{"rnu good.yaml", 2, "", `unknown command "rnu"; did you mean run?`},
		{"run -x good.yaml", 2, "", "flag provided but not defined: -x"},
		{"help", 0, "usage: app uat run", ""},
		{"run -h", 0, "", "only scenarios with this tag"},
	} {
		code, stdout, stderr := call(t, strings.Fields(test.args)...)
		if code != test.code || !strings.Contains(stdout, test.stdout) || !strings.Contains(stderr, test.stderr) || test.stderr == "" && stderr != "" {
			t.Errorf("%s: code %d\nstdout %s\nstderr %s", test.args, code, stdout, stderr)
		}
	}
}

func TestMainPrintsJSON(t *testing.T) {
	_, stdout, _ := call(t, "run", "-json", "good.yaml", "bad.yaml")
	dec := json.NewDecoder(strings.NewReader(stdout))
	for _, want := range []bool{true, false} {
		var result uat.Result
		if err := dec.Decode(&result); err != nil || result.Success != want || len(result.Steps) != 2 {
			t.Errorf("%v %+v", err, result)
		}
	}
}
