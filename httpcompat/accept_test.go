package httpcompat_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

func pictures(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.New(&catalog.Options{
		Tools: []catalog.Tool{{
			Name: "draw", Input: &jsonschema.Schema{Type: "object"}, Picture: "image/svg+xml", OwnCodes: true,
			Handler: func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
				if strings.Contains(string(args), "reach") && !catalog.RequestOf(ctx).MayReach() {
					return nil, &catalog.Error{Type: catalog.Forbidden, Code: "FORBIDDEN", Message: "no"}
				}
				return &catalog.Result{
					Structured: map[string]string{"svg": "<svg/>"},
					Picture:    &catalog.Picture{MIMEType: "image/svg+xml", Data: []byte("<svg/>")},
				}, nil
			},
		}},
		Families: []catalog.Family{{
			Prefix: "webodar://artifact/",
			Read: func(_ context.Context, uri string) (*catalog.Contents, error) {
				if uri != "webodar://artifact/known.svg" {
					return nil, catalog.NoResource(uri)
				}
				return &catalog.Contents{MIMEType: "image/svg+xml", Data: []byte("<svg/>"), Text: true}, nil
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAccept(t *testing.T) {
	h := httpcompat.New(pictures(t), nil)
	for accept, picture := range map[string]bool{
		"":                                false,
		"*/*":                             false,
		"application/json":                false,
		"image/svg+xml":                   true,
		"image/*":                         true,
		"Image/SVG+XML; charset=utf-8":    true,
		"image/png":                       false,
		"application/pdf, image/png":      false,
		"image/svg+xml, */*;q=0.8":        true,
		"image/svg+xml, */*":              true,
		"image/svg+xml;q=0.5, */*":        false,
		"application/json, image/*":       false,
		"application/json;q=0.1, image/*": true,
		"image/*, image/svg+xml;q=0":      false,
		"text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8": false,
		"image/svg+xml;q=x": false,
		";;;,":              false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/api/tools/draw", strings.NewReader("{}"))
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		want, mimeType := `{"success":true,"result":{"svg":"<svg/>"}}`, "application/json"
		if picture {
			want, mimeType = "<svg/>", "image/svg+xml"
		}
		if w.Code != http.StatusOK || w.Body.String() != want || w.Header().Get("Content-Type") != mimeType || w.Header().Get("Vary") != "Accept" {
			t.Errorf("%q: %d %s %q", accept, w.Code, w.Header(), w.Body)
		}
		if picture != (w.Header().Get("Content-Security-Policy") != "") {
			t.Errorf("%q: a picture opened as a page must do nothing: %s", accept, w.Header())
		}
	}
}

// An open tool does what guarded ones do only for those that may use guarded ones, and
// not for what a form can post.
func TestReaching(t *testing.T) {
	for _, tt := range []struct {
		may      bool
		mimeType string
		status   int
	}{
		{true, "application/json", http.StatusOK},
		{true, "text/plain", http.StatusForbidden},
		{false, "application/json", http.StatusForbidden},
	} {
		h := httpcompat.New(pictures(t), &httpcompat.Options{MayUseGuarded: func(*http.Request) bool { return tt.may }})
		r := httptest.NewRequest(http.MethodPost, "/api/tools/draw", strings.NewReader(`{"reach":true}`))
		r.Header.Set("Content-Type", tt.mimeType)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != tt.status {
			t.Errorf("%+v: %d %s", tt, w.Code, w.Body)
		}
	}
}

func TestArtifacts(t *testing.T) {
	h := httpcompat.Artifacts(pictures(t), catalog.Unobserved{})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/artifacts/known.svg", nil))
	if w.Code != http.StatusOK || w.Body.String() != "<svg/>" || w.Header().Get("Content-Type") != "image/svg+xml" || w.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("%d %s %s", w.Code, w.Header(), w.Body)
	}
	for _, path := range []string{"/artifacts/", "/artifacts/other.svg", "/artifacts/../known.svg", "/artifacts/known.svg/"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "RESOURCE_NOT_FOUND") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
