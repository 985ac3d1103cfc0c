package tools

import (
	"context"
	"strings"

	"github.com/webodar/webodar/internal/artifact"
	"github.com/webodar/webodar/internal/catalog"
)

// Artifacts is the family of resources that a store holds.
func Artifacts(store *artifact.Store) catalog.Family {
	return catalog.Family{
		Prefix: artifact.Scheme, URITemplate: artifact.Scheme + "{name}",
		Name: "artifact", Title: "Picture",
		Description: "A picture that a drawing tool made with output resource; the oldest are forgotten when there are many",
		Read: func(_ context.Context, uri string) (*catalog.Contents, error) {
			name, _ := artifact.NameOf(uri)
			data, mimeType, ok := store.Get(name)
			if !ok {
				e := catalog.NoResource(uri)
				e.Message = "there is no picture at " + catalog.Clip(uri, 100) + ", or not any more"
				e.Hint = "It may have been forgotten for newer ones; draw the picture again."
				return nil, e
			}
			return &catalog.Contents{MIMEType: mimeType, Data: data, Text: strings.HasSuffix(mimeType, "+xml")}, nil
		},
	}
}
