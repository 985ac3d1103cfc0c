package tools

import (
	"encoding/binary"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// Limits of scale and width. The number of pixels has a limit of its own.
const (
	minScale = 0.1
	maxScale = 20
	maxWidth = 20_000
)

var pngFormat = &format{
	name: "png", mimeType: "image/png", extension: ".png",
	payload: map[string]*jsonschema.Schema{
		"png":    {Type: "string", ContentEncoding: "base64", Description: "the picture in base64"},
		"width":  {Type: "integer", Description: "in pixels"},
		"height": {Type: "integer", Description: "in pixels"},
	},
	inline: func(out *printed, picture []byte) {
		out.PNG = picture
		out.Width, out.Height = pngSize(picture)
	},
	paint: func(a *drawArguments, req *mermaid.Request) *painting {
		return &painting{
			Format: "png", Background: req.Background,
			Scale: a.number("scale", "number", minScale, maxScale), Width: int(a.number("width", "integer", 1, maxWidth)),
		}
	},
}

// pngSize reads the size out of the header, which always comes first (PNG, section 11.2.1).
func pngSize(picture []byte) (width, height int) {
	const header = 16
	if len(picture) < header+8 {
		return 0, 0
	}
	return int(binary.BigEndian.Uint32(picture[header:])), int(binary.BigEndian.Uint32(picture[header+4:]))
}

// MermaidToPNG is the tool mermaid_to_png.
func MermaidToPNG(d Drawer, o *Outputs) catalog.Tool {
	return mermaidPrinter(d, o, pngFormat, catalog.Tool{
		Name:  "mermaid_to_png",
		Title: "Mermaid to PNG",
		Description: "Draws a Mermaid diagram as an image that chat clients show, on white unless background says otherwise. " +
			"The same for the same arguments.",
	}, "theme", "background", "scale", "width", "config_json", "timeout_ms", "include_ast")
}
