package tools

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// format is what a drawing tool makes.
type format struct {
	name, mimeType, extension string

	payload map[string]*jsonschema.Schema // the members of an inline result, all required
	bytes   func(*mermaid.Drawing) []byte // the picture as a file has it
	inline  func(*printed, *mermaid.Drawing)
}

// printed is the answer of a drawing tool. Of SVG, Resource and File it has one.
type printed struct {
	envelope
	SVG      string          `json:"svg,omitempty"`
	Resource *resourceLink   `json:"resource,omitempty"`
	File     *writtenFile    `json:"file,omitempty"`
	AST      json.RawMessage `json:"ast,omitempty"`
}

// mermaidPrinter is a tool that draws Mermaid in a format. t has its name and
// description; arguments are the names of those it takes beside code and output.
func mermaidPrinter(d Drawer, o *Outputs, f *format, t catalog.Tool, arguments ...string) catalog.Tool {
	arguments = slices.Concat(arguments, o.arguments())
	known := append([]string{"code"}, arguments...)
	properties := maps.Clone(f.payload)
	properties["ast"] = astSchema
	ways := [][]string{slices.Sorted(maps.Keys(f.payload))}
	for _, name := range o.names()[1:] {
		properties[name] = linkSchemas[name]
		ways = append(ways, []string{name})
	}
	t.Input = mermaidInput(o, arguments...)
	t.Output = envelopeSchema(properties, ways...)
	t.Hints = catalog.Hints{ReadOnly: o.Dir == nil, Destructive: o.Dir != nil, Idempotent: true}
	t.OwnCodes, t.OwnTimeout, t.Picture = true, true, f.mimeType
	t.Handler = func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
		out := &printed{envelope: newEnvelope()}
		a := readArguments(args, &out.envelope, known...)
		to := o.destination(a, catalog.RequestOf(ctx), f.extension)
		req, limit := a.mermaidRequest()
		if len(a.fails) > 0 {
			return nil, out.fail(a.fails...)
		}
		drawing, err := drawMermaid(ctx, d, req, limit)
		if err != nil {
			return nil, out.failWith(err)
		}
		out.Warnings = append(out.Warnings, drawing.Warnings...)
		out.AST = drawing.Model
		return f.deliver(out, drawing, o, to)
	}
	return t
}

// deliver puts the picture where the call wants it.
func (f *format) deliver(out *printed, drawing *mermaid.Drawing, o *Outputs, to destination) (*catalog.Result, error) {
	res := &catalog.Result{Structured: out}
	switch to.output {
	case asResource:
		resource, link, fail := o.keep(f.bytes(drawing), f)
		if fail != nil {
			return nil, out.fail(*fail)
		}
		out.Resource, res.Links = resource, []catalog.Link{*link}
	case asFile:
		file, fail := o.write(f.bytes(drawing), to)
		if fail != nil {
			return nil, out.fail(*fail)
		}
		out.File = file
	default:
		f.inline(out, drawing)
		res.Picture = &catalog.Picture{MIMEType: f.mimeType, Data: f.bytes(drawing)}
	}
	return res, nil
}
