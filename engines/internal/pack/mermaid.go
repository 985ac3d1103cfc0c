package pack

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/webodar/webodar/internal/jsengine"
)

// mermaidInside are packages in mermaid's build that leave no comment in it: its
// parser is built before, with langium inside.
var mermaidInside = []string{"mermaid", "@mermaid-js/parser", "langium"}

// Mermaid builds mermaid's asset from dir, where package.json and node_modules
// are, and the notices of what is in it.
func Mermaid(dir string, rules []Rule) (asset []byte, notices string, err error) {
	version, err := Version(dir, "mermaid")
	if err != nil {
		return nil, "", err
	}
	modules := filepath.Join(dir, "node_modules")
	files, err := readFiles(filepath.Join(modules, "mermaid", "dist", "mermaid.esm.mjs"),
		filepath.Join(modules, "mermaid", "dist", "chunks", "mermaid.esm", "*.mjs"))
	if err != nil {
		return nil, "", err
	}
	notices, err = Notices(modules, append(Embedded(files), mermaidInside...))
	if err != nil {
		return nil, "", err
	}
	if files, err = Apply(files, rules); err != nil {
		return nil, "", err
	}
	for name, text := range files {
		for _, bad := range MermaidForbidden {
			if strings.Contains(text, bad) && covers(rules, MermaidRules) {
				return nil, "", fmt.Errorf("%s still has %q", name, bad)
			}
		}
	}
	asset, err = build(jsengine.Info{Engine: "mermaid", Version: version, Entry: "mermaid.esm"}, files)
	return asset, notices, err
}

// covers reports whether no rule was left out.
func covers(rules, all []Rule) bool { return len(rules) == len(all) }

func readFiles(patterns ...string) (map[string]string, error) {
	files := map[string]string{}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("no file is %s: the package's layout has changed", pattern)
		}
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				return nil, err
			}
			files[filepath.Base(p)] = string(text)
		}
	}
	return files, nil
}

// build turns patched files into an asset.
func build(info jsengine.Info, files map[string]string) ([]byte, error) {
	modules := make(map[string]*Module, len(files))
	for file, text := range files {
		m, err := ParseModule(file, DropNames(text))
		if err != nil {
			return nil, err
		}
		modules[m.Name] = m
	}
	if err := Link(modules, MermaidSettled); err != nil {
		return nil, err
	}
	roles, err := cast(modules, MermaidRoles)
	if err != nil {
		return nil, err
	}
	info.Roles = roles
	names := slices.Sorted(maps.Keys(modules))
	chunks := make([]jsengine.NamedChunk, len(names))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() error {
			code, err := jsengine.CompileBytecode(jsengine.Source{Name: name, Code: modules[name].Code})
			chunks[i] = jsengine.NamedChunk{Name: name, Code: code}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return jsengine.Write(info, chunks)
}

// cast finds the module for each role: the one that exports all that the role asks for.
func cast(modules map[string]*Module, asked map[string][]string) (map[string]string, error) {
	roles := make(map[string]string, len(asked))
	for role, exports := range asked {
		for name, m := range modules {
			if slices.ContainsFunc(exports, func(e string) bool { return !m.exports[e] }) {
				continue
			}
			if roles[role] != "" {
				return nil, fmt.Errorf("both %s and %s export %s, what is asked of the module for %s", roles[role], name, strings.Join(exports, ", "), role)
			}
			roles[role] = name
		}
		if roles[role] == "" {
			return nil, fmt.Errorf("no module exports %s, what is asked of the module for %s", strings.Join(exports, ", "), role)
		}
	}
	return roles, nil
}
