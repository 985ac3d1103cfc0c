package mermaid

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// warmers are diagrams that load and build what most drawings of their type need: the
// type's code, its parser and style sheet, the layout engine. They must leave no trace
// in what is drawn later; a test compares every type cold and warm.
//
//go:embed warm/*.mmd
var warmers embed.FS

// Warm takes the next of the steps after which drawing is faster, and reports whether
// there is another. What is drawn does not change by it. It leaves the realm used: Keep
// follows, after the last step at the latest.
func (r *Realm) Warm() (more bool, err error) {
	steps, err := warmSteps()
	if err != nil || r.warmed == len(steps) {
		return false, err
	}
	step := steps[r.warmed]
	r.warmed++
	code, err := warmers.ReadFile("warm/" + step)
	if err != nil {
		return false, err
	}
	if _, err := Render(context.Background(), r, &Request{Code: string(code)}); err != nil {
		return false, fmt.Errorf("mermaid: warming up with %s: %w", step, err)
	}
	return r.warmed < len(steps), nil
}

// warmSteps are the names of the warmers in the order of their numbers: what is asked
// for most comes first.
func warmSteps() ([]string, error) {
	entries, err := fs.ReadDir(warmers, "warm")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	number := func(name string) int {
		digits, _, _ := strings.Cut(name, "-")
		n, _ := strconv.Atoi(digits) // a test checks that each has one
		return n
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return names, nil
}
