package face

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-fonts/liberation/liberationmonobold"
	"github.com/go-fonts/liberation/liberationmonobolditalic"
	"github.com/go-fonts/liberation/liberationmonoitalic"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansbolditalic"
	"github.com/go-fonts/liberation/liberationsansitalic"
	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
)

// embedded is a face that is parsed when it is first asked for.
type embedded struct {
	data         []byte
	bold, italic bool

	once sync.Once
	face *Face
}

func (e *embedded) load() *Face {
	e.once.Do(func() {
		f, err := sfnt.Parse(e.data)
		if err == nil {
			e.face, err = newFace(f)
		}
		if err != nil { // what is in the binary has been tested
			panic(fmt.Sprintf("face: embedded font: %v", err))
		}
		e.face.Bold, e.face.Italic = e.bold, e.italic
	})
	return e.face
}

// family is regular, bold, italic and bold italic.
type family [4]*embedded

func newFamily(regular, bold, italic, boldItalic []byte) *family {
	return &family{
		{data: regular},
		{data: bold, bold: true},
		{data: italic, italic: true},
		{data: boldItalic, bold: true, italic: true},
	}
}

var (
	sans = newFamily(liberationsansregular.TTF, liberationsansbold.TTF, liberationsansitalic.TTF, liberationsansbolditalic.TTF)
	mono = newFamily(liberationmonoregular.TTF, liberationmonobold.TTF, liberationmonoitalic.TTF, liberationmonobolditalic.TTF)
)

// Library is a set of faces. It may be used from several goroutines.
type Library struct {
	files []*fontFile // of further fonts, in order

	mu    sync.Mutex
	notes []string
}

// fontFile is a file that is read when a character is not found in those before it.
type fontFile struct {
	path  string
	once  sync.Once
	faces []*Face
}

var standard = &Library{}

// Embedded gives the library of nothing but the embedded faces.
func Embedded() *Library { return standard }

// Limits on directories of fonts.
const (
	maxFiles = 10_000
	maxFile  = 256 << 20
)

// Open gives a library that looks for characters without an embedded glyph in the
// .ttf, .otf, .ttc and .otc files of the given directories and below, directories as
// given and files by name. They are read when they are first needed.
func Open(dirs ...string) (*Library, error) {
	l := &Library{}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil {
			return nil, fmt.Errorf("font directory: %w", err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("font directory: %s is not a directory", dir)
		}
		var found []string
		err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				if !d.IsDir() {
					found = append(found, path)
				}
			}
			if len(found) > maxFiles {
				return errors.New("too many fonts")
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("font directory %s: %w", dir, err)
		}
		slices.Sort(found)
		for _, path := range found {
			l.files = append(l.files, &fontFile{path: path})
		}
	}
	return l, nil
}

// load gives the faces of a file; what cannot be read is noted and left out.
func (l *Library) load(f *fontFile) []*Face {
	f.once.Do(func() {
		var err error
		if f.faces, err = readFile(f.path); err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.notes = append(l.notes, fmt.Sprintf("font %s was left out: %v", filepath.Base(f.path), err))
		}
	})
	return f.faces
}

func readFile(file string) ([]*Face, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("it has %d bytes; %d are read at most", info.Size(), maxFile)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, err
	}
	var faces []*Face
	for i := range c.NumFonts() {
		f, err := c.Font(i)
		if err != nil {
			return faces, err
		}
		face, err := newFace(f)
		if err != nil {
			return faces, err
		}
		if face.Name == "" {
			face.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		}
		style, _ := f.Name(&face.buf, sfnt.NameIDSubfamily)
		face.Bold = strings.Contains(strings.ToLower(style), "bold")
		faces = append(faces, face)
	}
	return faces, nil
}

// Notes says which fonts could not be read, as far as any have been needed.
func (l *Library) Notes() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.notes)
}

// families maps the CSS families that diagrams are measured with to embedded ones. A
// name that is not here is skipped, as a browser skips a font it does not have.
var families = map[string]*family{
	"liberation sans": sans, "arial": sans, "helvetica": sans, "sans-serif": sans, "system-ui": sans,
	"liberation mono": mono, "courier new": mono, "courier": mono, "monospace": mono,
}

// Pick gives the embedded face for a CSS list of families. It never fails: without a
// family that is known it is the sans. Weights above 500 are bold (CSS Fonts 4 §5.2).
func (l *Library) Pick(list string, weight float64, italic bool) *Face {
	fam := sans
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
		if f, ok := families[name]; ok {
			fam = f
			break
		}
	}
	i := 0
	if weight > 500 {
		i |= 1
	}
	if italic {
		i |= 2
	}
	return fam[i].load()
}

// For gives a face with a glyph for r: like itself if it has one, else one of the
// further fonts, the first of those nearest in style, or nil.
func (l *Library) For(r rune, like *Face) (*Face, GlyphID) {
	if g, ok := like.Glyph(r); ok {
		return like, g
	}
	const perfect = 3
	var best *Face
	var glyph GlyphID
	score := -1
	for _, file := range l.files {
		for _, f := range l.load(file) {
			s := 0
			if f.Bold == like.Bold {
				s += 2
			}
			if f.Italic == like.Italic {
				s++
			}
			if s <= score {
				continue
			}
			if g, ok := f.Glyph(r); ok && f.shows(r, g) {
				best, glyph, score = f, g, s
			}
		}
		if score == perfect {
			break
		}
	}
	return best, glyph
}

// shows reports whether there is an outline to draw: fonts of coloured bitmaps have
// none.
func (f *Face) shows(r rune, g GlyphID) bool {
	return !f.Outline(g).Empty() || f.Advance(g) == 0 || Width(r) == 0 || r == 0x3000
}
