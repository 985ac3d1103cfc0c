package encoder

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// This file follows INSERT_STRING and longest_match of zlib's deflate.c. What
// has to be kept is which earlier position is chosen: the most recent of the
// longest, among as many candidates as zlib is willing to look at. How
// positions are stored and strings compared is free, and differs:
//
//   - The text lies in memory as a whole and positions count from its start,
//     where zlib slides a 64 KB buffer along. zlib looks no further back than
//     maxDistance, and slides only what is further back out of reach, so this
//     does not show.
//   - Nothing is cleared between texts. Positions are stored with an offset,
//     the epoch, that grows by the length of each text; what an earlier text
//     left behind is below it.

const (
	windowSize = 1 << 15
	windowMask = windowSize - 1

	// maxDistance keeps zlib's safety margin at the far end of the window
	// (MAX_DIST): a whole match and the next string to hash.
	maxDistance = windowSize - (maxMatch + minMatch + 1)

	// The figures of level 9 in zlib's configuration_table, where nice_length
	// and max_lazy equal maxMatch.
	goodLength = 32   // with a match of this length, search less for a better one
	maxChain   = 4096 // candidates to look at

	// windowPad zero bytes follow the text, for comparing by words.
	windowPad = 8

	hashBits = 15 // memLevel 8
	// smallHashBits serves texts of up to smallText bytes: the tables then
	// stay in the first-level cache. A hash decides which strings share a
	// chain and so how far a chain of limited length reaches back; in a text
	// shorter than the lowest limit, maxChain/4, every chain is searched to
	// its end and the hash cannot be told from the result.
	smallHashBits = 12
	smallText     = maxChain / 4
)

// A matcher finds earlier occurrences of the string at a position.
type matcher struct {
	text []byte // with windowPad zero bytes at the end
	size int    // length without these

	epoch     uint32
	hashShift uint
	hashMask  uint32
	head      [1 << hashBits]uint32 // epoch + latest position, by hash
	prev      [windowSize]uint32    // position before, with the same hash; 0 at the end
}

// reset makes text the one to search in.
func (m *matcher) reset(text string) {
	// Entries of the text before are less than the next epoch.
	if next := uint64(m.epoch) + uint64(m.size); next+uint64(len(text)) > math.MaxUint32 {
		clear(m.head[:])
		m.epoch = 0
	} else {
		m.epoch = uint32(next)
	}
	m.text = append(append(m.text[:0], text...), make([]byte, windowPad)...)
	m.size = len(text)

	width := uint(hashBits)
	if len(text) <= smallText {
		width = smallHashBits
	}
	m.hashShift = (width + minMatch - 1) / minMatch
	m.hashMask = 1<<width - 1
}

// insert enters position at and returns the position before it with the same
// hash. Position 0 is never returned: in zlib's tables, and in these, 0 marks
// the end of a chain, so the very start of the text is never referred to.
func (m *matcher) insert(at int) (candidate int) {
	t := binary.LittleEndian.Uint32(m.text[at:])
	shift := m.hashShift % 16
	hash := (t&0xff<<(2*shift) ^ t>>8&0xff<<shift ^ t>>16&0xff) & m.hashMask
	slot := &m.head[hash%(1<<hashBits)]
	if latest := *slot; latest > m.epoch {
		candidate = int(latest - m.epoch)
	}
	*slot = m.epoch + uint32(at)
	m.prev[at&windowMask] = uint32(candidate)
	return candidate
}

// longest returns the longest match for the string at position at, among the
// candidates from the given one back, if it is longer than atLeast; otherwise
// length is atLeast. atLeast must be less than the number of bytes left.
func (m *matcher) longest(at, candidate, atLeast int) (length, start int) {
	chain := maxChain
	if atLeast >= goodLength {
		chain /= 4
	}
	text := m.text
	oldest := max(at-maxDistance, 0)
	most := min(maxMatch, m.size-at)
	length = atLeast

	// A longer match agrees, among others, in the four bytes that end one past
	// the longest so far; past one of two bytes these are three.
	tail, mask := length-minMatch, uint32(math.MaxUint32)
	if length < minMatch {
		tail, mask = 0, 1<<24-1
	}
	want := binary.LittleEndian.Uint32(text[at+tail:])
	for {
		if (binary.LittleEndian.Uint32(text[candidate+tail:])^want)&mask == 0 {
			if n := commonPrefix(text[at:], text[candidate:], most); n > length {
				length, start = n, candidate
				if n >= most {
					return length, start
				}
				tail, mask = length-minMatch, math.MaxUint32
				want = binary.LittleEndian.Uint32(text[at+tail:])
			}
		}
		candidate = int(m.prev[candidate&windowMask])
		if chain--; candidate <= oldest || chain == 0 {
			return length, start
		}
	}
}

// commonPrefix returns how many bytes a and b have in common at their start, at
// most limit. Both must have windowPad bytes more than that.
func commonPrefix(a, b []byte, limit int) int {
	for n := 0; n < limit; n += 8 {
		diff := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:])
		if diff != 0 {
			return min(n+bits.TrailingZeros64(diff)/8, limit)
		}
	}
	return limit
}
