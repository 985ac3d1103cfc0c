package pack

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// GoNotices writes the licences of Go and of the Go modules that are linked into the
// command at pkg (./cmd/webodar), as they stand in the module cache. root is the folder
// of the product's go.mod. A module without a licence to quote is an error.
//
// What is embedded through modules is among them: QuickJS and the Liberation fonts.
func GoNotices(root, pkg string) (string, error) {
	modules, err := goCommand(root, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", pkg)
	if err != nil {
		return "", err
	}
	goroot, err := goCommand(root, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return "", err
	}
	dir, version, _ := strings.Cut(goroot, "\n")
	lines := strings.Split(modules, "\n")
	slices.Sort(lines)
	var b strings.Builder
	b.WriteString("Go and Go modules in webodar\n\n")
	for _, line := range append([]string{"Go " + strings.TrimSpace(version) + " " + dir}, slices.Compact(lines)...) {
		if line == "" {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		version, dir, ok := strings.Cut(rest, " ")
		if !ok {
			return "", fmt.Errorf("cannot read %q, of go list", line)
		}
		texts, err := licenceTexts(dir)
		if err == nil && texts == nil {
			err = fmt.Errorf("no licence file")
		}
		if err != nil {
			return "", fmt.Errorf("licence of %s: %w", name, err)
		}
		fmt.Fprintf(&b, "%s\n%s %s\n\n%s\n", strings.Repeat("=", 78), name, version, strings.Join(texts, "\n\n"))
	}
	return b.String(), nil
}

// licenceTexts are the licence files of a folder.
func licenceTexts(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	return texts, nil
}

func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}
