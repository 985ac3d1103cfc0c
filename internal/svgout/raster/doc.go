// Package raster paints a display list as pixels, smoothed by the area that a shape
// covers of each, and writes them as PNG.
//
//	img, err := raster.Paint(ctx, list, raster.Options{Scale: 2, MaxPixels: 1 << 25})
//	png := raster.EncodePNG(img)
//
// Equal lists give equal bytes. Colours are mixed in sRGB, as browsers do.
package raster
