package mermaid_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// sources are the diagrams of folders, by their paths.
func sources(t testing.TB, patterns ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no %s (%v)", pattern, err)
		}
		for _, path := range paths {
			code, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found[path] = string(code)
		}
	}
	return found
}

// outcomeIn draws in a realm and gives all there is to say of it.
func outcomeIn(t testing.TB, r *mermaid.Realm, code string) string {
	t.Helper()
	input, err := json.Marshal(&mermaid.Request{Code: code, Model: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Run(context.Background(), input)
	if err != nil {
		t.Fatalf("%v\n%s", err, code)
	}
	return string(out)
}

// TestColdAndWarm: every type is drawn to the same bytes by a realm that is new, by one
// that was warmed, and by that one again after others, in any order.
func TestColdAndWarm(t *testing.T) {
	all := sources(t, "testdata/types/*.mmd", "warm/*.mmd")
	all["broken"] = "flowchart TD\n  a[open --> b\n"
	all["unknown"] = "flowchrt TD\n  a --> b\n"
	cold := map[string]string{}
	for name, code := range all {
		cold[name] = outcomeIn(t, fresh(t), code)
		if name != "broken" && name != "unknown" && !json.Valid([]byte(cold[name])) {
			t.Errorf("%s: %s", name, cold[name])
		}
	}
	warm := fresh(t)
	compare := func(when string) {
		names := make([]string, 0, len(all))
		for name := range all {
			names = append(names, name)
		}
		rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			if diff := cmp.Diff(cold[name], outcomeIn(t, warm, all[name])); diff != "" {
				t.Errorf("%s, %s: cold and warm differ: %s", name, when, diff)
			}
			if err := warm.Reset(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for step, more := 0, true; more; step++ {
		var err error
		if more, err = warm.Warm(); err != nil {
			t.Fatal(err)
		}
		if err := warm.Keep(); err != nil {
			t.Fatal(err)
		}
		if step == 1 && !testing.Short() {
			compare("half warm")
		}
	}
	compare("warm")
}

// TestTypes: there is a diagram of every type, and all are drawn.
func TestTypes(t *testing.T) {
	for name, code := range sources(t, "testdata/types/*.mmd") {
		t.Run(filepath.Base(name), func(t *testing.T) { mustRender(t, &mermaid.Request{Code: code}) })
	}
}

func TestWarmersAreNumbered(t *testing.T) {
	for name := range sources(t, "warm/*.mmd") {
		if !regexp.MustCompile(`^\d+-[a-z]+\.mmd$`).MatchString(filepath.Base(name)) {
			t.Errorf("%s: begin the name with its place among the steps, as in 3-class.mmd", name)
		}
	}
}

// BenchmarkWarm draws each type as a worker does that has warmed up. What bringing the
// realm back takes, after each drawing, is told apart. For comparing two commits with
// benchstat, on a machine with nothing else to do.
func BenchmarkWarm(b *testing.B) {
	r := fresh(b)
	for more := true; more; {
		var err error
		if more, err = r.Warm(); err != nil {
			b.Fatal(err)
		}
	}
	if err := r.Keep(); err != nil {
		b.Fatal(err)
	}
	for path, code := range sources(b, "testdata/types/*.mmd") {
		b.Run(strings.TrimSuffix(filepath.Base(path), ".mmd"), func(b *testing.B) {
			var reset time.Duration
			for b.Loop() {
				outcomeIn(b, r, code)
				b.StopTimer()
				begun := time.Now()
				if err := r.Reset(); err != nil {
					b.Fatal(err)
				}
				reset += time.Since(begun)
				b.StartTimer()
			}
			b.ReportMetric(float64(reset.Nanoseconds())/float64(b.N), "reset-ns/op")
		})
	}
}
