package encoder

// Raw deflate with zlib's bytes at level 9.
//
// deflate.go, match.go, block.go, runs.go and huffman.go are an altered version
// of parts of zlib 1.3 (deflate.c and trees.c), rewritten in Go for one
// purpose: a text given as a whole, level 9, windowBits 15, memLevel 8, default
// strategy. zlib is
//
//	Copyright (C) 1995-2023 Jean-loup Gailly and Mark Adler
//
// and comes with its licence: it is provided 'as-is', without any express or
// implied warranty; in no event will the authors be held liable for any damages
// arising from the use of it; anyone may use, alter and redistribute it freely,
// provided that its origin is not misrepresented, that altered versions are
// plainly marked as such, as this one hereby is, and that this notice stays.

const (
	// maxSymbols is the number of symbols that end a block: one less than
	// zlib's lit_bufsize.
	maxSymbols = 1<<14 - 1

	// tooFar is the distance beyond which a match of minimal length is not
	// worth its bits (TOO_FAR).
	tooFar = 4096
)

// A deflater compresses one text at a time. Its zero value is ready to use; it
// takes about 350 KB, and is reused without being cleared.
type deflater struct {
	matcher
	block
}

// deflate compresses text. The result is valid until the next call.
//
// This is zlib's deflate_slow, lazy matching: a match is only taken when the
// string one byte further on has no longer one.
func (d *deflater) deflate(text string) []byte {
	d.matcher.reset(text)
	d.block.reset()

	var (
		length     = minMatch - 1 // of the match at the position before, if any
		start      int
		unsettled  bool // the byte before is neither a literal nor in a match yet
		blockStart int
	)
	for at := 0; at < len(text); {
		previous, previousStart := length, start
		length = minMatch - 1
		if left := len(text) - at; left >= minMatch {
			candidate := d.insert(at)
			// Where zlib would go on searching for what cannot beat the match
			// before, because the text ends, that match is settled already.
			if candidate > 0 && at-candidate <= maxDistance && previous < min(maxMatch, left) {
				length, start = d.longest(at, candidate, previous)
				if length == minMatch && at-start > tooFar {
					length = minMatch - 1
				}
			}
		}

		if previous >= minMatch && length <= previous {
			d.addMatch(previous, at-1-previousStart)
			end := at - 1 + previous
			for at++; at < end; at++ {
				if at+minMatch <= len(text) {
					d.insert(at)
				}
			}
			length, unsettled = minMatch-1, false
			if d.full() {
				d.flush(d.text[blockStart:at], false)
				blockStart = at
			}
			continue
		}
		if unsettled {
			d.addLiteral(text[at-1])
			if d.full() {
				d.flush(d.text[blockStart:at], false)
				blockStart = at
			}
		}
		unsettled = true
		at++
	}
	if unsettled {
		d.addLiteral(text[len(text)-1])
	}
	d.flush(d.text[blockStart:len(text)], true)
	return d.out.buf
}
