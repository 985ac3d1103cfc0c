package svgout

import "strings"

// elements are those that may be written, by their names in lower case.
var elements = byLower(`svg g defs symbol use marker path rect circle ellipse line polyline polygon text tspan
	textPath title desc style linearGradient radialGradient stop pattern clipPath mask switch a
	filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
	feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
	feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

// textual elements show the text in them.
var textual = setOf("text tspan textpath title desc")

// unwrapped elements are harmless HTML inside text: their content stays.
var unwrapped = setOf("b i em strong u s sub sup small span p br code mark font center div wbr")

// void elements have no content and, in HTML, no end tag.
var void = setOf("br wbr hr img input meta link base area col embed source track param")

// idLists are attributes that name something by id.
var idLists = setOf("aria-labelledby aria-describedby aria-controls aria-owns aria-flowto aria-details")

// refusedAttrs load something, act, or speak to HTML.
var refusedAttrs = setOf(`src srcset srcdoc action formaction background ping base http-equiv content data classid archive
	codebase cite longdesc poster profile manifest cursor handler form formtarget is nonce integrity autofocus
	contenteditable draggable popover popovertarget attributename from to by values begin end dur keytimes xmlns externalresourcesrequired`)

// plainAttrs hold text, not CSS.
var plainAttrs = setOf("class d title alt name label role lang rel type tabindex")

// namespaced are the attributes with a prefix that may be written.
var namespaced = setOf("xlink:href xlink:title xml:space xml:lang")

func byLower(names string) map[string]string {
	m := map[string]string{}
	for _, name := range strings.Fields(names) {
		m[strings.ToLower(name)] = name
	}
	return m
}

func setOf(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}
