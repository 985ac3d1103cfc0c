package mermaid

import (
	"strings"
)

// The few forms of CSS values that callers and diagrams may bring along. They go
// into style sheets, so what is not plainly one of these is refused.
var (
	hexColour   = pattern(`^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$`)
	colourCall  = pattern(`^(?i:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*[-+0-9.%]+(?:deg|turn|rad)?(?:\s*[,\s/]\s*[-+0-9.%]+){2,3}\s*\)$`)
	lengthValue = pattern(`^[-+]?(?:\d+\.?\d*|\.\d+)(?:px|em|rem|ex|ch|pt|pc|cm|mm|in|vw|vh|%|deg|ms|s)?$`)
	// families is a list of family names, quoted or plain. mermaid's own default
	// ends with a semicolon.
	families = pattern(`^\s*` + familyName + `(?:\s*,\s*` + familyName + `)*\s*;?\s*$`)
)

const familyName = `(?:"[\p{L}\p{N} _.&+-]+"|'[\p{L}\p{N} _.&+-]+'|-?[\p{L}_][\p{L}\p{N}_-]*(?: +[\p{L}\p{N}_-]+)*)`

// isColour reports whether s is a CSS colour.
func isColour(s string) bool {
	return hexColour().MatchString(s) || colourCall().MatchString(s) || namedColours[strings.ToLower(s)]
}

// isFamilies reports whether s is a list of font families and nothing else.
func isFamilies(s string) bool { return len(s) <= 1000 && families().MatchString(s) }

// isThemeValue reports whether s is a colour, a number, a length, a list of font
// families, or a list of colours.
func isThemeValue(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || isColour(s) || lengthValue().MatchString(s) || isFamilies(s) {
		return true
	}
	for _, part := range splitList(s) {
		if !isColour(strings.TrimSpace(part)) {
			return false
		}
	}
	return true
}

// splitList cuts s at the commas that stand in no parentheses.
func splitList(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}

// namedColours are CSS Color 4's, and its two keywords.
var namedColours = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`transparent currentcolor
		aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
		burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan
		darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred
		darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink
		deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold
		goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
		lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey
		lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow
		lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen
		mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin
		navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise
		palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue
		saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow
		springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen`) {
		m[name] = true
	}
	return m
}()
