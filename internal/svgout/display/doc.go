// Package display is what a picture consists of once its styles, references and text
// layout are resolved: a list of paths, glyphs, images and groups, in the order in
// which they are painted. One reader makes it, and each painter needs nothing else.
//
// All lengths are CSS px. Every item has a matrix of its own that leads from its
// coordinates to those of the page, whose origin is at the top left.
package display
