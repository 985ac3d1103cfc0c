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

	// Unwrap, in place of Find, names a function; its calls with a number as
	// the second argument become their first argument.
	Unwrap string
}

// apply applies the rule to one file, and tells how often it matched.
func (r *Rule) apply(text string) (patched string, found int) {
	if r.Unwrap != "" {
		return unwrap(text, r.Unwrap)
	}
	return strings.ReplaceAll(text, r.Find, r.Replace), strings.Count(text, r.Find)
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
			if !ok {
				continue
			}
			patched, n := rule.apply(text)
			found += n
			out[name] = patched
		}
		if found != rule.Count {
			return nil, fmt.Errorf("rule %s matches %d times instead of %d: upstream has changed, read the place again (%s)",
				rule.Name, found, rule.Count, rule.Why)
		}
	}
	return out, nil
}
