package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
)

// maxName is how long a name may be that clients take everywhere.
const maxName = 64

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// sanitize puts an underscore in place of what names may not hold.
func sanitize(name string) string { return notInNames.ReplaceAllString(name, "_") }

// mountedName is the name under which a feature appears: the prefix, two
// underscores, its own name, within what clients take. One that is too long
// ends in a hash of it, so that it stays itself.
func mountedName(prefix, name string) string {
	full := name
	if prefix != "" {
		full = prefix + "__" + name
	}
	short := sanitize(full)
	if len(short) <= maxName {
		return short
	}
	sum := sha256.Sum256([]byte(full))
	mark := "_" + hex.EncodeToString(sum[:3])
	return short[:maxName-len(mark)] + mark
}

// freeName returns name, or the first of its variations that is not taken.
func freeName(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		mark := "_" + strconv.Itoa(n)
		free = name[:min(len(name), maxName-len(mark))] + mark
	}
	return free
}
