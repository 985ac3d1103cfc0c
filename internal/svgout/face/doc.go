// Package face has the fonts that pictures are painted with: the embedded Liberation
// faces, which are as wide as Arial and Courier New, and further ones from directories
// that someone names.
//
//	lib := face.Embedded()
//	f := lib.Pick(`"trebuchet ms", arial`, 700, false)
//	g, ok := f.Glyph('A')
//	width := f.Advance(g) * 16 // px at 16 px
//
// Lengths are in ems. Fonts of the machine are never looked up, so that a picture is
// the same everywhere. It sets no text: no line is broken and no direction found.
package face
