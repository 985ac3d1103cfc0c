package css

import (
	"strings"

	"github.com/webodar/webodar/internal/svgout/geom"
)

// origin says where a declaration stands: that decides whether a bare number is a
// length. In a style sheet it is not; in an attribute it is, and in a style attribute
// too, which browsers read in quirks mode for SVG.
type origin uint8

const (
	fromAttribute origin = iota
	fromSheet
	fromStyle
)

func oneOf(words ...string) func(string, origin) bool {
	return func(v string, _ origin) bool {
		for _, w := range words {
			if strings.EqualFold(v, w) {
				return true
			}
		}
		return false
	}
}

func isColour(v string, _ origin) bool {
	_, ok := ParseColour(v)
	return ok || strings.EqualFold(v, "currentcolor")
}

func isPaint(v string, from origin) bool {
	return strings.EqualFold(v, "none") || isColour(v, from) || strings.HasPrefix(strings.ToLower(v), "url(") ||
		strings.EqualFold(v, "context-fill") || strings.EqualFold(v, "context-stroke")
}

func isURLOr(v string, _ origin) bool {
	return strings.EqualFold(v, "none") || strings.HasPrefix(strings.ToLower(v), "url(")
}

func isNumber(v string, _ origin) bool {
	_, n := geom.ScanNumber(v)
	return n > 0 && n == len(v)
}

func isAlpha(v string, from origin) bool {
	return isNumber(strings.TrimSuffix(v, "%"), from)
}

var units = map[string]bool{
	"px": true, "em": true, "ex": true, "rem": true, "ch": true, "pt": true, "pc": true, "in": true, "cm": true, "mm": true,
	"q": true, "%": true, "vw": true, "vh": true, "vmin": true, "vmax": true,
}

func isNumberOrLength(v string, _ origin) bool {
	if isCalc(v) {
		return true
	}
	_, n := geom.ScanNumber(v)
	return n > 0 && (n == len(v) || units[strings.ToLower(v[n:])])
}

// maxCalcText keeps what is nested in calc() from costing much.
const maxCalcText = 1000

func isCalc(v string) bool {
	return len(v) > 5 && len(v) < maxCalcText && strings.EqualFold(v[:5], "calc(")
}

func isLength(v string, from origin) bool {
	if !isNumberOrLength(v, from) {
		return false
	}
	n, size := geom.ScanNumber(v)
	return from != fromSheet || size < len(v) || n == 0
}

func isLengthOr(word string) func(string, origin) bool {
	return func(v string, from origin) bool { return strings.EqualFold(v, word) || isLength(v, from) }
}

func isWidth(v string, from origin) bool {
	return isNumberOrLength(v, from) && !strings.HasPrefix(v, "-")
}

func isDashes(v string, from origin) bool {
	if strings.EqualFold(v, "none") {
		return true
	}
	list := Numbers(v)
	for _, f := range list {
		if !isWidth(f, from) {
			return false
		}
	}
	return len(list) > 0
}

// Numbers cuts a list at white space and commas.
func Numbers(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' })
}

var fontSizes = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
}

func isFontSize(v string, from origin) bool {
	lower := strings.ToLower(v)
	if _, ok := fontSizes[lower]; ok || lower == "larger" || lower == "smaller" {
		return true
	}
	return isLength(v, from) && !strings.HasPrefix(v, "-")
}

func isFontStyle(v string, _ origin) bool {
	v = strings.ToLower(v)
	return v == "normal" || v == "italic" || strings.HasPrefix(v, "oblique")
}

func isFontWeight(v string, from origin) bool {
	switch strings.ToLower(v) {
	case "normal", "bold", "bolder", "lighter":
		return true
	}
	return isNumber(v, from)
}
