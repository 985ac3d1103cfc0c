package pack

import (
	"fmt"
	"path"
	"strings"
)

// Rule is one patch to a package's files. It is literal on purpose: when upstream
// changes under it, it no longer matches, and the build says so.
type Rule struct {
	Name    string
	Why     string
	File    string // a pattern of path.Match for the file's name
	Find    string
	Replace string
	Count   int // how often Find must occur, over all files
}

// Apply applies rules to files, in order. Each must match as often as it says.
func Apply(files map[string]string, rules []Rule) (map[string]string, error) {
	out := make(map[string]string, len(files))
	for name, text := range files {
		out[name] = text
	}
	for _, rule := range rules {
		found := 0
		for name, text := range out {
			ok, err := path.Match(rule.File, name)
			if err != nil {
				return nil, fmt.Errorf("rule %s: %w", rule.Name, err)
			}
			n := strings.Count(text, rule.Find)
			if !ok || n == 0 {
				continue
			}
			found += n
			out[name] = strings.ReplaceAll(text, rule.Find, rule.Replace)
		}
		if found != rule.Count {
			return nil, fmt.Errorf("rule %s matches %d times instead of %d: upstream has changed, read the place again (%s)",
				rule.Name, found, rule.Count, rule.Why)
		}
	}
	return out, nil
}
