package pack

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// marker is the comment that esbuild leaves where a package's file begins.
var marker = regexp.MustCompile(`(?m)^\s*// .*node_modules/\.pnpm/[^/\n]+/node_modules/((?:@[^/\n]+/)?[^/\n]+)/`)

// Embedded lists the npm packages inside a build, from the comments in it.
func Embedded(files map[string]string) []string {
	found := map[string]bool{}
	for _, text := range files {
		for _, m := range marker.FindAllStringSubmatch(text, -1) {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Notices writes the licences of packages as they stand in nodeModules. A package
// without a licence to quote is an error.
func Notices(nodeModules string, packages []string) (string, error) {
	var b strings.Builder
	b.WriteString("Third-party software in webodar's embedded engines\n\n")
	slices.Sort(packages)
	for _, name := range slices.Compact(packages) {
		text, err := notice(filepath.Join(nodeModules, filepath.FromSlash(name)))
		if err != nil {
			return "", fmt.Errorf("licence of %s: %w", name, err)
		}
		b.WriteString(strings.Repeat("=", 78) + "\n" + text + "\n")
	}
	return b.String(), nil
}

type manifest struct {
	Name       string
	Version    string
	License    any
	Homepage   string
	Repository any
}

func readManifest(dir string) (*manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, err
	}
	return m, nil
}

// source says where the source is, which EPL and MPL ask for.
func (m *manifest) source() string {
	switch r := m.Repository.(type) {
	case string:
		return r
	case map[string]any:
		if url, ok := r["url"].(string); ok {
			return url
		}
	}
	return m.Homepage
}

var (
	licenceFile   = regexp.MustCompile(`(?i)^(?:licen[cs]e|copying|notice)(?:[-.]\w+)?(?:\.(?:txt|md))?$`)
	licenceInText = regexp.MustCompile(`(?is)\n#+ *licen[cs]e.*`)
)

func notice(dir string) (string, error) {
	m, err := readManifest(dir)
	if err != nil {
		return "", err
	}
	parts, err := licenceTexts(dir)
	if err != nil {
		return "", err
	}
	if parts == nil {
		readme, _ := os.ReadFile(filepath.Join(dir, "README.md"))
		section := licenceInText.FindString("\n" + string(readme))
		if len(section) < 200 {
			return "", fmt.Errorf("no licence file, and none in the README")
		}
		parts = append(parts, strings.TrimSpace(section))
	}
	licence, _ := m.License.(string)
	if licence == "" {
		licence = "see below"
	}
	head := fmt.Sprintf("%s %s\nLicence: %s\nSource: %s\n\n", m.Name, m.Version, licence, m.source())
	return head + strings.Join(parts, "\n\n") + "\n", nil
}
