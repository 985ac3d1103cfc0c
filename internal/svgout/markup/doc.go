// Package markup cuts SVG and the CSS in it into pieces, as leniently as browsers do:
// it never fails, and what it cannot read is text.
//
//	s := markup.Scanner{Src: svg}
//	for t, ok := s.Next(); ok; t, ok = s.Next() {
//		…
//	}
//
// It builds no tree, and does not know which elements or properties there are.
package markup
