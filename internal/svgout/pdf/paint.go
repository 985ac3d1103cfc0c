package pdf

import (
	"context"
	"fmt"
	"strings"

	"github.com/webodar/webodar/internal/svgout/display"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// Options describe the document.
type Options struct {
	Title, Subject, Lang string
	Background           display.Colour
}

// pt is how many points a px is.
const pt = 0.75

// tilt turns the page by less than anyone can see or print. Poppler moves lines that are
// exactly upright or level to whole pixels, half a pixel off at worst, and so in another
// width than browsers show them in; the tilt keeps it from that.
const tilt = 1e-7

// maxPage is the longest side of a page, in its units (ISO 32000-1, annex C).
const maxPage = 14_400

// Paint writes a list as a PDF.
func Paint(ctx context.Context, l *display.List, o Options) ([]byte, error) {
	p := &painter{ctx: ctx, file: &file{}, fonts: map[*face.Face]*font{}, states: map[string]string{}, objects: map[string]string{}}
	root, pages, page, info := p.file.reserve(), p.file.reserve(), p.file.reserve(), p.file.reserve()
	resources := p.file.reserve()
	p.resources = resources

	// A page that is too large for its units has larger ones.
	unit := 1.0
	if most := max(l.Width, l.Height) * pt; most > maxPage {
		unit = most / maxPage
	}
	k := pt / unit
	w, h := l.Width*k, l.Height*k
	base := geom.Matrix{A: k, B: tilt, C: tilt, D: -k, F: h}
	c := &content{base: base}
	c.op("%s cm", matrix(base))
	if bg := o.Background; bg.A > 0 {
		p.items(c, []display.Item{&display.Shape{Path: geom.RectPath(0, 0, l.Width, l.Height, 0, 0), Matrix: geom.Identity, Fill: &display.Paint{Colour: bg}}})
	}
	p.items(c, l.Items)
	if p.err != nil {
		return nil, p.err
	}
	stream, err := p.file.stream("", c.buf)
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	for _, f := range p.fontList {
		if err := f.write(p.file); err != nil {
			return nil, fmt.Errorf("pdf: font: %w", err)
		}
	}
	p.file.set(resources, p.resourceDict())

	dict := fmt.Sprintf("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Resources %d 0 R/Contents %d 0 R/Group<</S/Transparency/CS/DeviceRGB/I true>>", pages, num(w), num(h), resources, stream)
	if unit != 1 {
		dict += "/UserUnit " + num(unit)
	}
	if len(l.Links) > 0 {
		var annots []string
		for _, link := range l.Links {
			annots = append(annots, fmt.Sprintf("%d 0 R", p.file.add(annotation(link, base))))
		}
		dict += "/Annots[" + strings.Join(annots, " ") + "]"
	}
	p.file.set(page, dict+">>")
	p.file.set(pages, fmt.Sprintf("<</Type/Pages/Kids[%d 0 R]/Count 1>>", page))
	catalog := fmt.Sprintf("<</Type/Catalog/Pages %d 0 R", pages)
	if o.Lang != "" {
		catalog += "/Lang" + text(o.Lang)
	}
	about := "<</Producer(webodar)"
	if o.Title != "" {
		catalog += "/ViewerPreferences<</DisplayDocTitle true>>"
		about += "/Title" + text(o.Title)
	}
	if o.Subject != "" {
		about += "/Subject" + text(o.Subject)
	}
	p.file.set(root, catalog+">>")
	p.file.set(info, about+">>")
	return p.file.bytes(root, info), nil
}

// annotation is a link without a border.
func annotation(l display.Link, base geom.Matrix) string {
	r := base.Bounds(l.Area)
	return fmt.Sprintf("<</Type/Annot/Subtype/Link/F 4/Rect[%s %s %s %s]/Border[0 0 0]/A<</S/URI/URI%s>>>>", num(r.X0), num(r.Y0), num(r.X1), num(r.Y1), literal(asciiURL(l.URL)))
}

// asciiURL writes what is not ASCII as URLs do.
func asciiURL(u string) string {
	var b strings.Builder
	for i := range len(u) {
		if c := u[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

type painter struct {
	ctx       context.Context
	err       error
	count     int
	file      *file
	resources int
	fonts     map[*face.Face]*font
	fontList  []*font
	states    map[string]string // dictionary → name of an ExtGState
	stateList []string          // in order of names
	objects   map[string]string // names of forms, patterns and images that are there already
	xobjects  []int
	patterns  []int
}

func (p *painter) resourceDict() string {
	var b strings.Builder
	b.WriteString("<<")
	if len(p.fontList) > 0 {
		b.WriteString("/Font<<")
		for _, f := range p.fontList {
			fmt.Fprintf(&b, "/%s %d 0 R", f.name, f.object)
		}
		b.WriteString(">>")
	}
	if len(p.stateList) > 0 {
		b.WriteString("/ExtGState<<")
		for i, dict := range p.stateList {
			fmt.Fprintf(&b, "/G%d<<%s>>", i, dict)
		}
		b.WriteString(">>")
	}
	list := func(kind, name string, numbers []int) {
		if len(numbers) > 0 {
			fmt.Fprintf(&b, "/%s<<", kind)
			for i, n := range numbers {
				fmt.Fprintf(&b, "/%s%d %d 0 R", name, i, n)
			}
			b.WriteString(">>")
		}
	}
	list("XObject", "X", p.xobjects)
	list("Pattern", "P", p.patterns)
	b.WriteString(">>")
	return b.String()
}

// state gives the name of a graphics state.
func (p *painter) state(dict string) string {
	name, ok := p.states[dict]
	if !ok {
		name = fmt.Sprintf("G%d", len(p.stateList))
		p.states[dict] = name
		p.stateList = append(p.stateList, dict)
	}
	return name
}

// form adds content as a form and gives its name. A group is composed as one.
func (p *painter) form(c *content, box geom.Rect, group string) string {
	dict := fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[%s %s %s %s]/Resources %d 0 R", num(box.X0), num(box.Y0), num(box.X1), num(box.Y1), p.resources)
	if group != "" {
		dict += "/Group<</S/Transparency" + group + ">>"
	}
	key := dict + "\n" + string(c.buf)
	if name, ok := p.objects[key]; ok {
		return name
	}
	n, err := p.file.stream(dict, c.buf)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("pdf: %w", err)
	}
	name := fmt.Sprintf("X%d", len(p.xobjects))
	p.xobjects = append(p.xobjects, n)
	p.objects[key] = name
	return name
}

func (p *painter) items(c *content, items []display.Item) {
	for _, it := range items {
		if p.count++; p.count%64 == 0 && p.err == nil {
			p.err = context.Cause(p.ctx)
		}
		if p.err != nil {
			return
		}
		switch it := it.(type) {
		case *display.Shape:
			p.shape(c, it)
		case *display.Text:
			p.text(c, it)
		case *display.Image:
			p.image(c, it)
		case *display.Group:
			p.group(c, it)
		}
	}
}
