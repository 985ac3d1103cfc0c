package paint

import (
	"context"
	"fmt"
	"math"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/pdf"
	"github.com/webodar/webodar/internal/svgout/raster"
)

// PDFOptions are for [Picture.PDF]; nil is the defaults.
type PDFOptions struct {
	// Title is the document's; "" is the picture's own.
	Title string
	// Lang is the language of the text, as BCP 47 has it: en, de-CH. "" says nothing.
	Lang string
	// Background is a CSS colour, or transparent; "" is what the picture itself says,
	// and white where it says nothing.
	Background string
}

// PDF paints the picture as a page of its size: a px is 0.75 pt. It contains no bitmaps
// but those that the picture does.
func (p *Picture) PDF(ctx context.Context, opts *PDFOptions) ([]byte, error) {
	if opts == nil {
		opts = &PDFOptions{}
	}
	bg, err := p.backdrop(opts.Background)
	if err != nil {
		return nil, err
	}
	title := opts.Title
	if title == "" {
		title = p.Title
	}
	return pdf.Paint(ctx, &p.list, pdf.Options{Title: title, Subject: p.Description, Lang: opts.Lang, Background: bg})
}

// Limits on a PNG: as many pixels as 128 MB hold.
const (
	DefaultMaxPixels = 32 << 20
	MaxScale         = 100
)

// PNGOptions are for [Picture.PNG]; nil is the defaults.
type PNGOptions struct {
	// Scale is how many pixels a px is, up to MaxScale; 0 is 1.
	Scale float64
	// Width is how many pixels wide the picture becomes, instead of Scale; 0 is as
	// wide as Scale makes it.
	Width int
	// Background is as in PDFOptions.
	Background string
	// MaxPixels is how many pixels a picture may have; 0 is DefaultMaxPixels.
	MaxPixels int
}

// PNG paints the picture as pixels. One that would have too many is a *[LimitError].
func (p *Picture) PNG(ctx context.Context, opts *PNGOptions) ([]byte, error) {
	if opts == nil {
		opts = &PNGOptions{}
	}
	bg, err := p.backdrop(opts.Background)
	if err != nil {
		return nil, err
	}
	o := raster.Options{Scale: opts.Scale, Background: bg, MaxPixels: opts.MaxPixels}
	if o.Scale == 0 {
		o.Scale = 1
	}
	if opts.Width != 0 {
		o.Scale = float64(opts.Width) / p.Width
	}
	if o.MaxPixels <= 0 {
		o.MaxPixels = DefaultMaxPixels
	}
	if !(o.Scale > 0) || math.IsInf(o.Scale, 0) || opts.Width == 0 && o.Scale > MaxScale {
		return nil, fmt.Errorf("paint: scale %v: it is above 0 and at most %d", o.Scale, MaxScale)
	}
	img, err := raster.Paint(ctx, &p.list, o)
	if err != nil {
		return nil, fmt.Errorf("paint: %w", err)
	}
	data, err := raster.EncodePNG(img)
	if err != nil {
		return nil, fmt.Errorf("paint: png: %w", err)
	}
	return data, nil
}

func (p *Picture) backdrop(colour string) (display.Colour, error) {
	if colour == "" {
		if p.background.A > 0 {
			return p.background, nil
		}
		return display.Colour{R: 1, G: 1, B: 1, A: 1}, nil
	}
	c, ok := css.ParseColour(colour)
	if !ok {
		return c, fmt.Errorf("paint: background %q is no CSS colour", colour)
	}
	return c, nil
}
