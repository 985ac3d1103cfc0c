package engines

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/webodar/webodar/internal/dom"
	"github.com/webodar/webodar/internal/jsengine"
)

func TestMissing(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"none":  {"assets/README.txt": {Data: []byte("x")}},
		"other": {"assets/mermaid.bundle": {Data: []byte("x")}},
	} {
		_, err := open(files, "mermaid", mermaidFile)
		var missing *MissingError
		if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), "mermaid is not in this binary: ") || !strings.Contains(missing.Hint(), "go generate") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestMermaid: every chunk of the built asset loads.
func TestMermaid(t *testing.T) {
	bundle, err := Mermaid()
	var missing *MissingError
	if errors.As(err, &missing) && os.Getenv("CI") == "" {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	info := bundle.Info()
	if info.Engine != "mermaid" || info.Entry == "" || info.QuickJS != jsengine.EngineVersion() {
		t.Errorf("got %+v", info)
	}
	opts := &jsengine.Options{Bundle: bundle, Host: dom.Host()}
	for _, s := range dom.Sources() {
		p, err := jsengine.Compile(jsengine.Source(s))
		if err != nil {
			t.Fatal(err)
		}
		opts.Programs = append(opts.Programs, p)
	}
	r, err := jsengine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	begin := time.Now()
	for _, name := range append(bundle.Names(), info.Entry) {
		if _, err := r.Call(t.Context(), "requireChunk", name); err != nil && !strings.Contains(err.Error(), "circular") {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Logf("%d chunks in %v", len(bundle.Names()), time.Since(begin))
	for _, want := range []string{"elkjs", "mermaid 12", "langium", "cytoscape", "Eclipse Public License", "github.com/go-fonts/liberation", "SIL OPEN FONT LICENSE", "Fabrice Bellard", "Go go1"} {
		if !strings.Contains(Notices(), want) {
			t.Errorf("the notices do not speak of %s", want)
		}
	}
}
