package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// diagram is an input and what was measured with it.
type diagram struct {
	name, code string

	warm            []time.Duration // a call over HTTP, with a pause after it
	inside, outside []time.Duration // the same in Chromium's page, measured in it and outside
	sustained       []time.Duration // a call of several over HTTP, without a pause
	cpu, pageCPU    time.Duration   // processor time of all of warm and inside, and what follows them
	calls, clis     []time.Duration // a new process: webodar call, mermaid-cli
	memory, cliPeak int             // the most that these held, in bytes
}

// types are those that every drawing of Mermaid is measured with.
var types = []string{"class", "er", "flowchart", "gantt", "journey", "pie", "sequence", "state"}

// read reads the diagrams in folder, or those of the repository's tests where it has none.
func read(folder, root string) ([]*diagram, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.mmd"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		own := filepath.Join(root, "..", "internal", "diagram", "mermaid", "testdata", "types")
		fmt.Fprintf(os.Stderr, "there are no diagrams in %s: those in %s are drawn\n", folder, own)
		for _, name := range types {
			files = append(files, filepath.Join(own, name+".mmd"))
		}
	}
	slices.Sort(files)
	var all []*diagram
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, &diagram{name: strings.TrimSuffix(filepath.Base(file), ".mmd"), code: string(code)})
	}
	return all, nil
}

// flowchart is a tree with some more edges across it.
func flowchart(nodes int) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i := 1; i < nodes; i++ {
		fmt.Fprintf(&b, "  n%d[Step %d] --> n%d[Step %d]\n", (i-1)/3, (i-1)/3, i, i)
		if i%4 == 0 {
			fmt.Fprintf(&b, "  n%d -->|again| n%d\n", i*7%nodes, i)
		}
	}
	return b.String()
}
