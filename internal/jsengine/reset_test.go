package jsengine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/jsengine"
)

// TestReset: whatever a call has done, the realm is what it was.
func TestReset(t *testing.T) {
	host := map[string]jsengine.HostFunc{"hostPanic": func([]any) (any, error) { panic("broken") }}
	r := realm(t, `
		let count = 0;
		const keep = new Map([["a", [1, 2, 3]]]);
		const big = () => { const all = []; for (let i = 0; i < 2e5; i++) all.push({ i }); return all.length };
		globalThis.next = () => [++count, keep.size, keep.get("a").push(count), Math.random(), Date.now(), Object.keys(globalThis).length];
		globalThis.spoil = () => { keep.clear(); globalThis.extra = big(); Array.prototype.push = null; delete globalThis.next; count = 99; setTimeout(() => { count = 1000 }, 1) };
		globalThis.loop = () => { for (;;) keep.set(keep.size, 1) };
		globalThis.deep = () => { const f = () => 1 + f(); return f() };
		globalThis.memory = () => { const a = []; for (;;) a.push(new Array(1000).fill(a.length)) };
		globalThis.panics = () => hostPanic();
		globalThis.throws = () => { throw new Error("x") };`, &jsengine.Options{Host: host, MemoryLimit: 64 << 20})
	if err := r.Reset(); err == nil {
		t.Error("a realm that was never frozen was reset")
	}
	if err := r.Freeze(); err != nil {
		t.Fatal(err)
	}
	call := func(function string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		if function == "loop" {
			ctx, cancel = context.WithTimeout(t.Context(), 30*time.Millisecond)
		}
		defer cancel()
		answer, err := r.Call(ctx, function)
		if err != nil && function == "next" {
			t.Fatal(err)
		}
		return string(answer)
	}
	want := call("next")
	for _, function := range []string{"next", "spoil", "loop", "deep", "memory", "panics", "throws", "next"} {
		if err := r.Reset(); err != nil {
			t.Fatal(err)
		}
		call(function)
		if err := r.Reset(); err != nil {
			t.Fatal(err)
		}
		if got := call("next"); got != want {
			t.Errorf("after %s: got %s, want %s", function, got, want)
		}
	}
	// What was done before a second freezing stays.
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	first := call("next")
	if err := r.Freeze(); err != nil {
		t.Fatal(err)
	}
	second := call("next")
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	if got := call("next"); got != second || got == first {
		t.Errorf("got %s, then %s, then %s", first, second, got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Reset(); !errors.Is(err, jsengine.ErrSpent) {
		t.Errorf("a closed realm: %v", err)
	}
}

func BenchmarkReset(b *testing.B) {
	r := realm(b, `const all = []; for (let i = 0; i < 3e5; i++) all.push({ i }); globalThis.touch = () => { for (let i = 0; i < all.length; i += 100) all[i].i++ }`, nil)
	if err := r.Freeze(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Call(b.Context(), "touch"); err != nil {
			b.Fatal(err)
		}
		if err := r.Reset(); err != nil {
			b.Fatal(err)
		}
	}
}
