package encoder

// This file follows scan_tree, send_tree and build_bl_tree of zlib's trees.c.

// A header describes the codes of a dynamic block (RFC 1951, section 3.2.7):
// the code lengths of both codes as runs, and a Huffman code for these runs.
type header struct {
	runs  [literalSymbols + distanceSymbols]run
	count int

	code  prefixCode
	shown int // how many lengths of code are written, in the order of runOrder

	literals, distances int
}

// A run is a symbol of the code length alphabet in the low 8 bits, and the
// value that follows it above.
type run uint16

const (
	repeatPrevious = 16 // 3 to 6 times the length before, 2 bits
	repeatZero     = 17 // 3 to 10 zeros, 3 bits
	repeatZeroLong = 18 // 11 to 138 zeros, 7 bits
)

// runExtra gives the number of bits that follow a symbol of this alphabet.
func runExtra(symbol int) uint {
	switch symbol {
	case repeatPrevious:
		return 2
	case repeatZero:
		return 3
	case repeatZeroLong:
		return 7
	default:
		return 0
	}
}

// runOrder is the order in which lengths of the run code are written, the
// likeliest to be zero last.
const runOrder = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"

// prepare computes the header for two codes and returns its size in bits.
func (h *header) prepare(b *treeBuilder, literal, distance *prefixCode) int {
	h.literals, h.distances = literal.used, distance.used
	h.count = 0
	clear(h.code.freq[:runSymbols])
	h.scan(literal.lengths[:literal.used])
	h.scan(distance.lengths[:distance.used])
	b.build(&h.code, runSymbols, maxRunLength)

	h.shown = runSymbols
	for h.shown > 4 && h.lengthAt(h.shown-1) == 0 {
		h.shown--
	}
	total := 5 + 5 + 4 + 3*h.shown + h.code.cost()
	for s := repeatPrevious; s <= repeatZeroLong; s++ {
		total += int(h.code.freq[s]) * int(runExtra(s))
	}
	return total
}

// lengthAt returns the i-th length of the run code in the order of writing.
func (h *header) lengthAt(i int) uint8 {
	if s := int(runOrder[i]); s < h.code.used {
		return h.code.lengths[s]
	}
	return 0
}

// scan adds the runs of lengths. No run crosses from one code to the other,
// although the format would allow it.
func (h *header) scan(lengths []uint8) {
	previous := -1
	for i := 0; i < len(lengths); {
		length := int(lengths[i])
		longest, shortest := 7, 4 // the first of a run is written by itself
		switch length {
		case 0:
			longest, shortest = 138, 3
		case previous:
			longest, shortest = 6, 3
		}
		n := 1
		for n < longest && i+n < len(lengths) && lengths[i+n] == lengths[i] {
			n++
		}
		i += n

		switch {
		case n < shortest:
			for range n {
				h.add(length, 0)
			}
		case length != 0:
			if length != previous {
				h.add(length, 0)
				n--
			}
			h.add(repeatPrevious, n-3)
		case n <= 10:
			h.add(repeatZero, n-3)
		default:
			h.add(repeatZeroLong, n-11)
		}
		previous = length
	}
}

func (h *header) add(symbol, value int) {
	h.runs[h.count] = run(value<<8 | symbol)
	h.count++
	h.code.freq[symbol]++
}

// write writes the header after the type of block.
func (h *header) write(out *bitWriter) {
	out.write(uint32(h.literals-firstLength), 5)
	out.write(uint32(h.distances-1), 5)
	out.write(uint32(h.shown-4), 4)
	for i := range h.shown {
		out.write(uint32(h.lengthAt(i)), 3)
	}
	for _, r := range h.runs[:h.count] {
		symbol := int(r & 0xff)
		word := h.code.words[symbol]
		out.write(word.bits(), word.width())
		out.write(uint32(r>>8), runExtra(symbol))
	}
}
