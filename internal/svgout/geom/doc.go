// Package geom has the plane geometry of pictures: affine matrices, paths, SVG path
// data, flattening, dashes and the outlines of strokes.
//
//	p, err := geom.ParsePath("M0,0 L10,0 A5,5 0 0 1 10,10 Z")
//	polygons := geom.Flatten(p, geom.Identity, 0.1)
//
// Lengths are CSS px, angles radians, y grows downwards. It knows nothing of colours,
// styles or pixels.
package geom
