package pdf

import (
	"fmt"
	"image"
	"image/color"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// image embeds a bitmap: a JPEG as it is, others as they are seen, with a mask where
// they are not opaque.
func (p *painter) image(c *content, img *display.Image) {
	b := img.Pix.Bounds()
	dict := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", b.Dx(), b.Dy())
	var n int
	var err error
	if img.JPEG != nil {
		space := "DeviceRGB"
		if img.Pix.ColorModel() == color.GrayModel {
			space = "DeviceGray"
		}
		n = p.file.rawStream(dict+"/ColorSpace/"+space+"/Filter/DCTDecode", img.JPEG)
	} else {
		n, err = p.bitmap(dict, img.Pix)
	}
	if err != nil {
		p.err = fmt.Errorf("pdf: image: %w", err)
		return
	}
	name := fmt.Sprintf("X%d", len(p.xobjects))
	p.xobjects = append(p.xobjects, n)
	c.save()
	c.alpha(p, img.Alpha, img.Alpha)
	// An image's first row is at the top of its square, where y is 1.
	c.op("%s cm", matrix(img.Matrix.Mul(geom.Matrix{A: 1, D: -1, F: 1})))
	c.op("/%s Do", name)
	c.restore()
}

func (p *painter) bitmap(dict string, pix image.Image) (int, error) {
	b := pix.Bounds()
	rgb, alpha := make([]byte, 0, 3*b.Dx()*b.Dy()), make([]byte, 0, b.Dx()*b.Dy())
	opaque := true
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(pix.At(x, y)).(color.NRGBA)
			rgb, alpha = append(rgb, c.R, c.G, c.B), append(alpha, c.A)
			opaque = opaque && c.A == 255
		}
	}
	soft := ""
	if !opaque {
		n, err := p.file.stream(dict+"/ColorSpace/DeviceGray", alpha)
		if err != nil {
			return 0, err
		}
		soft = fmt.Sprintf("/SMask %d 0 R", n)
	}
	return p.file.stream(dict+"/ColorSpace/DeviceRGB"+soft, rgb)
}
