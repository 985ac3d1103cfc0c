package encoder

// This file follows build_tree, gen_bitlen and gen_codes of zlib's trees.c.
// Many Huffman codes are optimal for the same frequencies; which one comes out
// is decided by the order in which equals leave the heap and by how codes that
// are too long get shortened, so both are kept exactly.

// A prefixCode is a Huffman code for one of the alphabets, of up to
// literalSymbols symbols, together with the frequencies it was made from.
type prefixCode struct {
	freq    [literalSymbols]uint16
	lengths [literalSymbols]uint8 // 0 for a symbol without a code
	words   [literalSymbols]codeWord
	used    int // number of symbols up to the last one with a code
}

// cost returns the number of bits that the symbols counted in freq take,
// without those that follow a symbol.
func (c *prefixCode) cost() int {
	total := 0
	for s, f := range c.freq[:c.used] {
		total += int(f) * int(c.lengths[s])
	}
	return total
}

const (
	maxNodes      = 2*literalSymbols - 1
	maxCodeLength = 15
	maxRunLength  = 7 // limit for the code of the code lengths
)

// A heapEntry orders nodes by frequency, then by depth of the tree below:
// frequency in the upper 16 bits, depth in the next 6, node in the low 10.
// A block has at most 16384 symbols, so frequencies fit; a tree over them is
// less deep than the Fibonacci numbers allow, 21, so depths fit.
type heapEntry uint32

const (
	nodeBits  = 10
	nodeMask  = 1<<nodeBits - 1
	depthMask = 1<<6 - 1
)

func makeEntry(freq uint32, depth uint32, node int) heapEntry {
	return heapEntry(freq<<16 | depth<<nodeBits | uint32(node))
}

func (e heapEntry) node() int     { return int(e & nodeMask) }
func (e heapEntry) freq() uint32  { return uint32(e >> 16) }
func (e heapEntry) depth() uint32 { return uint32(e>>nodeBits) & depthMask }

// notAbove reports whether e may stand above other in the heap. Entries that
// differ only in their node are equal.
func (e heapEntry) notAbove(other heapEntry) bool { return e <= other|nodeMask }

// A treeBuilder is the scratch space for making a prefixCode. It needs no
// clearing between uses.
type treeBuilder struct {
	heap   [literalSymbols + 2]heapEntry // 1-based: the children of k are 2k and 2k+1
	size   int
	order  [maxNodes]uint16 // nodes as they left the heap, least frequent first
	placed int
	parent [maxNodes]uint16
	length [maxNodes]uint8
}

// build makes the code for the first symbols frequencies of c, with no length
// above limit.
func (b *treeBuilder) build(c *prefixCode, symbols int, limit uint8) {
	b.fill(c, symbols)
	b.merge(symbols)

	// perLength[n] counts the codes of n bits.
	var perLength [maxCodeLength + 1]uint16
	overlong := b.measure(symbols, limit, &perLength)
	if overlong > 0 {
		b.shorten(symbols, limit, overlong, &perLength)
	}
	b.assign(c, &perLength)
}

// fill puts the symbols that occur into the heap. A code needs at least two
// symbols to be complete, so symbols that do not occur are added, the lowest
// ones first.
func (b *treeBuilder) fill(c *prefixCode, symbols int) {
	size, used := 0, 0
	for s, f := range c.freq[:symbols] {
		if f != 0 {
			size++
			b.heap[size] = makeEntry(uint32(f), 0, s)
			used = s + 1
		}
	}
	for size < 2 {
		s := 0
		if used < 3 {
			s = used
			used++
		}
		size++
		b.heap[size] = makeEntry(1, 0, s)
	}
	b.size, c.used = size, used
	for k := size / 2; k >= 1; k-- {
		b.sift(k)
	}
}

// sift moves the entry at k down to its place.
func (b *treeBuilder) sift(k int) {
	heap := b.heap[:b.size+1]
	moving := heap[k]
	for child := 2 * k; child < len(heap); child = 2 * k {
		if child+1 < len(heap) && heap[child+1].notAbove(heap[child]) {
			child++
		}
		if moving.notAbove(heap[child]) {
			break
		}
		heap[k] = heap[child]
		k = child
	}
	heap[k] = moving
}

// merge joins the two least frequent nodes until one is left. Inner nodes are
// numbered from symbols upwards.
func (b *treeBuilder) merge(symbols int) {
	b.placed = 0
	for next := symbols; ; next++ {
		first := b.heap[1]
		b.heap[1] = b.heap[b.size]
		b.size--
		b.sift(1)
		second := b.heap[1]

		b.order[b.placed] = uint16(first.node())
		b.order[b.placed+1] = uint16(second.node())
		b.placed += 2
		b.parent[first.node()] = uint16(next)
		b.parent[second.node()] = uint16(next)

		depth := max(first.depth(), second.depth()) + 1
		b.heap[1] = makeEntry(first.freq()+second.freq(), depth, next)
		b.sift(1)
		if b.size < 2 {
			b.length[next] = 0 // the root
			return
		}
	}
}

// measure walks from the root down and gives each node its depth, at most
// limit. It returns how many nodes, inner ones included, were cut off there.
func (b *treeBuilder) measure(symbols int, limit uint8, perLength *[maxCodeLength + 1]uint16) (overlong int) {
	for i := b.placed - 1; i >= 0; i-- {
		node := int(b.order[i])
		length := b.length[b.parent[node]] + 1
		if length > limit {
			length = limit
			overlong++
		}
		b.length[node] = length
		if node < symbols {
			perLength[length]++
		}
	}
	return overlong
}

// shorten makes the code complete again after lengths were cut: it moves one
// leaf down the tree and hangs one of the overlong leaves next to it, until
// none is left, and then deals the lengths out anew, the longest to the least
// frequent symbol.
func (b *treeBuilder) shorten(symbols int, limit uint8, overlong int, perLength *[maxCodeLength + 1]uint16) {
	for ; overlong > 0; overlong -= 2 {
		from := limit - 1
		for perLength[from] == 0 {
			from--
		}
		perLength[from]--
		perLength[from+1] += 2
		perLength[limit]--
	}
	i := 0
	for length := limit; length > 0; length-- {
		for n := perLength[length]; n > 0; i++ {
			if node := int(b.order[i]); node < symbols {
				b.length[node] = length
				n--
			}
		}
	}
}

// assign derives the codes from the lengths alone, as the decoder does
// (RFC 1951, section 3.2.2).
func (b *treeBuilder) assign(c *prefixCode, perLength *[maxCodeLength + 1]uint16) {
	clear(c.lengths[:c.used])
	for _, node := range b.order[:b.placed] {
		if int(node) < c.used {
			c.lengths[node] = b.length[node]
		}
	}
	var next [maxCodeLength + 1]uint16
	for n := 1; n <= maxCodeLength; n++ {
		next[n] = (next[n-1] + perLength[n-1]) << 1
	}
	for s, length := range c.lengths[:c.used] {
		if length > 0 {
			c.words[s] = makeWord(next[length&maxCodeLength], length)
			next[length&maxCodeLength]++
		}
	}
}
