package paint

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"net/url"
	"strings"

	"github.com/webodar/webodar/internal/svgout/css"
	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// maxImage bounds the pixels of one image.
const maxImage = 40_000_000

// image adds a PNG or JPEG that the picture itself contains.
func (r *reader) image(e *css.Element, sc scope, out *[]display.Item) {
	st := e.Style
	if !st.Is(css.Visibility, "visible") {
		return
	}
	data, ok := dataURL(e.Attr("href"))
	if !ok {
		r.warn("an image that is not in the picture itself was left out")
		return
	}
	img := &display.Image{Alpha: 1}
	var err error
	var cfg image.Config
	decode := png.Decode
	if bytes.HasPrefix(data, []byte("\xff\xd8")) {
		decode, img.JPEG = jpeg.Decode, data
		cfg, err = jpeg.DecodeConfig(bytes.NewReader(data))
		if err == nil && cfg.ColorModel != jpegYCbCr && cfg.ColorModel != jpegGray {
			img.JPEG = nil
		}
	} else {
		cfg, err = png.DecodeConfig(bytes.NewReader(data))
	}
	if err == nil && cfg.Width*cfg.Height <= maxImage {
		img.Pix, err = decode(bytes.NewReader(data))
	}
	if err != nil || img.Pix == nil {
		r.warn("an image that is no PNG or JPEG, or too large, was left out")
		return
	}
	size := img.Pix.Bounds().Size()
	w, okW := st.ParseLength(st.Get(css.Width), sc.w)
	h, okH := st.ParseLength(st.Get(css.Height), sc.h)
	switch {
	case !okW && !okH:
		w, h = float64(size.X), float64(size.Y)
	case !okW:
		w = h * float64(size.X) / float64(size.Y)
	case !okH:
		h = w * float64(size.Y) / float64(size.X)
	}
	if !(w > 0 && h > 0) {
		return
	}
	sc = sc.in(geom.Translate(st.Length(st.Get(css.X), sc.w), st.Length(st.Get(css.Y), sc.h)))
	area := display.Clip{Paths: []display.ClipPath{{Path: geom.RectPath(0, 0, w, h, 0, 0), Matrix: sc.matrix}}}
	view := geom.Rect{X1: float64(size.X), Y1: float64(size.Y)}
	img.Matrix = sc.matrix.Mul(fit(view, w, h, e.Attr("preserveaspectratio"))).Mul(geom.Scale(view.X1, view.Y1))
	r.count++
	r.clipped(e, area, []display.Item{img}, out)
}

var jpegYCbCr, jpegGray = image.NewYCbCr(image.Rect(0, 0, 1, 1), 0).ColorModel(), image.NewGray(image.Rect(0, 0, 1, 1)).ColorModel()

func dataURL(v string) ([]byte, bool) {
	v = strings.TrimSpace(v)
	if len(v) < 5 || !strings.EqualFold(v[:5], "data:") {
		return nil, false
	}
	head, body, ok := strings.Cut(v[5:], ",")
	if !ok {
		return nil, false
	}
	text, err := url.PathUnescape(body)
	if err != nil {
		return nil, false
	}
	if !strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		return []byte(text), true
	}
	text = strings.NewReplacer(" ", "", "\n", "", "\r", "", "\t", "").Replace(text)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		data, err = base64.RawStdEncoding.DecodeString(text)
	}
	return data, err == nil
}
