package mermaid

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/editdist"
)

// near returns the known words that word was perhaps meant to be, the best first, at
// most three. Case and a few typing errors are forgiven.
func near(word string, known []string) []string {
	word = strings.ToLower(clip(word, 60))
	type candidate struct {
		name string
		cost int
	}
	var found []candidate
	for _, name := range known {
		lower := strings.ToLower(name)
		cost := editdist.Between(word, lower)
		if len(word) >= 4 && strings.HasPrefix(lower, word) {
			cost = min(cost, 2) // sequence, for sequenceDiagram
		}
		if cost <= max(1, len(word)/3) {
			found = append(found, candidate{name, cost})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	var names []string
	for _, c := range found {
		if len(names) < 3 && c.cost <= found[0].cost+1 {
			names = append(names, c.name)
		}
	}
	return names
}
