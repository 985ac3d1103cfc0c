// Package editdist tells how far two words are apart, for "did you mean":
//
//	editdist.Between("flowchrt", "flowchart") // 1
//
// Which words are worth suggesting is for its callers to say.
package editdist

// Between is the optimal string alignment distance: how many insertions,
// deletions, substitutions and swaps of neighbours turn a into b, counted in
// runes. It takes time in the product of the lengths.
func Between(a, b string) int {
	from, to := []rune(a), []rune(b)
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(from); i++ {
		row[0] = i
		for j := 1; j <= len(to); j++ {
			cost := 1
			if from[i-1] == to[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(to)]
}
