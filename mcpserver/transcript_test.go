package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/webodar/webodar/mcpserver"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// TestTranscripts plays the messages of each file's "send" sections, one by
// one, over stdio and over HTTP with a session. What comes back over stdio must
// be the "receive" section that follows, as JSON; over HTTP the same, but for a
// notification, which comes back as nothing.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		opts := &mcpserver.Options{Version: "1.2.3", Instructions: "Be brief."}
		t.Run(name+"/stdio", func(t *testing.T) {
			c := startStdio(t, newFixture(t, nil).serve(t, opts))
			play(t, path, *update, func(msg string) map[string]any {
				c.send(msg)
				return c.recv()
			}, c.send)
		})
		t.Run(name+"/http", func(t *testing.T) {
			c := startHTTP(t, newFixture(t, nil).serve(t, opts))
			play(t, path, false, func(msg string) map[string]any {
				_, got := c.post(strings.TrimSpace(msg))
				return got
			}, c.fire)
		})
	}
}

func play(t *testing.T, path string, update bool, exchange func(string) map[string]any, notify func(string)) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i++ {
		send := archive.Files[i]
		if send.Name != "send" {
			t.Fatalf("section %d is %q, want send", i, send.Name)
		}
		if i+1 == len(archive.Files) || archive.Files[i+1].Name != "receive" {
			notify(string(send.Data))
			continue
		}
		i++
		got := exchange(string(send.Data))
		if update {
			archive.Files[i].Data = indent(t, got)
			continue
		}
		var want map[string]any
		if err := json.Unmarshal(archive.Files[i].Data, &want); err != nil {
			t.Fatalf("section %d: %v", i, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("answer to %s-want +got:\n%s", send.Data, diff)
		}
	}
	if update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func indent(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
