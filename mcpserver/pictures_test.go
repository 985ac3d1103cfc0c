package mcpserver_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
)

// A PNG is an image that clients show; other pictures are left to the structured
// content; and what is kept is a link that can be read.
func TestPictures(t *testing.T) {
	f := newFixture(t, &catalog.Options{Families: []catalog.Family{{
		Prefix: "test://kept/", URITemplate: "test://kept/{name}", Name: "kept",
		Read: func(_ context.Context, uri string) (*catalog.Contents, error) {
			switch uri {
			case "test://kept/a.svg":
				return &catalog.Contents{MIMEType: "image/svg+xml", Data: []byte("<svg/>"), Text: true}, nil
			case "test://kept/a.png":
				return &catalog.Contents{MIMEType: "image/png", Data: []byte("png")}, nil
			}
			return nil, catalog.NoResource(uri)
		},
	}}})
	results := map[string]*catalog.Result{
		"png":  {Picture: &catalog.Picture{MIMEType: "image/png", Data: []byte("png")}},
		"pdf":  {Picture: &catalog.Picture{MIMEType: "application/pdf", Data: []byte("pdf")}},
		"kept": {Links: []catalog.Link{{URI: "test://kept/a.svg", Name: "a.svg", MIMEType: "image/svg+xml", Bytes: 6}}},
	}
	var tools []catalog.Tool
	for name, res := range results {
		res.Structured, res.Text = &echoOut{Text: name}, name
		tools = append(tools, tool(name, func(context.Context, json.RawMessage) (*catalog.Result, error) { return res, nil }))
	}
	if err := f.catalog.Replace(tools); err != nil {
		t.Fatal(err)
	}
	text := func(s string) any { return map[string]any{"type": "text", "text": s} }
	c := startStdio(t, f.serve(t, nil))
	c.initialize()
	for _, tt := range []struct {
		method, params string
		path           []string
		want           any
	}{
		{"tools/call", `{"name":"png"}`, []string{"result", "content"}, []any{text("png"), map[string]any{"type": "image", "mimeType": "image/png", "data": "cG5n"}}},
		{"tools/call", `{"name":"pdf"}`, []string{"result", "content"}, []any{text("pdf")}},
		{"tools/call", `{"name":"kept"}`, []string{"result", "content"}, []any{text("kept"), map[string]any{
			"type": "resource_link", "uri": "test://kept/a.svg", "name": "a.svg", "mimeType": "image/svg+xml", "size": 6.0,
		}}},
		{"resources/read", `{"uri":"test://kept/a.svg"}`, []string{"result", "contents"}, []any{map[string]any{"uri": "test://kept/a.svg", "mimeType": "image/svg+xml", "text": "<svg/>"}}},
		{"resources/read", `{"uri":"test://kept/a.png"}`, []string{"result", "contents"}, []any{map[string]any{"uri": "test://kept/a.png", "mimeType": "image/png", "blob": "cG5n"}}},
		{"resources/read", `{"uri":"test://kept/gone.png"}`, []string{"error", "data", "type"}, "ResourceNotFound"},
		{"resources/templates/list", `{}`, []string{"result", "resourceTemplates"}, []any{map[string]any{"name": "kept", "uriTemplate": "test://kept/{name}"}}},
	} {
		c.send(`{"jsonrpc":"2.0","id":"p","method":"` + tt.method + `","params":` + tt.params + "}\n")
		got := c.recv()
		if diff := cmp.Diff(tt.want, dig(got, tt.path...)); diff != "" {
			t.Errorf("%s %s: -want +got:\n%s\n%v", tt.method, tt.params, diff, got)
		}
	}
}
