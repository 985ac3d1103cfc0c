package paint

import (
	"math"
	"slices"

	"github.com/go-text/typesetting/bidi"

	"github.com/webodar/webodar/internal/svgout/css"
)

// This file puts text that runs from right to left in order (UAX #9), over each chunk:
// the words of a line are often elements of their own.

// levels gives the embedding level of each character, nil if all run from left to
// right.
func levels(chars []char) []int8 {
	if !slices.ContainsFunc(chars, func(c char) bool { return rightToLeft(c.r) || c.el.Style.Is(css.Direction, "rtl") }) {
		return nil
	}
	out := make([]int8, len(chars))
	for from := 0; from < len(chars); {
		to := from + 1
		for to < len(chars) && math.IsNaN(chars[to].x) && math.IsNaN(chars[to].y) {
			to++
		}
		text := make([]rune, to-from)
		for i := range text {
			text[i] = chars[from+i].r
		}
		base := bidi.LeftToRight
		if chars[from].el.Style.Is(css.Direction, "rtl") {
			base = bidi.RightToLeft
		}
		var p bidi.Paragraph
		runs := p.Segment(text, base)
		for i := range runs.NumRuns() {
			run := runs.Run(i)
			for k := run.Start; k < run.End; k++ {
				out[from+k] = int8(run.Level)
			}
		}
		from = to
	}
	return out
}

// reorder puts the runs of a chunk where they are seen: each sequence of a level, from
// the highest down, the other way round.
func (c *chunk) reorder() {
	highest := int8(0)
	for _, u := range c.runs {
		highest = max(highest, u.level)
	}
	if highest == 0 {
		return
	}
	seen := slices.Clone(c.runs)
	for level := highest; level > 0; level-- {
		for i := 0; i < len(seen); i++ {
			j := i
			for j < len(seen) && seen[j].level >= level {
				j++
			}
			slices.Reverse(seen[i:j])
			i = max(i, j-1)
		}
	}
	x := c.runs[0].x
	for _, u := range seen {
		u.x = x
		x += u.w
	}
	c.runs = seen
}

// rightToLeft tells characters of scripts that run so, and marks that change the
// direction.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff ||
		r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// mirrored gives the character whose glyph stands for r from right to left.
func mirrored(r rune) rune {
	const left, right = "([{<«‹≤⟨⌈⌊（［｛「『【", ")]}>»›≥⟩⌉⌋）］｝」』】"
	if i := slices.Index([]rune(left), r); i >= 0 {
		return []rune(right)[i]
	}
	if i := slices.Index([]rune(right), r); i >= 0 {
		return []rune(left)[i]
	}
	return r
}
