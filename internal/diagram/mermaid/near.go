package mermaid

import (
	"cmp"
	"slices"
	"strings"
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
		cost := distance([]rune(word), []rune(lower))
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

// distance counts insertions, deletions, substitutions and swaps of neighbours.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
