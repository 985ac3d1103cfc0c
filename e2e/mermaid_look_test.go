package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/mermaid/look.js
var lookScript string

const lookPage = `<!DOCTYPE html><meta charset="utf-8"><title>Ours, and Chromium's</title><script src="/look.js"></script><style>
body { margin: 8px; width: 1900px; display: flex; flex-wrap: wrap; gap: 8px; font: 14px sans-serif; }
figure { margin: 0; width: 940px; display: grid; grid-template: 18px 420px / 466px 466px; gap: 4px; }
figcaption { grid-column: 1 / 3; }
div { border: 1px solid #ccc; } img { width: 464px; height: 418px; object-fit: contain; }
</style>`

// perSheet is how many pairs a sheet shows.
const perSheet = 6

// TestLook writes sheets with a picture of every type, each beside Chromium's own of
// the same source, for somebody to look at; "make look" runs it.
func TestLook(t *testing.T) {
	dir := os.Getenv("WEBODAR_LOOK")
	if dir == "" {
		t.Skip("make look runs this")
	}
	dist, err := filepath.Abs("../engines/node_modules/mermaid/dist")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dist); err != nil {
		t.Fatalf("mermaid is not installed: %v", err)
	}
	patterns := []string{ours[0]}
	if other := os.Getenv("WEBODAR_LOOK_AT"); other != "" {
		patterns = []string{other}
	}
	d := newDrawer(t, start(t, nil, "serve", "--http", "127.0.0.1:0"))
	b := startBrowser(t)
	b.files = http.StripPrefix("/mermaid/", http.FileServer(http.Dir(dist)))
	b.put("/look.js", "text/javascript", lookScript)
	url := b.put("/look", "text/html", lookPage)
	n := 0
	for sheet := range slices.Chunk(diagrams(t, patterns...), perSheet) {
		type pair struct {
			Name string `json:"name"`
			Code string `json:"code"`
			SVG  string `json:"svg"`
		}
		var pairs []pair
		for _, ask := range sheet {
			got, err := d.draw(ask)
			if err != nil || got.Result.SVG == "" {
				t.Errorf("%s: %v %+v", ask.Name, err, got)
				continue
			}
			pairs = append(pairs, pair{ask.Name, ask.Code, got.Result.SVG})
		}
		list, err := json.Marshal(pairs)
		if err != nil {
			t.Fatal(err)
		}
		if shown, _ := visit[int](t, b, url, fmt.Sprintf("pairs(%s)", list)); shown != len(pairs) {
			t.Errorf("%d of %d pairs are shown", shown, len(pairs))
		}
		picture, err := chromedp.Run(b.tab, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		n++
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.png", n)), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Printf("%d sheets in %s\n", n, dir)
}
