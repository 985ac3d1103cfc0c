// Package markdown finds the fenced code blocks of a Markdown file, tells where a
// place in one stands in the file, and puts pictures in their stead:
//
//	for _, f := range markdown.Fences(src) {
//		if f.Language == "mermaid" {
//			draw(f.Code)
//		}
//	}
//	src = markdown.Embed(src, map[int]markdown.Picture{0: {Path: "img/a.svg", Alt: "A"}}, nil)
//
// What is a fence, in lists, quotes and comments too, goldmark decides, by CommonMark's
// rules. The package draws nothing and reads no files.
package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Fence is a fenced code block that names a language.
type Fence struct {
	Language string // the first word after the opening fence, in lower case
	Code     string // without the indentation of what the fence stands in; lines end with \n
	Line     int    // of the opening fence, from 1

	columns []int  // for each line of Code, the characters before it in the file
	start   int    // offset of the line of the opening fence
	body    int    // offset of the line after it
	end     int    // offset after the closing fence's line break, or after the last line
	lead    string // what stands before the opening fence in its line
	mark    string // the fence's characters
	info    string // what follows them
	closed  bool
}

// Place returns where a place in Code stands in the file. Lines and columns count
// from 1, columns in characters.
func (f *Fence) Place(line, column int) (fileLine, fileColumn int) {
	if i := line - 1; i >= 0 && i < len(f.columns) {
		column += f.columns[i]
	}
	return f.Line + line, column
}

// Fences returns the fences of src in their order, those without a language left out.
func Fences(src []byte) []Fence {
	text, _ := bytes.CutPrefix(src, byteOrderMark)
	return fences(text)
}

var byteOrderMark = []byte("\ufeff")

// fences are those of a text without a byte order mark.
func fences(src []byte) []Fence {
	lines := lineStarts(src)
	var found []Fence
	// Only blocks matter, so nothing inline is parsed.
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	root := p.Parse(text.NewReader(src))
	walk(root, func(b *ast.FencedCodeBlock) {
		if b.Info == nil {
			return
		}
		info := b.Info.Segment
		words := strings.Fields(string(info.Value(src)))
		if len(words) == 0 {
			return
		}
		found = append(found, fence(src, lines, b, info.Start, words[0]))
	})
	slices.SortFunc(found, func(a, b Fence) int { return a.start - b.start })
	return found
}

func walk(n ast.Node, f func(*ast.FencedCodeBlock)) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if b, ok := c.(*ast.FencedCodeBlock); ok {
			f(b)
		} else if c.Type() == ast.TypeBlock {
			walk(c, f)
		}
	}
}

// fence describes b, whose info string stands at offset info.
func fence(src []byte, lines []int, b *ast.FencedCodeBlock, info int, language string) Fence {
	row := rowOf(lines, info)
	f := Fence{Language: strings.ToLower(language), Line: row + 1, start: lines[row], body: lineEnd(src, lines, row)}
	before := bytes.TrimRight(src[f.start:info], " \t")
	mark := before[len(before)-1]
	run := len(before) - len(bytes.TrimRight(before, string(mark)))
	f.lead = string(before[:len(before)-run])
	f.mark = string(before[len(before)-run:])
	f.info = strings.TrimSpace(string(src[info:f.body]))
	var code strings.Builder
	last := row
	for _, s := range b.Lines().Sliced(0, b.Lines().Len()) {
		last = rowOf(lines, s.Start)
		f.columns = append(f.columns, utf8.RuneCount(src[lines[last]:s.Start])-s.Padding)
		line := s.Value(src)
		code.Write(bytes.TrimRight(line, "\r\n"))
		code.WriteByte('\n')
	}
	f.Code = code.String()
	f.end = lineEnd(src, lines, last)
	if next := last + 1; next < len(lines) && closes(src[lines[next]:lineEnd(src, lines, next)], mark, run) {
		f.closed, f.end = true, lineEnd(src, lines, next)
	}
	return f
}

// closes reports whether line closes a fence of run marks.
func closes(line []byte, mark byte, run int) bool {
	line = bytes.Trim(line, " \t\r\n>")
	return len(line) >= run && len(bytes.Trim(line, string(mark))) == 0
}

// lineStarts are the offsets at which lines begin.
func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// rowOf returns the line, from 0, that offset is in.
func rowOf(starts []int, offset int) int {
	i, exact := slices.BinarySearch(starts, offset)
	if exact {
		return i
	}
	return i - 1
}

func lineEnd(src []byte, starts []int, row int) int {
	if row+1 < len(starts) {
		return starts[row+1]
	}
	return len(src)
}
