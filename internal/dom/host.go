package dom

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
)

// Host gives the Go functions the scripts call, by the global name they must
// be registered under. They are pure: the same arguments always give the same
// answer, and nothing outside the arguments is read.
func Host() map[string]func(args []any) (any, error) {
	return map[string]func(args []any) (any, error){
		"__dom_font":     hostFont,
		"__dom_text":     hostText,
		"__dom_path":     hostPath,
		"__dom_length":   hostLength,
		"__dom_point":    hostPoint,
		"__dom_document": hostDocument,
		"__dom_fragment": hostFragment,
		"__dom_btoa":     hostBtoa,
		"__dom_atob":     hostAtob,
	}
}

// hostFont(font) → [ascent, descent, xHeight]
func hostFont(args []any) (any, error) {
	f, err := parseFont(str(args, 0))
	if err != nil {
		return nil, err
	}
	ascent, descent := f.lineBox()
	return []float64{ascent, descent, f.face.xHeight * f.size / f.face.unitsPerEm}, nil
}

// hostText(font, letterSpacing, text) → [advance, left, right, top, bottom]
func hostText(args []any) (any, error) {
	f, err := parseFont(str(args, 0))
	if err != nil {
		return nil, err
	}
	e := f.measure(str(args, 2), num(args, 1))
	return []float64{e.advance, e.left, e.right, e.top, e.bottom}, nil
}

// hostPath(d) → [x, y, width, height], or null for a path that draws nothing
func hostPath(args []any) (any, error) {
	x0, y0, x1, y1, ok := pathBox(parsePath(str(args, 0)))
	if !ok {
		return nil, nil
	}
	return []float64{x0, y0, x1 - x0, y1 - y0}, nil
}

// hostLength(d) → length
func hostLength(args []any) (any, error) { return finite(pathLength(parsePath(str(args, 0)))), nil }

// hostPoint(d, distance) → [x, y]
func hostPoint(args []any) (any, error) {
	p := pointAt(parsePath(str(args, 0)), num(args, 1))
	return []float64{finite(p.x), finite(p.y)}, nil
}

// hostDocument(html) → nodes
func hostDocument(args []any) (any, error) { return parseDocument(str(args, 0)) }

// hostFragment(html, contextName, contextNamespace) → nodes
func hostFragment(args []any) (any, error) {
	return parseFragment(str(args, 0), str(args, 1), str(args, 2))
}

// hostBtoa(text) → Base64, or null for characters beyond Latin-1
func hostBtoa(args []any) (any, error) {
	text := str(args, 0)
	b := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return nil, nil
		}
		b = append(b, byte(r))
	}
	return base64.StdEncoding.EncodeToString(b), nil
}

// hostAtob(code) → text of a character a byte, or null. The code has lost its "=";
// bits that make no byte are left out, as browsers do.
func hostAtob(args []any) (any, error) {
	code := str(args, 0)
	if len(code)%4 == 1 {
		return nil, nil
	}
	b, err := base64.RawStdEncoding.DecodeString(code)
	if err != nil {
		return nil, nil //nolint:nilerr // null is what script takes for it
	}
	var text strings.Builder
	for _, c := range b {
		text.WriteRune(rune(c))
	}
	return text.String(), nil
}

func str(args []any, i int) string {
	if i < len(args) {
		if s, ok := args[i].(string); ok {
			return s
		}
		return fmt.Sprint(args[i])
	}
	return ""
}

// num reads a JavaScript number, which arrives as int or float64.
func num(args []any, i int) float64 {
	if i < len(args) {
		switch v := args[i].(type) {
		case int:
			return float64(v)
		case int64:
			return float64(v)
		case float64:
			return finite(v)
		}
	}
	return 0
}

func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
