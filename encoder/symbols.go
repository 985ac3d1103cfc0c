package encoder

import "math/bits"

// This file knows the alphabets of RFC 1951, sections 3.2.5 and 3.2.6. They are
// computed rather than looked up: the arithmetic is a few instructions, and
// there is no table to build when the program starts.

const (
	minMatch = 3   // shortest string a length symbol can stand for
	maxMatch = 258 // longest one

	literals    = 256
	endOfBlock  = 256
	firstLength = 257

	literalSymbols  = 286 // literals, end of block, 29 lengths
	distanceSymbols = 30
	runSymbols      = 19 // the code length alphabet, section 3.2.7
)

// lengthIndex gives the number of the length symbol, counted from firstLength,
// for a match of length excess+minMatch.
func lengthIndex(excess uint32) uint32 {
	if excess < 8 {
		return excess
	}
	if excess == maxMatch-minMatch {
		return 28 // 258 has a symbol of its own although 284 could reach it
	}
	n := uint32(bits.Len32(excess))
	return 4*(n-2) + excess>>(n-3)&3
}

// lengthExtra gives the number of bits that follow the length symbol with this
// index; they are the low bits of the excess.
func lengthExtra(index uint32) uint {
	if index < 8 || index == 28 {
		return 0
	}
	return uint(index>>2 - 1)
}

// distanceSymbol gives the symbol for a match distance back, 1 to 32768.
func distanceSymbol(distance uint32) uint32 {
	d := distance - 1
	if d < 4 {
		return d
	}
	n := uint32(bits.Len32(d))
	return 2*(n-1) + d>>(n-2)&1
}

// distanceExtra gives the number of bits that follow a distance symbol; they
// are the low bits of distance-1.
func distanceExtra(symbol uint32) uint {
	if symbol < 4 {
		return 0
	}
	return uint(symbol>>1 - 1)
}

// fixedLiteralLength gives the length of the fixed code of a literal or length
// symbol. The fixed code of every distance symbol has fixedDistanceLength bits.
func fixedLiteralLength(symbol int) uint8 {
	switch {
	case symbol < 144:
		return 8
	case symbol < 256:
		return 9
	case symbol < 280:
		return 7
	default:
		return 8
	}
}

const fixedDistanceLength = 5

// setFixed replaces the codes of literal and distance by the fixed ones.
func setFixed(literal, distance *prefixCode) {
	for s := range literalSymbols {
		var code uint16
		switch {
		case s < 144:
			code = 0b0011_0000 + uint16(s)
		case s < 256:
			code = 0b1_1001_0000 + uint16(s-144)
		case s < 280:
			code = uint16(s - 256)
		default:
			code = 0b1100_0000 + uint16(s-280)
		}
		literal.words[s] = makeWord(code, fixedLiteralLength(s))
	}
	for s := range distanceSymbols {
		distance.words[s] = makeWord(uint16(s), fixedDistanceLength)
	}
}

// A codeWord is the code of one symbol, ready for the bit writer: the bits in
// the low half, already reversed because Huffman codes are packed from their
// most significant bit (RFC 1951, section 3.1.1), the number of bits above.
type codeWord uint32

func makeWord(code uint16, length uint8) codeWord {
	return codeWord(bits.Reverse16(code)>>(16-length)) | codeWord(length)<<16
}

func (w codeWord) bits() uint32 { return uint32(w) & 0xffff }
func (w codeWord) width() uint  { return uint(w >> 16) }
