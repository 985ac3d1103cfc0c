// Package batch draws and checks the diagrams of many files: diagrams by themselves and
// those in the fences of Markdown.
//
//	files, problems := batch.Load(ctx, names, nil)
//	batch.Draw(ctx, catalogue, files, &batch.DrawOptions{OutDir: "img"}, func(o batch.Outcome) {
//		fmt.Println(o.Path)
//	})
//
// Jobs run side by side and are told in their order; a failure is one outcome and stops
// nothing. Drawing itself is the catalogue's: its tools are called as any client would.
// The package prints nothing and knows no flags.
package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/markdown"
)

// Kind is what a file holds.
type Kind string

// The kinds of files.
const (
	Mermaid  Kind = "mermaid"
	PlantUML Kind = "plantuml"
	Markdown Kind = "markdown"
)

// Kinds are their names, for people.
var Kinds = []string{string(Mermaid), string(PlantUML), string(Markdown)}

var kindOfExtension = map[string]Kind{
	".mmd": Mermaid, ".mermaid": Mermaid,
	".puml": PlantUML, ".plantuml": PlantUML, ".pu": PlantUML, ".wsd": PlantUML, ".iuml": PlantUML,
	".md": Markdown, ".markdown": Markdown,
}

var kindOfLanguage = map[string]Kind{
	"mermaid": Mermaid, "mmd": Mermaid,
	"plantuml": PlantUML, "puml": PlantUML,
}

// KindOf returns the kind that a file's extension stands for; empty if it stands for none.
func KindOf(name string) Kind { return kindOfExtension[strings.ToLower(filepath.Ext(name))] }

// Caller calls tools; a catalogue is one.
type Caller interface {
	Call(ctx context.Context, tool string, args json.RawMessage) (*catalog.Result, error)
}

// File is a file that was read.
type File struct {
	Name     string // as it was given; "-" is standard input
	Kind     Kind
	Data     []byte // UTF-8
	Diagrams []*Diagram

	below string // its directory, relative to the directory that was named
}

// Diagram is a whole file, or a fence in one.
type Diagram struct {
	File   *File
	Kind   Kind // Mermaid or PlantUML
	Code   string
	Number int // of the fence among those with diagrams, from 1; 0 for a whole file

	fence *markdown.Fence // nil for a whole file
	index int             // of the fence among all
}

const byteOrderMark = "\ufeff"

// newFile finds the diagrams in a file's text.
func newFile(name string, kind Kind, data []byte) *File {
	f := &File{Name: name, Kind: kind, Data: data}
	if kind != Markdown {
		f.Diagrams = []*Diagram{{File: f, Kind: kind, Code: strings.TrimPrefix(string(data), byteOrderMark)}}
		return f
	}
	for i, fence := range markdown.Fences(data) {
		kind := kindOfLanguage[fence.Language]
		if kind == "" {
			continue
		}
		f.Diagrams = append(f.Diagrams, &Diagram{
			File: f, Kind: kind, Code: fence.Code, Number: len(f.Diagrams) + 1, fence: &fence, index: i,
		})
	}
	return f
}

// Place returns where a place in the diagram stands in its file. Line 0 is nowhere, and
// becomes where the diagram begins.
func (d *Diagram) Place(line, column int) (int, int) {
	switch {
	case d.fence == nil:
		return max(line, 1), max(column, 1)
	case line <= 0:
		return d.fence.Line, 1
	}
	return d.fence.Place(line, max(column, 1))
}

// Name is the file's, with the line for a fence.
func (d *Diagram) Name() string {
	if d.fence == nil {
		return display(d.File.Name)
	}
	return fmt.Sprintf("%s:%d", display(d.File.Name), d.fence.Line)
}

func display(name string) string {
	if name == Stdin {
		return "stdin"
	}
	return name
}

// checkText says what stops data from being text.
func checkText(name string, data []byte) *Problem {
	if utf8.Valid(data) {
		return nil
	}
	line, column := 1, 1
	for rest := data; ; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			break
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		rest = rest[size:]
	}
	return &Problem{
		File: display(name), Line: line, Column: column, Severity: Error, Code: "INVALID_UTF8", Message: "the file is not UTF-8 from here on",
		Hint: "Convert it first, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
	}
}
