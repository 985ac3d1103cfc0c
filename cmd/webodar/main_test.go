package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/webodar/webodar/engines"
)

var update = flag.Bool("update", false, "write the golden files and the expectations of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"webodar": main})
}

// TestScripts runs the program as a user does: testdata/script has a file for
// each command. Beside the usual commands there is "exits CODE COMMAND…".
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup:              setupScript,
		Cmds:               map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition:          condition,
	})
}

// condition adds [engine]: the drawing engine is in the binary. Where it must be, a
// script is not skipped without it.
func condition(name string) (bool, error) {
	if name != "engine" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	_, err := engines.Mermaid()
	if err != nil && os.Getenv("CI") != "" {
		return false, err
	}
	return err == nil, nil
}

// exits runs a command that must end with a given exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// setupScript gives each script a home of its own, so that nothing of the
// machine shows, and the files that a txtar cannot hold.
func setupScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for _, name := range []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"} {
		env.Setenv(name, home)
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"} {
		env.Setenv(name, "")
	}
	env.Setenv("NO_COLOR", "1")
	env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command takes a second under -race
	var long strings.Builder
	for i := range 400 {
		fmt.Fprintf(&long, "A -> B : %x\n", uint32(i)*2654435761)
	}
	for name, text := range map[string]string{
		"long.puml":   long.String(),
		"large.puml":  strings.Repeat("' comment\n", 5200),
		"huge.puml":   strings.Repeat("' comment\n", 1<<20),
		"marked.puml": "\ufeff@startuml\nBob -> Alice : hello\n@enduml\n",
		"latin1.puml": "@startuml\nBob -> Andr\xe9 : hello\n@enduml\n",
		"utf16.puml":  "\xff\xfe@\x00s\x00t\x00",
	} {
		if err := os.WriteFile(filepath.Join(env.WorkDir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return os.MkdirAll(home, 0o755)
}
