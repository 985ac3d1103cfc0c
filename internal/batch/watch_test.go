package batch_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/batch"
)

// watched runs Watch and returns what it tells, and what ends it.
func watched(t *testing.T, names ...string) (told <-chan []string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	rounds := make(chan []string, 100)
	done := make(chan error, 1)
	go func() {
		done <- batch.Watch(ctx, names, func(names []string) { rounds <- names })
	}()
	return rounds, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// next waits for a round. Systems differ in how many they make of one change, so rounds
// like the last are passed over.
func next(t *testing.T, told <-chan []string, last, want []string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		select {
		case got := <-told:
			if cmp.Equal(got, last) && !cmp.Equal(got, want) {
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
			return
		case <-deadline:
			t.Fatalf("nothing was told; want %v", want)
		}
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	in(t, map[string]string{"docs/a.mmd": "a", "docs/b.md": "b", "docs/c.txt": "c", "one.mmd": "1", "two.mmd": "2"})
	told, stop := watched(t, "docs", "one.mmd")
	defer stop()
	first := []string{"docs/a.mmd", "docs/b.md", "one.mmd"}
	next(t, told, nil, first)

	put(t, "two.mmd", "not watched")
	put(t, "docs/c.txt", "not drawable")
	put(t, "docs/a.mmd", "changed")
	a := []string{"docs/a.mmd"}
	next(t, told, first, a)

	// As editors save: another file takes the place of the old one.
	put(t, "one.tmp", "changed")
	if err := os.Rename("one.tmp", "one.mmd"); err != nil {
		t.Fatal(err)
	}
	one := []string{"one.mmd"}
	next(t, told, a, one)

	if err := os.MkdirAll("docs/new/deep", 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, "docs/new/deep/d.mmd", "d")
	d := []string{"docs/new/deep/d.mmd"}
	next(t, told, one, d)

	if err := os.Remove("docs/a.mmd"); err != nil {
		t.Fatal(err)
	}
	put(t, "docs/b.md", "changed")
	next(t, told, d, []string{"docs/b.md"})
}

func TestWatchNothing(t *testing.T) {
	in(t, nil)
	if err := batch.Watch(t.Context(), []string{"none"}, func([]string) {}); err == nil {
		t.Error("a path that is not there passed")
	}
}
