package httpcompat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

type benchArgs struct {
	Code string `json:"plantumlCode"`
}

// work stands for what a tool does with a kilobyte.
func work(in benchArgs) encoded {
	return encoded{URL: "https://www.plantuml.com/plantuml/svg/" + in.Code, Encoded: in.Code, Format: "svg"}
}

// bare is the least that a handler of JSON does.
func bare(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var in benchArgs
	if json.Unmarshal(body, &in) != nil {
		return
	}
	out, err := json.Marshal(map[string]any{"success": true, "result": work(in)})
	if err != nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(out)
}

// ours is the same work as a tool of the catalogue.
func ours(b *testing.B) http.Handler {
	return httpcompat.New(newCatalog(b, catalog.Tool{
		Name: "encodePlantUML", Input: schema(encodeSchema), OwnCodes: true, Inline: true,
		Handler: func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
			var in benchArgs
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			return &catalog.Result{Structured: work(in)}, nil
		},
	}), nil)
}

// compare runs f with a kilobyte of body against a bare handler and against
// this package. The difference is what the package costs.
func compare(b *testing.B, f func(b *testing.B, h http.Handler, body []byte)) {
	body, err := json.Marshal(benchArgs{strings.Repeat("Alice -> Bob : hello\n", 1024/21)})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("bare", func(b *testing.B) { f(b, http.HandlerFunc(bare), body) })
	b.Run("httpcompat", func(b *testing.B) { f(b, ours(b), body) })
}

// BenchmarkInvoke posts to a server on this machine.
func BenchmarkInvoke(b *testing.B) {
	compare(b, func(b *testing.B, h http.Handler, body []byte) {
		server := httptest.NewServer(h)
		defer server.Close()
		url := server.URL + "/api/tools/encodePlantUML"
		b.ReportAllocs()
		for b.Loop() {
			res, err := server.Client().Post(url, "application/json", bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			if _, err = io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
				b.Fatal(res.Status, err)
			}
			res.Body.Close()
		}
	})
}

// BenchmarkHandler leaves the network out.
func BenchmarkHandler(b *testing.B) {
	compare(b, func(b *testing.B, h http.Handler, body []byte) {
		ctx := catalog.WithRequest(b.Context(), &catalog.Request{ID: "r", Surface: catalog.REST})
		r := httptest.NewRequestWithContext(ctx, "POST", "/api/tools/encodePlantUML", nil)
		r.ContentLength = int64(len(body))
		w := &sink{header: http.Header{}}
		b.ReportAllocs()
		for b.Loop() {
			clear(w.header)
			r.Body = io.NopCloser(bytes.NewReader(body))
			h.ServeHTTP(w, r)
		}
	})
}

// sink is a ResponseWriter that costs nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header       { return s.header }
func (*sink) Write(p []byte) (int, error) { return len(p), nil }
func (*sink) WriteHeader(int)             {}
