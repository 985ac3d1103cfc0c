package httpcompat

import (
	"net/http"
	"strings"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// ArtifactsPath is below which [Artifacts] serves.
const ArtifactsPath = "/artifacts/"

// Artifacts serves pictures that tools made, to whoever knows the unguessable name of
// one: GET /artifacts/NAME is the resource webodar://artifact/NAME of the catalogue.
func Artifacts(c *catalog.Catalog, observer catalog.Observer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		observer.Begin(catalog.REST)
		ev := catalog.Event{
			RequestID: catalog.RequestOf(r.Context()).ID, Surface: catalog.REST, Method: methodLabel(r.Method) + " " + ArtifactsPath + "{name}",
			Peer: r.RemoteAddr, UserAgent: r.UserAgent(), Status: http.StatusOK,
		}
		defer func() {
			ev.Duration = time.Since(start)
			observer.End(r.Context(), ev)
		}()
		contents, err := c.ReadFamily(r.Context(), "webodar://artifact/"+strings.TrimPrefix(r.URL.Path, ArtifactsPath))
		if err != nil {
			e := *catalog.AsError(err)
			if e.Type == catalog.ResourceNotFound { // a name belongs into no answer or log
				e.Message, e.Details = "there is no such picture, or not any more", nil
			}
			ev.Status, ev.Err = Status(&e), &e
			WriteError(w, &e)
			return
		}
		header := w.Header()
		protect(header)
		header.Set("Referrer-Policy", "no-referrer") // the name is the key
		d := newDocument()
		d.mimeType = contents.MIMEType
		d.Write(contents.Data)
		send(w, http.StatusOK, d)
	})
}
