package display

import (
	"image"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// Colour is an sRGB colour, its channels and alpha from 0 to 1.
type Colour = css.Colour

// List is a picture.
type List struct {
	Width, Height float64
	Items         []Item
	Links         []Link
}

// Link is an area of the page that leads somewhere.
type Link struct {
	URL  string
	Area geom.Rect
}

// Item is one of *Shape, *Text, *Image and *Group.
type Item interface {
	// Bounds gives a box on the page that the item does not paint outside of.
	Bounds() geom.Rect
}

// Shape is a path that is filled, stroked or both.
type Shape struct {
	Path        *geom.Path
	Matrix      geom.Matrix
	EvenOdd     bool // how Fill tells inside from outside; else nonzero
	Fill        *Paint
	Stroke      *Stroke
	StrokeFirst bool
	Crisp       bool // its edges are not to be smoothed
}

// Stroke is how lines are painted.
type Stroke struct {
	Paint Paint
	Pen   geom.Pen
}

// Text is glyphs of one face on one line, in the order in which they are read.
type Text struct {
	Matrix      geom.Matrix
	Face        *face.Face
	Size        float64
	Glyphs      []Glyph
	Fill        *Paint
	Stroke      *Stroke
	StrokeFirst bool
}

// Glyph is one glyph of a text.
type Glyph struct {
	ID      face.GlyphID
	Pos     geom.Point // of its origin, on the baseline
	Angle   float64    // by which it is turned about Pos, in radians
	Stretch float64    // how much wider than it is in the face; 1 mostly
	Chars   string     // what it stands for; empty if a glyph before it says so
}

// Image is a bitmap, drawn on the unit square.
type Image struct {
	Matrix geom.Matrix
	Pix    image.Image
	JPEG   []byte // the file itself, where it was a JPEG
	Alpha  float64
}

// Group is items that are painted together.
type Group struct {
	Items   []Item
	Opacity float64
	Blend   string // a CSS blend mode; "" is normal
	Clips   []Clip // what is in all of them shows
	Mask    *Mask
	Shadows []Shadow // of everything in the group, beneath it
	// ShadowArea is where shadows and the group itself show, nil for everywhere.
	ShadowArea *Clip
}

// Clip is an area: what is in any of its paths.
type Clip struct{ Paths []ClipPath }

// ClipPath is a part of an area.
type ClipPath struct {
	Path    *geom.Path
	Matrix  geom.Matrix
	EvenOdd bool
}

// Mask lets show what it paints, as much as that is light, or opaque.
type Mask struct {
	Items []Item
	Alpha bool // opacity alone counts
	Area  Clip
}

// Shadow is a drop shadow; lengths are on the page.
type Shadow struct {
	DX, DY float64
	Sigma  float64 // standard deviation of the blur
	Colour Colour
}

// Paint is a colour or a gradient.
type Paint struct {
	Colour   Colour // without a gradient
	Gradient *Gradient
}

// Gradient is a linear gradient from P0 to P1, or a radial one from the circle at P0
// to that at P1.
type Gradient struct {
	Radial bool
	P0, P1 geom.Point
	R0, R1 float64
	Matrix geom.Matrix // to the page
	Spread Spread
	Stops  []Stop // at least one, by offset
}

// Spread is what a gradient does beyond its ends.
type Spread uint8

// The spreads.
const (
	Pad Spread = iota
	Reflect
	Repeat
)

// Stop is a colour of a gradient, at an offset from 0 to 1.
type Stop struct {
	Offset float64
	Colour Colour
}

// Opaque reports whether nothing shows through.
func (p *Paint) Opaque() bool {
	if p.Gradient == nil {
		return p.Colour.A >= 1
	}
	for _, s := range p.Gradient.Stops {
		if s.Colour.A < 1 {
			return false
		}
	}
	return true
}
