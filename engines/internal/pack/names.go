package pack

import (
	"regexp"
	"strings"
)

// esbuild, asked to keep the names of functions, sets each by a call of __name when the
// module runs, also where the function has that very name in its source: ten thousand
// times in ELK, each time it is loaded.
var (
	nameStatement  = regexp.MustCompile(`(?m)^[ \t]*__name\(([\w$]+), "([\w$]+)"\);\n`)
	nameExpression = regexp.MustCompile(`__name\(function ([\w$]+)\(`)
)

// DropNames takes out the calls that set a name that a function has anyhow.
func DropNames(text string) string {
	text = nameStatement.ReplaceAllStringFunc(text, func(call string) string {
		if m := nameStatement.FindStringSubmatch(call); m[1] != m[2] {
			return call
		}
		return ""
	})
	opened := map[string]int{}
	for _, m := range nameExpression.FindAllStringSubmatch(text, -1) {
		opened[m[1]]++
	}
	// An expression ends in its name. Where something else ends so too, it
	// cannot be told which is which, and the calls stay.
	var pairs []string
	for name, n := range opened {
		if end := `}, "` + name + `")`; strings.Count(text, end) == n {
			pairs = append(pairs, "__name(function "+name+"(", "(function "+name+"(", end, "})")
		}
	}
	if pairs == nil {
		return text
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
