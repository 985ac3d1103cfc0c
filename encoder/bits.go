package encoder

import (
	"encoding/binary"
	"slices"
)

// A bitWriter packs bits into bytes, least significant bit first (RFC 1951,
// section 3.1.1). Between calls acc holds count < 32 bits that are not yet in
// buf.
//
// The size of a block is known before it is written, so its room is reserved
// once and buf does not grow bit by bit.
type bitWriter struct {
	buf   []byte
	acc   uint64
	count uint
}

// reserve makes room for n more bytes besides the bits in acc.
func (w *bitWriter) reserve(n int) {
	w.buf = slices.Grow(w.buf, n+8)
}

// write appends the low width bits of value, at most 32 of them. The bits above
// must be zero.
func (w *bitWriter) write(value uint32, width uint) {
	w.acc |= uint64(value) << w.count
	w.count += width
	if w.count >= 32 {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(w.acc))
		w.acc >>= 32
		w.count -= 32
	}
}

// align fills the last byte with zero bits and moves everything into buf.
func (w *bitWriter) align() {
	for ; w.count > 8; w.count -= 8 {
		w.buf = append(w.buf, byte(w.acc))
		w.acc >>= 8
	}
	if w.count > 0 {
		w.buf = append(w.buf, byte(w.acc))
	}
	w.acc, w.count = 0, 0
}
