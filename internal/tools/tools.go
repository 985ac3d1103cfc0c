// Package tools holds the built-in tools, one file each, and the only list of
// them:
//
//	builtin, err := tools.All(nil)
//	cat, err := catalog.New(&catalog.Options{Tools: builtin, Prompts: tools.Prompts()})
//
// A tool here is a value of [catalog.Tool]. It knows nothing of the doors that
// it is reached through.
package tools

import (
	"errors"

	"github.com/webodar/webodar/encoder"
	"github.com/webodar/webodar/internal/catalog"
)

// Options configure the built-in tools. The zero value suits.
type Options struct {
	// PlantUMLURL is the server that links point at; empty means
	// [encoder.DefaultBaseURL].
	PlantUMLURL string
	// Drawer draws Mermaid diagrams; nil means that nothing can.
	Drawer Drawer
	// Outputs are where pictures can go beside the result.
	Outputs Outputs
}

// All returns the built-in tools in the order in which clients list them. The
// error is about the options.
func All(opts *Options) ([]catalog.Tool, error) {
	if opts == nil {
		opts = &Options{}
	}
	drawer := opts.Drawer
	if drawer == nil {
		drawer = NoDrawer(errors.New("there is no drawing engine"))
	}
	links := &encoder.Options{BaseURL: opts.PlantUMLURL}
	if err := links.Validate(); err != nil {
		return nil, err
	}
	return []catalog.Tool{
		EncodePlantUML(links),
		DecodePlantUML(),
		MermaidToSVG(drawer, &opts.Outputs),
		MermaidToPDF(drawer, &opts.Outputs),
		MermaidToPNG(drawer, &opts.Outputs),
		MermaidParse(drawer),
	}, nil
}

// Instructions tell a model when to use which tool.
const Instructions = `webodar draws diagrams and makes them shareable.
- To draw a Mermaid diagram, call mermaid_to_svg with its source; the picture is in the result. To show it to someone in a chat, call mermaid_to_png; for a document to print, mermaid_to_pdf. A large picture costs many tokens: with output "resource" or "file", where there is one, the result is a link. To find out whether a source is right, or what is in it, call mermaid_parse. Mistakes come back with line, column and a hint.
- To show a PlantUML diagram, write its source and call encodePlantUML; give the user the link from the result, unbroken, on a line of its own. The link holds the whole diagram: nothing is stored or sent anywhere until someone opens it.
- To read or change a diagram that you have only as a PlantUML link, call decodePlantUML with the link, edit the source, and encode it again.
- The source may be up to 51,200 bytes. Heed warnings about long links: split the diagram.
- When a call fails, the error names the code, what was wrong and what to do; correct it and call again.`
