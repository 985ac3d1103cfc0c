package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/editdist"
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
		cost := editdist.Between(want, have)
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
