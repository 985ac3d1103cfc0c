package pdf

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"

	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/geom"
)

// font is a face as far as the page uses it. A glyph that stands for different
// characters in different places is embedded once for each.
type font struct {
	name   string // as a resource
	face   *face.Face
	object int
	ids    map[use]int // glyph and characters → CID
	uses   []use       // by CID; 0 is .notdef
}

type use struct {
	id    face.GlyphID
	chars string
}

func (p *painter) font(f *face.Face) *font {
	if x, ok := p.fonts[f]; ok {
		return x
	}
	x := &font{name: fmt.Sprintf("F%d", len(p.fontList)), face: f, object: p.file.reserve(), ids: map[use]int{}, uses: []use{{}}}
	p.fonts[f] = x
	p.fontList = append(p.fontList, x)
	return x
}

func (f *font) cid(id face.GlyphID, chars string) int {
	u := use{id, chars}
	n, ok := f.ids[u]
	if !ok && len(f.uses) < math.MaxUint16 {
		n = len(f.uses)
		f.ids[u] = n
		f.uses = append(f.uses, u)
	}
	return n
}

// width is what the font says of a glyph's width, in thousandths of an em.
func (f *font) width(id face.GlyphID) float64 {
	return math.Round(f.face.Advance(id)*1e6) / 1e3
}

// write embeds the font: a composite one, so that a code is a glyph (9.7).
func (f *font) write(out *file) error {
	units := f.face.UnitsPerEm()
	glyphs := make([]outline, len(f.uses))
	widths := make([]string, len(f.uses))
	glyphs[0].path = &geom.Path{}
	widths[0] = "0"
	box := geom.Nothing
	for i, u := range f.uses[1:] {
		g := outline{f.face.Outline(u.id), f.face.Advance(u.id) * float64(units)}
		glyphs[i+1] = g
		widths[i+1] = num(f.width(u.id))
		box = box.Union(g.path.Bounds())
	}
	if box.IsNothing() {
		box = geom.Rect{}
	}
	data := trueType(glyphs, units, f.face.Ascent, f.face.Descent)
	program, err := out.stream(fmt.Sprintf("/Length1 %d", len(data)), data)
	if err != nil {
		return err
	}
	unicode, err := out.stream("", []byte(f.toUnicode()))
	if err != nil {
		return err
	}
	name := subsetTag(data) + "+" + safeName(f.face.Name)
	k := 1000 / float64(units)
	flags := 32 // not symbolic
	if f.face.Mono {
		flags |= 1
	}
	angle := "0"
	if f.face.Italic {
		flags |= 64
		angle = "-12"
	}
	weight := 80
	if f.face.Bold {
		weight = 140
	}
	descriptor := out.add(fmt.Sprintf("<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[%s %s %s %s]/ItalicAngle %s/Ascent %s/Descent %s/CapHeight %s/StemV %d/FontFile2 %d 0 R>>",
		name, flags, num(box.X0*k), num(-box.Y1*k), num(box.X1*k), num(-box.Y0*k), angle,
		num(f.face.Ascent*1000), num(-f.face.Descent*1000), num(f.face.XHeight*1400), weight, program))
	cid := out.add(fmt.Sprintf("<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %d 0 R/DW 0/W[0[%s]]/CIDToGIDMap/Identity>>",
		name, descriptor, strings.Join(widths, " ")))
	out.set(f.object, fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", name, cid, unicode))
	return nil
}

// toUnicode says which characters each glyph stands for (9.10.3).
func (f *font) toUnicode() string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n")
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "%d beginbfchar\n%s\nendbfchar\n", len(lines), strings.Join(lines, "\n"))
		}
		lines = nil
	}
	for i, u := range f.uses {
		if u.chars == "" {
			continue
		}
		lines = append(lines, fmt.Sprintf("<%04X><%s>", i, utf16Hex(u.chars)))
		if len(lines) == 100 {
			flush()
		}
	}
	flush()
	b.WriteString("endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend\n")
	return b.String()
}

// subsetTag gives the six letters that mark a subset, made from what is in it.
func subsetTag(data []byte) string {
	sum := sha256.Sum256(data)
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + sum[i]%26
	}
	return string(tag)
}

func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, name)
	if name == "" {
		return "Font"
	}
	return name
}
