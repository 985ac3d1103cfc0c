package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// maxSuggestions is how many near names an error offers.
const maxSuggestions = 3

// Suggest returns the known names that name was probably meant to be, best
// first, at most three; never nil. Case, separators and a few typing errors
// are forgiven.
func Suggest(name string, known []string) []string {
	type candidate struct {
		name string
		cost int
	}
	want := fold(name)
	near := []candidate{}
	if want == "" || len(want) > 200 {
		return []string{}
	}
	for _, k := range known {
		have := fold(k)
		cost := distance(want, have)
		switch {
		case cost <= max(2, len(have)/3):
		case len(want) >= 4 && (strings.Contains(have, want) || strings.Contains(want, have)):
			cost = max(len(have), len(want)) / 2
		default:
			continue
		}
		near = append(near, candidate{k, cost})
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.name, b.name))
	})
	names := make([]string, 0, maxSuggestions)
	for _, c := range near[:min(len(near), maxSuggestions)] {
		if c.cost <= near[0].cost+1 { // what is much further off was not meant
			names = append(names, c.name)
		}
	}
	return names
}

// fold lowers case and drops what people get wrong in names.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ', '/':
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance is the optimal string alignment distance: insertions, deletions,
// substitutions and swaps of neighbours, in bytes.
func distance(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
