package mermaid

import (
	"fmt"
	"slices"
	"strings"
)

// oddSetting is a setting that mermaid does not know, or that has another type than
// mermaid's default (js/config.js).
type oddSetting struct {
	Where string   `json:"where"` // whose setting it is
	Path  []string `json:"path"`
	Known []string `json:"known"` // the settings there are beside it
	Value string   `json:"value"` // as JSON, cut
	Want  string   `json:"want"`  // a type of JavaScript's, or array; empty for one that is unknown
}

// oddWarnings says what is odd. Some settings have no default, so that one that is not
// known is odd only where it looks like another that is.
func oddWarnings(odd []oddSetting) []string {
	var warnings []string
	for _, o := range odd {
		name := strings.Join(o.Path, ".")
		var warning string
		if o.Want != "" {
			warning = fmt.Sprintf("%s: %s is %s, but mermaid wants %s there", o.Where, name, o.Value, article(o.Want))
		} else {
			last := len(o.Path) - 1
			similar := near(o.Path[last], o.Known)
			if len(similar) == 0 {
				continue
			}
			meant := strings.Join(append(slices.Clone(o.Path[:last]), similar[0]), ".")
			warning = fmt.Sprintf("%s: mermaid has no setting %s; did you mean %s?", o.Where, name, meant)
		}
		if !slices.Contains(warnings, warning) {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

func article(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}
