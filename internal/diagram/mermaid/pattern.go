package mermaid

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: most
// processes that have this package in them draw nothing.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
