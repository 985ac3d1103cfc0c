package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

func TestFlowchart(t *testing.T) {
	found := regexp.MustCompile(`\bn\d+\b`).FindAllString(flowchart(100), -1)
	slices.Sort(found)
	if n := len(slices.Compact(found)); n != 100 {
		t.Errorf("it has %d nodes", n)
	}
}

func TestFreshInputsDiffer(t *testing.T) {
	b := &bench{}
	if first, second := b.fresh("pie\n\"a\": 1\n"), b.fresh("pie\n\"a\": 1\n"); first == second {
		t.Errorf("twice %q", first)
	}
}

func TestRead(t *testing.T) {
	folder := t.TempDir()
	own, err := read(folder, filepath.Join("..", ".."))
	if err != nil || len(own) != len(types) {
		t.Fatalf("%d diagrams of the repository's, %v", len(own), err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.mmd"), []byte("pie"), 0o600); err != nil {
		t.Fatal(err)
	}
	if named, err := read(folder, ""); err != nil || len(named) != 1 || named[0].name != "a" || named[0].code != "pie" {
		t.Errorf("%v, %v", named, err)
	}
}

func TestSelectJobs(t *testing.T) {
	if _, err := selectJobs("warm,cold"); err == nil {
		t.Error("a job that does not exist was selected")
	}
	if some, err := selectJobs("timeout,warm"); err != nil || len(some) != 2 || some[0].name != "timeout" {
		t.Errorf("%v, %v", some, err)
	}
}

func TestKind(t *testing.T) {
	if k := kind(`<svg role="graphics-document document" aria-roledescription="pie">`); k != "pie" {
		t.Errorf("kind = %q", k)
	}
	if k := kind("<svg>"); k != "" {
		t.Errorf("kind = %q", k)
	}
}
