// Command assets builds the engines that webodar embeds. "go generate ./engines"
// runs it.
//
//	assets [-offline] [-without RULE] [-o FILE]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/webodar/webodar/engines/internal/pack"
)

func main() {
	dir := flag.String("dir", ".", "the folder `engines`, with package.json")
	offline := flag.Bool("offline", false, "use node_modules as they are, without npm ci")
	without := flag.String("without", "", "leave out the patch with this `name`, to compare")
	out := flag.String("o", "", "write the bundle to `file` instead of into assets, and no notices")
	flag.Parse()
	if err := run(*dir, *offline, *without, *out); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(dir string, offline bool, without, out string) error {
	if err := pack.CheckLock(filepath.Join(dir, "package-lock.json")); err != nil {
		return err
	}
	if !offline {
		npm := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
		npm.Dir, npm.Stdout, npm.Stderr = dir, os.Stderr, os.Stderr
		if err := npm.Run(); err != nil {
			return fmt.Errorf("npm ci: %w (Node and npm are needed to build the engines, not to run them)", err)
		}
	}
	rules := pack.MermaidRules
	if without != "" {
		i := slices.IndexFunc(rules, func(r pack.Rule) bool { return r.Name == without })
		if i < 0 {
			return fmt.Errorf("no rule is named %q", without)
		}
		rules = slices.Delete(slices.Clone(rules), i, i+1)
	}
	asset, notices, err := pack.Mermaid(dir, rules)
	if err != nil {
		return err
	}
	if out != "" {
		return os.WriteFile(out, asset, 0o644)
	}
	if err := os.WriteFile(filepath.Join(dir, "assets", "mermaid.bundle"), asset, 0o644); err != nil {
		return err
	}
	modules, err := pack.GoNotices(filepath.Join(dir, ".."), "./cmd/webodar")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "assets", "THIRD_PARTY_NOTICES.txt"), []byte(notices+modules), 0o644)
}
