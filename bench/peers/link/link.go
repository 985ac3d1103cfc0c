// Package link is what the Go peers offer: the tool encodePlantUML, with
// webodar's encoder behind it, so that peers differ in how they serve it only.
package link

import (
	"flag"
	"fmt"
	"os"

	"github.com/webodar/webodar/encoder"
)

// What the tool is called.
const (
	Name        = "encodePlantUML"
	Description = "Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com"
)

// Input is the tool's argument.
type Input struct {
	PlantUMLCode string `json:"plantumlCode" jsonschema:"Valid PlantUML diagram code"`
}

// Output is the tool's result.
type Output struct {
	URL     string `json:"url" jsonschema:"link that shows the diagram"`
	Encoded string `json:"encoded" jsonschema:"the diagram as PlantUML's URL code"`
	Format  string `json:"format" jsonschema:"what the link shows: svg"`
}

// Make runs the tool.
func Make(in Input) (Output, error) {
	url, code, err := encoder.URL(in.PlantUMLCode, nil)
	if err != nil {
		return Output{}, fmt.Errorf("encoding: %w", err)
	}
	return Output{URL: url, Encoded: code, Format: encoder.DefaultFormat}, nil
}

// Serve runs a peer: over HTTP on the address of the flag -http, or else over
// stdio, which is nil for a peer that has none.
func Serve(stdio func() error, http func(addr string) error) {
	addr := flag.String("http", "", "serve HTTP on this `ADDRESS` instead of stdio")
	flag.Parse()
	run := stdio
	if *addr != "" {
		run = func() error { return http(*addr) }
	}
	if run == nil {
		fmt.Fprintln(os.Stderr, "this peer needs -http ADDRESS")
		os.Exit(2)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
