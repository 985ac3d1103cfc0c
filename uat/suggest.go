package uat

import (
	"strings"

	"github.com/webodar/webodar/internal/editdist"
)

// suggest is the end of an error about a word that is not one of those known: the
// nearest of them where one is near, else all of them.
func suggest(word string, known []string) string {
	best, distance := "", len(word)/2+1
	for _, k := range known {
		if d := editdist.Between(strings.ToLower(word), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return "; did you mean " + best + "?"
	case len(known) == 0:
		return ""
	}
	return "; there are " + strings.Join(known, ", ")
}

func names[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}
