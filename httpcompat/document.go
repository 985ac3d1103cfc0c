package httpcompat

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/webodar/webodar/internal/catalog"
)

// document is a JSON text on its way out. It is complete before the first byte
// leaves, so that a value that cannot be encoded is an error and not half an
// answer.
type document struct {
	bytes.Buffer
	enc      *json.Encoder
	mimeType string // empty for JSON
}

var documents = sync.Pool{New: func() any {
	d := &document{}
	d.enc = json.NewEncoder(&d.Buffer)
	// Diagrams are full of <, > and &, and nobody embeds an answer in a page.
	d.enc.SetEscapeHTML(false)
	return d
}}

// keepBytes is the largest buffer worth keeping for the next answer.
const keepBytes = 1 << 20

func newDocument() *document { return documents.Get().(*document) }

func (d *document) free() {
	if d.Cap() <= keepBytes {
		d.Reset()
		d.mimeType = ""
		documents.Put(d)
	}
}

// add appends v's JSON.
func (d *document) add(v any) error {
	if err := d.enc.Encode(v); err != nil {
		return err
	}
	d.Truncate(d.Len() - 1) // the encoder's line break
	return nil
}

// encode returns v as a document.
func encode(v any) (*document, *catalog.Error) {
	d := newDocument()
	if err := d.add(v); err != nil {
		d.free()
		return nil, catalog.Unencodable(err)
	}
	return d, nil
}

// encodeResult returns the answer to a call that succeeded.
func encodeResult(v any) (*document, *catalog.Error) {
	d := newDocument()
	d.WriteString(`{"success":true,"result":`)
	if err := d.add(v); err != nil {
		d.free()
		return nil, catalog.Unencodable(err)
	}
	d.WriteByte('}')
	return d, nil
}

// send writes an answer and lets go of d, which is nil for an answer without a
// body. The server drops the body of an answer to HEAD.
func send(w http.ResponseWriter, status int, d *document) {
	header := w.Header()
	header["Cache-Control"] = noStore
	header["X-Content-Type-Options"] = noSniff
	if d == nil {
		header.Set("Content-Length", "0")
		w.WriteHeader(status)
		return
	}
	defer d.free()
	header["Content-Type"] = jsonType
	if d.mimeType != "" {
		header["Content-Type"] = []string{d.mimeType}
	}
	header.Set("Content-Length", strconv.Itoa(d.Len()))
	w.WriteHeader(status)
	// An error here is a client that has left; there is nobody to tell.
	_, _ = w.Write(d.Bytes())
}
