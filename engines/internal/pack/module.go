package pack

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Module is one file of an ES module build, made a function of ($$require,
// $$exports): names that no module has, since some have an exports of their own.
//
// esbuild could do this, and would make every use of an import a call of a getter,
// which is what live bindings ask for. The chunks of a split build need none: they
// import in no circle, and no import is of an export that is assigned twice. Both
// are checked, so imports become variables.
type Module struct {
	Name    string // the file's name without path and extension
	Code    string // the function's source
	Imports []string
	Later   []string // imported by import()
	exports map[string]bool
	live    []string // exports that are assigned more than once
	uses    []use
}

type use struct{ module, name string }

var (
	importLine  = regexp.MustCompile(`(?m)^import\s+(?:\{([^}]*)\}\s+from\s+)?"([^"\n]+)";$`)
	exportLine  = regexp.MustCompile(`(?m)^export \{([^}]*)\};$`)
	importLater = regexp.MustCompile(`\bimport\("(\.[^"\n]+\.mjs)"\)`)
	residue     = regexp.MustCompile(`(?m)^(?:import|export)\b.*$|\bimport\s*\(\s*["'./]|\bimport\.meta\b`)
	binding     = regexp.MustCompile(`^([\w$]+)(?: as ([\w$]+))?$`)
)

// ParseModule makes a function of an ES module as esbuild writes them.
func ParseModule(file, text string) (*Module, error) {
	m := &Module{Name: moduleName(file), exports: map[string]bool{}}
	assigned := assignments(text)
	var problem error
	fail := func(format string, args ...any) {
		if problem == nil {
			problem = fmt.Errorf("%s: "+format, append([]any{file}, args...)...)
		}
	}
	bindings := func(list string) (pairs [][2]string) {
		for part := range strings.SplitSeq(list, ",") {
			part = strings.TrimSpace(part)
			if part == "" {
				continue
			}
			b := binding.FindStringSubmatch(part)
			if b == nil {
				fail("cannot read the binding %q", part)
				continue
			}
			if b[2] == "" {
				b[2] = b[1]
			}
			pairs = append(pairs, [2]string{b[1], b[2]})
		}
		return pairs
	}
	var tail strings.Builder
	body := exportLine.ReplaceAllStringFunc(text, func(line string) string {
		for _, p := range bindings(exportLine.FindStringSubmatch(line)[1]) {
			local, exported := p[0], p[1]
			m.exports[exported] = true
			if assigned[local] > 0 {
				m.live = append(m.live, exported)
				fmt.Fprintf(&tail, "Object.defineProperty($$exports, %q, { get: () => %s, enumerable: true });\n", exported, local)
				continue
			}
			fmt.Fprintf(&tail, "$$exports.%s = %s;\n", exported, local)
		}
		return ""
	})
	body = importLine.ReplaceAllStringFunc(body, func(line string) string {
		g := importLine.FindStringSubmatch(line)
		from := moduleName(g[2])
		m.Imports = append(m.Imports, from)
		var vars []string
		for _, p := range bindings(g[1]) {
			m.uses = append(m.uses, use{from, p[0]})
			vars = append(vars, p[0]+": "+p[1])
		}
		if vars == nil {
			return fmt.Sprintf("$$require(%q);", from)
		}
		return fmt.Sprintf("var { %s } = $$require(%q);", strings.Join(vars, ", "), from)
	})
	body = importLater.ReplaceAllStringFunc(body, func(call string) string {
		name := moduleName(importLater.FindStringSubmatch(call)[1])
		m.Later = append(m.Later, name)
		return fmt.Sprintf("$$require.later(%q)", name)
	})
	if strings.Contains(text, "$$require") || strings.Contains(text, "$$exports") {
		fail("it has names that are ours")
	}
	if left := residue.FindString(body); left != "" {
		fail("left over: %q", left)
	}
	m.Code = "(function ($$require, $$exports) {\n\"use strict\";\n" + body + "\n" + tail.String() + "})"
	return m, problem
}

func moduleName(file string) string {
	return strings.TrimSuffix(path.Base(file), ".mjs")
}

// Link checks that modules hold together: every import is there, static imports
// form no circle, and none is of an export that is assigned twice, unless its name
// is one of settled.
func Link(modules map[string]*Module, settled []string) error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		m := modules[name]
		for _, to := range slices.Concat(m.Imports, m.Later) {
			if modules[to] == nil {
				return fmt.Errorf("%s imports %s, which is not there", name, to)
			}
		}
		for _, u := range m.uses {
			if !modules[u.module].exports[u.name] {
				return fmt.Errorf("%s imports %s from %s, which does not export it", name, u.name, u.module)
			}
			if slices.Contains(modules[u.module].live, u.name) && !slices.Contains(settled, u.name) {
				problems = append(problems, fmt.Errorf("%s imports %s from %s, which assigns it more than once", name, u.name, u.module))
			}
		}
	}
	if problems != nil {
		return errors.Join(problems...)
	}
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(name string) error
	visit = func(name string) error {
		state[name] = visiting
		for _, to := range modules[name].Imports {
			if state[to] == visiting {
				return fmt.Errorf("%s and %s import each other", name, to)
			}
			if state[to] == 0 {
				if err := visit(to); err != nil {
					return err
				}
			}
		}
		state[name] = done
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if state[name] == 0 {
			if err := visit(name); err != nil {
				return err
			}
		}
	}
	return nil
}
