// Package encoder turns PlantUML text into the code that PlantUML servers take
// in their URLs, and such a code or URL back into the text.
//
//	url, code, err := encoder.URL("@startuml\nBob -> Alice : hello\n@enduml", nil)
//	// url  = https://www.plantuml.com/plantuml/svg/SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80
//	// code = SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80
//
//	text, err := encoder.Decode(url) // or Decode(code)
//
// # The code
//
// A code is the text in UTF-8, compressed as raw deflate (RFC 1951), written
// six bits to a character with the alphabet 0-9 A-Z a-z - _. The compressed
// bytes are padded with zero bytes to a multiple of three, so the length of a
// code is a multiple of four and there is never a '='.
//
// One diagram has many valid codes, since deflate leaves the compressor free to
// choose. This package writes exactly what zlib writes at level 9, as do
// PlantUML itself, encoders that call zlib, and those for the browser, which
// carry a faithful port of it: a link then equals theirs, and a cache keyed by
// URL hits across tools. [compress/flate] writes other, usually longer, bytes,
// and so do forks of zlib tuned for speed; hence the compressor in this package,
// a port of the one path through zlib that is needed.
//
// # What it does not do
//
// It never looks at the diagram: whether the text is PlantUML, and whether it
// starts with @startuml, is not its concern. It opens no connection. It writes
// deflate codes only, and reads deflate and hexadecimal (~h) ones; the
// historical Huffman codes (~1) are refused.
//
// All functions may be called from several goroutines at once.
package encoder
