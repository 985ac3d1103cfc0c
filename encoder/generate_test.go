package encoder_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes texts, each kind aimed at a part of the compressor. The same
// seed always gives the same text, so failures can be repeated and golden
// hashes kept instead of large files.

// newRand returns a generator for a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5eed)) }

// A kind makes a text of about size bytes.
type kind struct {
	name string
	make func(r *rand.Rand, size int) string
}

var kinds = []kind{
	{"diagram", diagram},
	{"bytes", func(r *rand.Rand, size int) string { return randomBytes(r, size, 256) }},
	{"few letters", func(r *rand.Rand, size int) string { return randomBytes(r, size, 1+r.IntN(8)) }},
	{"many letters", func(r *rand.Rand, size int) string { return randomBytes(r, size, 1+r.IntN(256)) }},
	{"skewed", skewed},
	{"periodic", periodic},
	{"copies", copies},
	{"mutated", mutated},
	{"unicode", unicodeText},
	{"mixture", mixture},
}

// diagram looks like a sequence diagram.
func diagram(r *rand.Rand, size int) string {
	names := strings.Fields("Alice Bob Carol Server Database Queue Browser Gateway Клиент サーバー")
	words := strings.Fields("hello request response token check store the a of order 42 ok error retry → ✓ données")
	arrows := strings.Fields("-> --> ->> <- <-- -[#red]>")
	var b strings.Builder
	b.WriteString("@startuml\n")
	for b.Len() < size-10 {
		fmt.Fprintf(&b, "%s %s %s :", names[r.IntN(len(names))], arrows[r.IntN(len(arrows))], names[r.IntN(len(names))])
		for range r.IntN(5) {
			b.WriteString(" " + words[r.IntN(len(words))])
		}
		b.WriteByte('\n')
	}
	b.WriteString("@enduml")
	return b.String()
}

// randomBytes draws from letters equally likely bytes.
func randomBytes(r *rand.Rand, size, letters int) string {
	first := r.IntN(257 - letters)
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(first + r.IntN(letters))
	}
	return string(b)
}

// skewed halves the likelihood, or nearly, from one byte to the next: the codes
// get long and have to be cut to 15 bits.
func skewed(r *rand.Rand, size int) string {
	likely := 0.45 + 0.3*r.Float64()
	b := make([]byte, size)
	for i := range b {
		n := 0
		for r.Float64() > likely && n < 60 {
			n++
		}
		b[i] = byte(n * 7)
	}
	return string(b)
}

// periodic repeats a string, which may be longer than the window.
func periodic(r *rand.Rand, size int) string {
	unit := randomBytes(r, 1+r.IntN(1<<r.IntN(17)), 1+r.IntN(256))
	return strings.Repeat(unit, size/len(unit)+1)[:size]
}

// copies mixes fresh bytes with copies from distances where something changes:
// the limits of the distance symbols, of short matches, of the window.
func copies(r *rand.Rand, size int) string {
	edges := []int{1, 2, 3, 4, 5, 8, 9, 256, 257, 258, 4095, 4096, 4097, 32505, 32506, 32507, 32767, 32768, 32769, 65274, 65275, 65536}
	letters := 1 + r.IntN(256)
	var b []byte
	for len(b) < size {
		if len(b) < 8 || r.IntN(4) == 0 {
			b = append(b, randomBytes(r, 1+r.IntN(60), letters)...)
			continue
		}
		back := edges[r.IntN(len(edges))] + r.IntN(3) - 1
		if back < 1 || back > len(b) || r.IntN(4) == 0 {
			back = 1 + r.IntN(len(b))
		}
		length := 3 + r.IntN(4)
		if r.IntN(3) == 0 {
			length = 1 + r.IntN(300)
		}
		for range length {
			b = append(b, b[len(b)-back])
		}
	}
	return string(b[:size])
}

// mutated repeats a long string with changes, so that long chains of similar
// candidates come about.
func mutated(r *rand.Rand, size int) string {
	unit := []byte(diagram(r, 10+r.IntN(400)))
	var b []byte
	for len(b) < size {
		for range r.IntN(4) {
			unit[r.IntN(len(unit))] = byte('a' + r.IntN(26))
		}
		b = append(b, unit...)
	}
	return string(b[:size])
}

// unicodeText has characters of all lengths, from one or a few blocks.
func unicodeText(r *rand.Rand, size int) string {
	blocks := [][2]rune{{' ', '~'}, {0x80, 0x7ff}, {0x400, 0x4ff}, {0x3040, 0x30ff}, {0x4e00, 0x9fff}, {0x1f300, 0x1f6ff}, {0x10000, 0x10ffff}}
	var b strings.Builder
	pick := blocks[r.IntN(len(blocks))]
	for b.Len() < size {
		if r.IntN(20) == 0 {
			pick = blocks[r.IntN(len(blocks))]
		}
		b.WriteRune(pick[0] + r.Int32N(pick[1]-pick[0]))
	}
	return b.String()
}

// mixture strings pieces of all kinds together: blocks change their type.
func mixture(r *rand.Rand, size int) string {
	parts := []func(*rand.Rand, int) string{diagram, skewed, periodic, copies, mutated, unicodeText, func(r *rand.Rand, size int) string {
		return randomBytes(r, size, 1+r.IntN(256))
	}}
	var b strings.Builder
	for b.Len() < size {
		make := parts[r.IntN(len(parts))]
		b.WriteString(make(r, 1+r.IntN(size/2+10)))
	}
	return b.String()[:size]
}
