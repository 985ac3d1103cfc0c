package css

// Prop is a property that is computed.
type Prop uint8

// The properties.
const (
	None Prop = iota
	AlignmentBaseline
	BackgroundColor
	BaselineShift
	ClipPath
	ClipRule
	Color
	Cx
	Cy
	D
	Direction
	Display
	DominantBaseline
	Fill
	FillOpacity
	FillRule
	Filter
	FloodColor
	FloodOpacity
	FontFamily
	FontSize
	FontStyle
	FontWeight
	Height
	LetterSpacing
	MarkerEnd
	MarkerMid
	MarkerStart
	Mask
	MaxWidth
	MixBlendMode
	Opacity
	Overflow
	PaintOrder
	R
	Rx
	Ry
	ShapeRendering
	StopColor
	StopOpacity
	Stroke
	StrokeDasharray
	StrokeDashoffset
	StrokeLinecap
	StrokeLinejoin
	StrokeMiterlimit
	StrokeOpacity
	StrokeWidth
	TextAnchor
	TextDecoration
	TextShadow
	TextTransform
	Transform
	TransformBox
	TransformOrigin
	VectorEffect
	Visibility
	WhiteSpace
	Width
	WordSpacing
	WritingMode
	X
	Y
	Rotate
	ScaleProp
	TranslateProp

	propCount
)

// property is what is known of one.
type property struct {
	name      string
	inherited bool
	initial   string
	// attribute says that it may be written as an attribute of that name.
	attribute bool
	check     func(v string, from origin) bool
}

var properties = [propCount]property{
	AlignmentBaseline: {"alignment-baseline", false, "baseline", true, nil},
	BackgroundColor:   {"background-color", false, "transparent", false, isColour},
	BaselineShift:     {"baseline-shift", false, "0", true, nil},
	ClipPath:          {"clip-path", false, "none", true, nil},
	ClipRule:          {"clip-rule", true, "nonzero", true, oneOf("nonzero", "evenodd")},
	Color:             {"color", true, "black", true, isColour},
	Cx:                {"cx", false, "0", true, isLength},
	Cy:                {"cy", false, "0", true, isLength},
	D:                 {"d", false, "none", true, nil},
	Direction:         {"direction", true, "ltr", true, oneOf("ltr", "rtl")},
	Display:           {"display", false, "inline", true, nil},
	DominantBaseline:  {"dominant-baseline", true, "auto", true, nil},
	Fill:              {"fill", true, "black", true, isPaint},
	FillOpacity:       {"fill-opacity", true, "1", true, isAlpha},
	FillRule:          {"fill-rule", true, "nonzero", true, oneOf("nonzero", "evenodd")},
	Filter:            {"filter", false, "none", true, nil},
	FloodColor:        {"flood-color", false, "black", true, isColour},
	FloodOpacity:      {"flood-opacity", false, "1", true, isAlpha},
	FontFamily:        {"font-family", true, "", true, nil},
	FontSize:          {"font-size", true, "16px", true, isFontSize},
	FontStyle:         {"font-style", true, "normal", true, isFontStyle},
	FontWeight:        {"font-weight", true, "400", true, isFontWeight},
	Height:            {"height", false, "auto", true, isLengthOr("auto")},
	LetterSpacing:     {"letter-spacing", true, "0", true, isLengthOr("normal")},
	MarkerEnd:         {"marker-end", true, "none", true, isURLOr},
	MarkerMid:         {"marker-mid", true, "none", true, isURLOr},
	MarkerStart:       {"marker-start", true, "none", true, isURLOr},
	Mask:              {"mask", false, "none", true, nil},
	MaxWidth:          {"max-width", false, "none", false, isLengthOr("none")},
	MixBlendMode:      {"mix-blend-mode", false, "normal", true, nil},
	Opacity:           {"opacity", false, "1", true, isAlpha},
	Overflow:          {"overflow", false, "", true, nil},
	PaintOrder:        {"paint-order", true, "normal", true, nil},
	R:                 {"r", false, "0", true, isLength},
	Rx:                {"rx", false, "auto", true, isLengthOr("auto")},
	Ry:                {"ry", false, "auto", true, isLengthOr("auto")},
	ShapeRendering:    {"shape-rendering", true, "auto", true, nil},
	StopColor:         {"stop-color", false, "black", true, isColour},
	StopOpacity:       {"stop-opacity", false, "1", true, isAlpha},
	Stroke:            {"stroke", true, "none", true, isPaint},
	StrokeDasharray:   {"stroke-dasharray", true, "none", true, isDashes},
	StrokeDashoffset:  {"stroke-dashoffset", true, "0", true, isNumberOrLength},
	StrokeLinecap:     {"stroke-linecap", true, "butt", true, oneOf("butt", "round", "square")},
	StrokeLinejoin:    {"stroke-linejoin", true, "miter", true, oneOf("miter", "round", "bevel", "miter-clip", "arcs")},
	StrokeMiterlimit:  {"stroke-miterlimit", true, "4", true, isNumber},
	StrokeOpacity:     {"stroke-opacity", true, "1", true, isAlpha},
	StrokeWidth:       {"stroke-width", true, "1", true, isWidth},
	TextAnchor:        {"text-anchor", true, "start", true, oneOf("start", "middle", "end")},
	TextDecoration:    {"text-decoration", false, "none", true, nil},
	TextShadow:        {"text-shadow", true, "none", false, nil},
	TextTransform:     {"text-transform", true, "none", false, nil},
	Transform:         {"transform", false, "none", true, nil},
	TransformBox:      {"transform-box", false, "view-box", false, nil},
	TransformOrigin:   {"transform-origin", false, "", true, nil},
	VectorEffect:      {"vector-effect", false, "none", true, nil},
	Visibility:        {"visibility", true, "visible", true, oneOf("visible", "hidden", "collapse")},
	WhiteSpace:        {"white-space", true, "normal", false, nil},
	Width:             {"width", false, "auto", true, isLengthOr("auto")},
	WordSpacing:       {"word-spacing", true, "0", true, isLengthOr("normal")},
	WritingMode:       {"writing-mode", true, "horizontal-tb", true, nil},
	X:                 {"x", false, "0", true, isLength},
	Y:                 {"y", false, "0", true, isLength},
	Rotate:            {"rotate", false, "none", false, nil},
	ScaleProp:         {"scale", false, "none", false, nil},
	TranslateProp:     {"translate", false, "none", false, nil},
}

// byName and attributeProps find a property by its name, all of them or those that are
// attributes too.
var byName, attributeProps, inheritedProps = index()

func index() (all, attributes map[string]Prop, inherited []Prop) {
	all, attributes = map[string]Prop{}, map[string]Prop{}
	for p := Prop(1); p < propCount; p++ {
		all[properties[p].name] = p
		if properties[p].attribute {
			attributes[properties[p].name] = p
		}
		if properties[p].inherited {
			inherited = append(inherited, p)
		}
	}
	return all, attributes, inherited
}
