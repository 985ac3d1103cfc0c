package encoder

import "encoding/binary"

// This file follows _tr_tally, _tr_flush_block and compress_block of zlib's
// trees.c.

// A symbol is a literal or a match: the byte, or the length minus minMatch, in
// the low 8 bits; the distance above, 0 for a literal.
type symbol uint32

// A block collects symbols until there are maxSymbols of them, and then writes
// them in whichever of the three forms of RFC 1951, section 3.2.3, is shortest.
type block struct {
	out bitWriter

	symbols [maxSymbols + 1]symbol // one to spare makes the length a power of two
	count   int

	literal, distance prefixCode
	header            header
	builder           treeBuilder
}

// Types of block, with room for the bit before that says whether it is the last.
const (
	blockStored  = 0 << 1
	blockFixed   = 1 << 1
	blockDynamic = 2 << 1
)

// reset starts a new stream.
func (b *block) reset() {
	b.out.buf, b.out.acc, b.out.count = b.out.buf[:0], 0, 0
	b.begin()
}

// begin empties the block.
func (b *block) begin() {
	b.count = 0
	clear(b.literal.freq[:])
	clear(b.distance.freq[:distanceSymbols])
	b.literal.freq[endOfBlock] = 1
}

func (b *block) addLiteral(c byte) {
	b.symbols[b.count&maxSymbols] = symbol(c)
	b.count++
	b.literal.freq[c]++
}

func (b *block) addMatch(length, distance int) {
	excess := uint32(length - minMatch)
	b.symbols[b.count&maxSymbols] = symbol(uint32(distance)<<8 | excess)
	b.count++
	b.literal.freq[firstLength+lengthIndex(excess)]++
	b.distance.freq[distanceSymbol(uint32(distance))]++
}

// full reports whether the block must be flushed before the next symbol.
func (b *block) full() bool { return b.count == maxSymbols }

// flush writes the block, which stands for source, and begins the next. The
// last block also fills the last byte.
//
// zlib cannot store a block whose beginning has left its buffer. That needs no
// mirroring, since such a block is never best stored: it covers more than 32,500
// bytes with at most 16,383 symbols. Give literals 9 bits, lengths 6 and
// distances 5. A match then saves 3 bits (of 3 bytes, no further back than
// tooFar) or more, at least 1.5 for each byte after its first, in all over
// 24,000 bits; literals cost a bit more than stored, together less than 16,400.
// The difference exceeds any header, and the code chosen is no worse.
func (b *block) flush(source []byte, last bool) {
	b.builder.build(&b.literal, literalSymbols, maxCodeLength)
	b.builder.build(&b.distance, distanceSymbols, maxCodeLength)
	headerBits := b.header.prepare(&b.builder, &b.literal, &b.distance)

	extra := b.extraBits()
	dynamicBytes := bytesFor(headerBits + b.literal.cost() + b.distance.cost() + extra)
	fixedBytes := bytesFor(b.fixedCost() + extra)
	best := min(dynamicBytes, fixedBytes)

	var lastBit uint32
	if last {
		lastBit = 1
	}
	b.out.reserve(best)
	switch {
	case len(source)+4 <= best:
		b.out.write(blockStored|lastBit, 3)
		b.writeStored(source)
	case fixedBytes == best:
		b.out.write(blockFixed|lastBit, 3)
		setFixed(&b.literal, &b.distance)
		b.writeSymbols()
	default:
		b.out.write(blockDynamic|lastBit, 3)
		b.header.write(&b.out)
		b.writeSymbols()
	}
	if last {
		b.out.align()
	}
	b.begin()
}

// bytesFor rounds as zlib does: 3 bits for the type of block, and up.
func bytesFor(bits int) int { return (bits + 3 + 7) / 8 }

// extraBits returns how many bits follow length and distance symbols.
func (b *block) extraBits() int {
	total := 0
	for i, f := range b.literal.freq[firstLength:] {
		total += int(f) * int(lengthExtra(uint32(i)))
	}
	for s, f := range b.distance.freq[:distanceSymbols] {
		total += int(f) * int(distanceExtra(uint32(s)))
	}
	return total
}

// fixedCost returns how many bits the symbols take in the fixed code.
func (b *block) fixedCost() int {
	total := 0
	for s, f := range b.literal.freq[:b.literal.used] {
		total += int(f) * int(fixedLiteralLength(s))
	}
	for _, f := range b.distance.freq[:distanceSymbols] {
		total += int(f) * fixedDistanceLength
	}
	return total
}

// writeStored writes source as it is (RFC 1951, section 3.2.4). A block that is
// best stored is not much longer than it has symbols, so its length fits.
func (b *block) writeStored(source []byte) {
	b.out.align()
	size := uint16(len(source))
	b.out.buf = binary.LittleEndian.AppendUint16(b.out.buf, size)
	b.out.buf = binary.LittleEndian.AppendUint16(b.out.buf, ^size)
	b.out.buf = append(b.out.buf, source...)
}

// writeSymbols writes the symbols and the end of the block.
func (b *block) writeSymbols() {
	literal, distance := &b.literal.words, &b.distance.words
	out := b.out
	for _, s := range b.symbols[:b.count] {
		low, back := uint32(s)&0xff, uint32(s)>>8
		if back == 0 {
			word := literal[low]
			out.write(word.bits(), word.width())
			continue
		}
		index := lengthIndex(low)
		word := literal[firstLength+index]
		extra := lengthExtra(index)
		out.write(word.bits()|low&(1<<extra-1)<<word.width(), word.width()+extra)

		index = distanceSymbol(back)
		word = distance[index]
		extra = distanceExtra(index)
		out.write(word.bits()|(back-1)&(1<<extra-1)<<word.width(), word.width()+extra)
	}
	word := literal[endOfBlock]
	out.write(word.bits(), word.width())
	b.out = out
}
