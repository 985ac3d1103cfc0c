package httpcompat

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
)

// wantsPicture reports whether r would rather have a picture of this type as it is than
// JSON with the picture in it (RFC 9110, section 12.5.1). A client that says nothing, or
// takes anything, wants JSON.
func wantsPicture(r *http.Request, mimeType string) bool {
	family, _, _ := strings.Cut(mimeType, "/")
	picture, document := weight{}, weight{}
	for _, header := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(header, ",") {
			name, params, err := mime.ParseMediaType(strings.TrimSpace(part))
			if err != nil && name == "" {
				continue
			}
			q := 1.0
			if text, ok := params["q"]; ok {
				if q, err = strconv.ParseFloat(text, 64); err != nil {
					continue
				}
			}
			picture.offer(name, q, mimeType, family+"/*")
			document.offer(name, q, "application/json", "application/*")
		}
	}
	return picture.exact > 0 && picture.q > 0 && (picture.q > document.q || picture.q == document.q && picture.exact > document.exact)
}

// weight is how much a client wants one type, by the most exact of its ranges.
type weight struct {
	q     float64
	exact int // 2 the type, 1 its family, 0 anything
}

func (w *weight) offer(name string, q float64, mimeType, family string) {
	exact := map[string]int{mimeType: 2, family: 1, "*/*": 0}
	if e, ok := exact[name]; ok && e >= w.exact {
		w.q, w.exact = q, e
	}
}

// encodePicture returns the answer to a call whose client wants the bytes themselves.
func encodePicture(w http.ResponseWriter, p *catalog.Picture) *document {
	protect(w.Header())
	d := newDocument()
	d.mimeType = p.MIMEType
	d.Write(p.Data)
	return d
}

// protect keeps a picture that is opened as a page from doing anything: ours have no
// scripts, and this holds should one have.
func protect(header http.Header) {
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
	header.Set("Content-Disposition", "inline")
}
