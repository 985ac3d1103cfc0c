package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// ours are the diagrams of this repository: one of each type, and those that workers
// warm up with.
var ours = []string{"../internal/diagram/mermaid/testdata/types/*.mmd", "../internal/diagram/mermaid/warm/*.mmd"}

// diagrams reads the files that patterns match.
func diagrams(t *testing.T, patterns ...string) []drawing {
	t.Helper()
	var found []drawing
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no %s (%v)", pattern, err)
		}
		for _, path := range paths {
			code, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, drawing{Name: filepath.Base(path), Code: string(code), AST: true})
		}
	}
	return found
}

// record keeps the first answer to each diagram and compares the later ones with it.
type record struct {
	mu    sync.Mutex
	first map[string]string
	times map[string]int
}

func (r *record) add(t *testing.T, where string, ask drawing, got *picture) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, err := json.Marshal([]any{got.Status, got.Result, got.Error})
	if err != nil {
		t.Error(err)
	}
	r.times[ask.Name]++
	if first, known := r.first[ask.Name]; !known {
		r.first[ask.Name] = string(all)
	} else if first != string(all) {
		t.Errorf("%s: %s: another answer than the first: %s", ask.Name, where, firstDifference(first, string(all)))
	}
}

// TestMermaidSame has callers ask two servers for diagrams in any order, while the
// workers warm up and afterwards: the same request has the same answer, to the byte.
func TestMermaidSame(t *testing.T) {
	all := diagrams(t, ours...)
	r := &record{first: map[string]string{}, times: map[string]int{}}
	sameInAnyOrder(t, r, all, 2)
	// And from a process that drew nothing before.
	for _, ask := range []drawing{all[0], all[len(all)/2], all[len(all)-1]} {
		r.add(t, "webodar call", ask, called(t, ask))
	}
	for _, ask := range all {
		if r.times[ask.Name] < 4 {
			t.Errorf("%s: only %d answers", ask.Name, r.times[ask.Name])
		}
	}
}

// TestCorpusSame is TestMermaidSame over diagrams that nobody here wrote.
func TestCorpusSame(t *testing.T) {
	const valid = "../../shared/corpus/mermaid/valid/*.mmd"
	wanted := os.Getenv("WEBODAR_CORPUS")
	if wanted == "" {
		t.Skip("make corpus runs this")
	}
	if paths, err := filepath.Glob(filepath.FromSlash(valid)); wanted != "required" && (err != nil || len(paths) == 0) {
		fmt.Fprintf(os.Stderr, "SKIPPED %s: no %s\n", t.Name(), valid)
		t.Skipf("SKIPPED: no %s", valid)
	}
	sameInAnyOrder(t, &record{first: map[string]string{}, times: map[string]int{}}, diagrams(t, valid), 1)
}

// sameInAnyOrder asks two servers, each so many times for each diagram.
func sameInAnyOrder(t *testing.T, r *record, all []drawing, times int) {
	t.Helper()
	var wg sync.WaitGroup
	defer wg.Wait()
	for server := range 2 {
		d := newDrawer(t, start(t, nil, "serve", "--http", "127.0.0.1:0", "--remember-bytes", "0", "--workers", "2"))
		// The first round begins at once, the later ones with workers that have drawn
		// and have been idle: a caller at a time leaves the other worker to warm up.
		wg.Go(func() {
			for round := range times {
				callers := 3
				if round%2 == 1 {
					callers = 1
				}
				work := make(chan drawing, len(all))
				for _, i := range rand.Perm(len(all)) {
					work <- all[i]
				}
				close(work)
				var inside sync.WaitGroup
				for range callers {
					inside.Go(func() {
						for ask := range work {
							got, err := d.draw(ask)
							if err != nil {
								t.Errorf("%s: %v", ask.Name, err)
								continue
							}
							if got.Result.SVG == "" {
								t.Errorf("%s: %s", ask.Name, got.Text)
							}
							r.add(t, fmt.Sprintf("server %d, round %d", server, round), ask, got)
						}
					})
				}
				inside.Wait()
			}
		})
	}
}

// called gives the answer of "webodar call", which is a process of its own.
func called(t *testing.T, ask drawing) *picture {
	t.Helper()
	body, err := json.Marshal(ask)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "call", "mermaid_to_svg", "--json", "-")
	cmd.Stdin = strings.NewReader(string(body))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("webodar call: %v\n%s", err, out)
	}
	got := &picture{Status: 200}
	if err := json.Unmarshal(out, &got.Result); err != nil {
		t.Fatalf("webodar call: %v\n%.300s", err, out)
	}
	return got
}
