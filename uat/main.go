package uat

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Schema is the JSON schema of scenario files.
//
//go:embed scenario.schema.json
var Schema string

const usage = `usage: %[1]s run [flags] FILE|DIR…    run scenarios by their scripts
       %[1]s check FILE|DIR…          read them, and find those that prove nothing
       %[1]s schema                   print the JSON schema of scenarios

A directory stands for the .yaml, .yml and .json files in it. Exit codes: 0 all
passed, 1 one did not, 2 wrong usage.
`

// Main is the uat command of an app's own binary: name is what to call it in
// messages ("jdo uat"), args what follows. It returns the exit code.
//
//	if len(os.Args) > 1 && os.Args[1] == "uat" {
//		os.Exit(uat.Main(ctx, "jdo uat", jdo.Open, os.Args[2:], os.Stdout, os.Stderr))
//	}
func Main(ctx context.Context, name string, app App, args []string, stdout, stderr io.Writer) int {
	m := uatCommand{ctx: ctx, app: app, stdout: stdout, stderr: stderr}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&m.json, "json", false, "print each result as a line of JSON")
	flags.BoolVar(&m.verbose, "v", false, "log every step on stderr, with the state after it")
	flags.StringVar(&m.tag, "tag", "", "only scenarios with this `tag`")
	flags.Usage = func() {
		fmt.Fprintf(stderr, usage+"\nflags:\n", name)
		flags.PrintDefaults()
	}
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	switch {
	case verb == "schema" && flags.NArg() == 0:
		fmt.Fprint(stdout, Schema)
		return 0
	case verb == "run" && flags.NArg() > 0:
		return m.each(flags.Args(), m.run)
	case verb == "check" && flags.NArg() > 0:
		return m.each(flags.Args(), m.check)
	case verb == "help" || verb == "-h" || verb == "--help":
		fmt.Fprintf(stdout, usage, name)
		return 0
	case verb == "run" || verb == "check":
		fmt.Fprintf(stderr, "%s %s: name the files or directories of the scenarios\n", name, verb)
	case verb != "":
		fmt.Fprintf(stderr, "%s: unknown command %q%s\n", name, verb, suggest(verb, []string{"run", "check", "schema"}))
	}
	fmt.Fprintf(stderr, usage, name)
	return 2
}

type uatCommand struct {
	ctx            context.Context
	app            App
	stdout, stderr io.Writer
	json, verbose  bool
	tag            string
}

// each reads all scenarios, and does something with each if all can be read.
func (m *uatCommand) each(paths []string, do func(*Scenario) bool) int {
	scenarios, err := LoadAll(paths...)
	if err != nil {
		fmt.Fprintln(m.stderr, err)
		return 1
	}
	if m.tag != "" {
		scenarios = slices.DeleteFunc(scenarios, func(s *Scenario) bool { return !slices.Contains(s.Tags, m.tag) })
	}
	if len(scenarios) == 0 {
		fmt.Fprintln(m.stderr, "there is no such scenario")
		return 1
	}
	failed := 0
	for _, s := range scenarios {
		if m.ctx.Err() != nil {
			fmt.Fprintln(m.stderr, "interrupted")
			return 1
		}
		if !do(s) {
			failed++
		}
	}
	if !m.json {
		fmt.Fprintf(m.stdout, "%d of %d scenarios passed\n", len(scenarios)-failed, len(scenarios))
	}
	return min(failed, 1)
}

// LoadAll reads the scenarios of files and directories, those of a directory in the
// order of their names. Two scenarios of one name are an error.
func LoadAll(paths ...string) ([]*Scenario, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, unwrapPath(err))
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) && !e.IsDir() {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
	}
	var scenarios []*Scenario
	var problems []error
	named := map[string]string{}
	for _, file := range files {
		s, err := Load(file)
		switch {
		case err != nil:
			problems = append(problems, err)
			continue
		case named[s.Name] != "":
			problems = append(problems, fmt.Errorf("%s: the name %q is that of %s too", file, s.Name, named[s.Name]))
		}
		named[s.Name] = file
		scenarios = append(scenarios, s)
	}
	return scenarios, errors.Join(problems...)
}

func unwrapPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// run runs one scenario and reports it.
func (m *uatCommand) run(s *Scenario) bool {
	options := &Options{}
	if m.verbose {
		options.Logger = slog.New(slog.NewTextHandler(m.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if !m.json {
		fmt.Fprintf(m.stdout, "=== %s\n", s.Name)
		options.Progress = func(_ *Scenario, step Step) { fmt.Fprintln(m.stdout, step) }
	}
	result, err := New(m.app, Script(), options).Run(m.ctx, s)
	if m.json {
		if err := json.NewEncoder(m.stdout).Encode(result); err != nil {
			fmt.Fprintln(m.stderr, err)
			return false
		}
		return result.Success
	}
	result.report(m.stdout, s.File)
	var crash *CrashError
	if errors.As(err, &crash) {
		fmt.Fprintf(m.stdout, "\n%s\n", crash.Stack)
	}
	return result.Success
}

// check refuses a scenario that an agent would pass who is done at once.
func (m *uatCommand) check(s *Scenario) bool {
	done := AgentFunc(func(context.Context, *Scenario, State, []Step) (Action, error) {
		return Action{Type: Done, Reason: "at once"}, nil
	})
	result, err := New(m.app, done, nil).Run(m.ctx, s)
	ok := err == nil && !result.Success
	switch {
	case err != nil:
		fmt.Fprintf(m.stdout, "FAIL %s: %v\n", s.File, err)
	case len(s.Script) == 0:
		fmt.Fprintf(m.stdout, "ok   %s, without a script\n", s.File)
	default:
		fmt.Fprintf(m.stdout, "ok   %s\n", s.File)
	}
	for _, c := range result.Criteria {
		if c.Initially {
			fmt.Fprintf(m.stdout, "     holds before the first step: %s\n", c.Criterion)
		}
	}
	return ok
}

// String is the step on a line.
func (s Step) String() string {
	line := fmt.Sprintf("%4d  %-44s %-12s %6.1f ms", s.N, cut(s.Action.String(), 44), s.Screen, float64(s.Duration.Microseconds())/1000)
	if !s.OK {
		line += "\n      failed: " + s.Outcome
	}
	if s.Action.Reason != "" {
		line += "  " + s.Action.Reason
	}
	return strings.TrimRight(line, " ")
}

// report writes what came of a run for people.
func (r *Result) report(w io.Writer, file string) {
	for _, c := range r.Criteria {
		mark := "met "
		if !c.Met {
			mark = "NOT "
		}
		fmt.Fprintf(w, "  %s  %s\n", mark, c.Criterion)
		if !c.Met {
			fmt.Fprintf(w, "        %s:%d: got: %s\n", file, c.Line, orNone(c.Got))
		}
		if c.Note != "" {
			fmt.Fprintf(w, "        note: %s\n", c.Note)
		}
	}
	for _, e := range r.Errors {
		fmt.Fprintf(w, "  error: %s\n", e)
	}
	if !r.Success && r.State.Text != "" {
		fmt.Fprintf(w, "  the screen at the end:\n    │%s\n", strings.ReplaceAll(r.State.Text, "\n", "\n    │"))
	}
	verdict := "PASS"
	if !r.Success {
		verdict = "FAIL"
	}
	fmt.Fprintf(w, "%s %s: %d steps, %.0f ms\n\n", verdict, r.Scenario, len(r.Steps), float64(r.Duration.Microseconds())/1000)
}
