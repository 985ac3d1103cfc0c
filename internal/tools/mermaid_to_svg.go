package tools

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
)

var svgFormat = &format{
	name: "svg", mimeType: "image/svg+xml", extension: ".svg",
	payload: map[string]*jsonschema.Schema{"svg": {Type: "string", Description: "the picture, from <svg to </svg>"}},
	inline:  func(out *printed, picture []byte) { out.SVG = string(picture) },
}

// MermaidToSVG is the tool mermaid_to_svg (spec 004).
func MermaidToSVG(d Drawer, o *Outputs) catalog.Tool {
	return mermaidPrinter(d, o, svgFormat, catalog.Tool{
		Name:  "mermaid_to_svg",
		Title: "Mermaid to SVG",
		Description: "Draws a Mermaid diagram (flowchart, sequence, class, state, ER, gantt, pie, journey and others) as SVG. " +
			"The result is one <svg> element without scripts or outside references, and the same for the same arguments. " +
			"A mistake in the diagram is reported with line, column, what was expected and a hint.",
	}, "theme", "background", "config_json", "timeout_ms", "include_ast")
}
