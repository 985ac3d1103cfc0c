package jsengine_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/jsengine"
)

func asset(t testing.TB, chunks map[string]string, order ...string) []byte {
	t.Helper()
	var list []jsengine.NamedChunk
	for _, name := range order {
		code, err := jsengine.CompileBytecode(jsengine.Source{Name: name, Code: "(function (require, exports) {" + chunks[name] + "})"})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, jsengine.NamedChunk{Name: name, Code: code})
	}
	data, err := jsengine.Write(jsengine.Info{Engine: "toy", Version: "1.2.3", Entry: "main"}, list)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var toy = map[string]string{
	"main":   `var { a: b } = require("part"); exports.sum = (n) => b + n; exports.late = () => require.later("lazy").then((m) => m.x + require("lazy").x);`,
	"part":   `exports.a = 40; globalThis.parts = (globalThis.parts ?? 0) + 1;`,
	"lazy":   `exports.x = 5; globalThis.parts++;`,
	"broken": `throw new Error("in the chunk")`,
}

func TestBundle(t *testing.T) {
	data := asset(t, toy, "main", "part", "lazy", "broken")
	if again := asset(t, toy, "main", "part", "lazy", "broken"); !bytes.Equal(data, again) {
		t.Error("equal chunks give other bytes")
	}
	b, err := jsengine.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	want := jsengine.Info{Engine: "toy", Version: "1.2.3", Entry: "main", QuickJS: jsengine.EngineVersion()}
	if diff := cmp.Diff(want, b.Info()); diff != "" {
		t.Error(diff)
	}
	r := realm(t, `
		globalThis.f = async () => [requireChunk("main").sum(2), parts, await requireChunk("main").late(), parts];
		globalThis.g = () => requireChunk("broken");
		globalThis.h = () => { try { requireChunk("nowhere") } catch {} };`, &jsengine.Options{Bundle: b})
	got, err := r.Call(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "[42,1,10,2]" {
		t.Errorf("got %s", got)
	}
	if _, err := r.Call(t.Context(), "g"); err == nil || !strings.Contains(err.Error(), "in the chunk") {
		t.Errorf("got %v", err)
	}
	if _, err := r.Call(t.Context(), "h"); err == nil || !strings.Contains(err.Error(), `no chunk "nowhere"`) {
		t.Errorf("got %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	data := asset(t, toy, "part")
	if _, err := jsengine.Open(nil); !errors.Is(err, jsengine.ErrNoBundle) {
		t.Errorf("got %v", err)
	}
	other := bytes.Replace(data, []byte(jsengine.EngineVersion()), []byte("1999-01-01"), 1)
	_, err := jsengine.Open(other)
	var version *jsengine.VersionError
	if !errors.As(err, &version) || version.Bundle != "1999-01-01" {
		t.Errorf("got %v", err)
	}
	for n := range len(data) {
		if _, err := jsengine.Open(data[:n]); err == nil {
			t.Fatalf("opened when cut to %d of %d bytes", n, len(data))
		}
	}
	if _, err := jsengine.Open(append(bytes.Clone(data), 0)); err == nil {
		t.Error("opened with a byte too many")
	}
	damaged := bytes.Clone(data)
	damaged[len(damaged)-1] ^= 0xff
	b, err := jsengine.Open(damaged)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Chunk("part"); err == nil {
		t.Error("a damaged chunk was read")
	}
}
