package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
)

// Picture is what stands for a fence.
type Picture struct {
	Path string // of the picture, relative to the file, with slashes
	Alt  string // what it shows, for those who do not see it
}

// A fence that has become a picture looks like this, and is known again by its first
// and last line, so that embedding twice changes nothing:
//
//	<!-- webodar: img/a.svg -->
//	![A](img/a.svg)
//
//	<details>
//	<summary>Source of the diagram</summary>
//
//	```mmd
//	flowchart TD
//	```
//
//	</details>
//
//	<!-- /webodar -->
//
// The source is not in a comment, since an arrow (-->) would end it; and its language
// is mmd, since GitHub would draw mermaid once more.
const (
	blockBegin = "<!-- webodar: "
	blockEnd   = "<!-- /webodar -->"
	summary    = "<summary>Source of the diagram</summary>"
)

var begins = regexp.MustCompile(`^<!-- webodar: .* -->$`)

// Embed returns src with pictures in place of fences, by their index in what [Fences]
// returns for src. The source is kept, folded, below the picture; where it is already,
// only the picture is named anew. All else stays as it is, to the byte.
func Embed(src []byte, pictures map[int]Picture) []byte {
	var out bytes.Buffer
	if text, marked := bytes.CutPrefix(src, byteOrderMark); marked {
		out.Write(byteOrderMark)
		src = text
	}
	at := 0
	for i, f := range fences(src) {
		p, ok := pictures[i]
		if !ok {
			continue
		}
		start, end := f.extent(src)
		if start < at { // inside a block that was replaced
			continue
		}
		out.Write(src[at:start])
		f.write(&out, src, p)
		at = end
	}
	out.Write(src[at:])
	return out.Bytes()
}

// extent is the fence's, with the block around it if it has become a picture before.
func (f *Fence) extent(src []byte) (start, end int) {
	start, above := f.blockStart(src)
	end, below := f.blockEnd(src)
	if !above || !below {
		return f.start, f.end
	}
	return start, end
}

// blockStart looks for the line that begins the block around the fence.
func (f *Fence) blockStart(src []byte) (int, bool) {
	for at := f.start; at > 0; {
		above := bytes.LastIndexByte(src[:at-1], '\n') + 1
		line := bare(src[above:at])
		switch {
		case begins.MatchString(line):
			return above, true
		case line != "" && line != "<details>" && line != summary && !strings.HasPrefix(line, "!["):
			return 0, false
		}
		at = above
	}
	return 0, false
}

// blockEnd looks for the end of the line that ends the block around the fence.
func (f *Fence) blockEnd(src []byte) (int, bool) {
	for at := f.end; at < len(src); {
		below := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			below = at + i + 1
		}
		switch line := bare(src[at:below]); {
		case line == blockEnd:
			return below, true
		case line != "" && line != "</details>":
			return 0, false
		}
		at = below
	}
	return 0, false
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// bare is a line without what says where it stands: indentation, and the marks of
// quotes and lists.
func bare(line []byte) string {
	text := strings.TrimSpace(string(line))
	if i := strings.IndexByte(text, '<'); i > 0 && strings.Trim(text[:i], " \t>-+*.)0123456789") == "" {
		return text[i:]
	}
	return strings.TrimLeft(text, "> \t")
}

// write writes the block for a fence. Its lines stand where the fence's do.
func (f *Fence) write(out *bytes.Buffer, src []byte, p Picture) {
	start, end := f.extent(src)
	lead := f.lead
	if start != f.start { // the block's first line has what a list puts there
		first := firstLine(src[start:])
		lead = string(first[:bytes.Index(first, []byte(blockBegin))])
	}
	next := continued(lead)
	ending := "\n"
	if bytes.HasSuffix(src[:f.body], []byte("\r\n")) {
		ending = "\r\n"
	}
	line := func(text string) {
		if text == "" {
			out.WriteString(strings.TrimRight(next, " \t"))
		} else {
			out.WriteString(next + text)
		}
		out.WriteString(ending)
	}
	path := escapePath(p.Path)
	out.WriteString(lead + blockBegin + path + " -->" + ending)
	line("![" + escapeAlt(p.Alt) + "](" + path + ")")
	line("")
	line("<details>")
	line(summary)
	line("")
	language, more, _ := strings.Cut(f.info, " ")
	if strings.EqualFold(language, "mermaid") {
		language = "mmd"
	}
	line(strings.TrimRight(f.mark+language+" "+more, " "))
	body := src[f.body:f.end]
	out.Write(body)
	if !bytes.HasSuffix(body, []byte("\n")) && len(body) > 0 {
		out.WriteString(ending)
	}
	if !f.closed {
		line(f.mark)
	}
	line("")
	line("</details>")
	line("")
	out.WriteString(next + blockEnd)
	if bytes.HasSuffix(src[:end], []byte("\n")) {
		out.WriteString(ending)
	}
}

// continued is what stands before the further lines of something whose first line
// begins with lead: quotes go on, and what a list item begins with is indentation.
func continued(lead string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, lead)
}

func escapeAlt(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`).
		Replace(strings.Join(strings.Fields(s), " "))
}

// escapePath makes a URL of a path: it may hold spaces, parentheses and more.
func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = strings.NewReplacer("(", "%28", ")", "%29", "--", "-%2D").Replace(url.PathEscape(part))
	}
	return strings.Join(parts, "/")
}
