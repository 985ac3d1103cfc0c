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
	// paint reads how the picture is painted; nil for SVG, which is not.
	paint func(a *drawArguments, req *mermaid.Request) *painting
	// inline puts the picture into the answer.
	inline func(out *printed, picture []byte)
}

// printed is the answer of a drawing tool. Of SVG, PDF, PNG, Resource and File it has one.
type printed struct {
	envelope
	SVG      string          `json:"svg,omitempty"`
	PDF      []byte          `json:"pdf,omitempty"`
	PNG      []byte          `json:"png,omitempty"`
	Width    int             `json:"width,omitempty"`
	Height   int             `json:"height,omitempty"`
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
		job := &mermaidJob{Request: *req}
		if f.paint != nil {
			job.Paint = f.paint(a, req)
		}
		if len(a.fails) > 0 {
			return nil, out.fail(a.fails...)
		}
		done, err := drawMermaid(ctx, d, job, limit)
		if err != nil {
			return nil, out.failWith(err)
		}
		out.Warnings = append(out.Warnings, done.Drawing.Warnings...)
		out.AST = done.Drawing.Model
		picture := done.Painted
		if f.paint == nil {
			picture = []byte(done.Drawing.SVG)
		}
		return f.deliver(out, picture, o, to)
	}
	return t
}

// deliver puts the picture where the call wants it.
func (f *format) deliver(out *printed, picture []byte, o *Outputs, to destination) (*catalog.Result, error) {
	res := &catalog.Result{Structured: out}
	switch to.output {
	case asResource:
		resource, link, fail := o.keep(picture, f)
		if fail != nil {
			return nil, out.fail(*fail)
		}
		out.Resource, res.Links = resource, []catalog.Link{*link}
	case asFile:
		file, fail := o.write(picture, to)
		if fail != nil {
			return nil, out.fail(*fail)
		}
		out.File = file
	default:
		f.inline(out, picture)
		res.Picture = &catalog.Picture{MIMEType: f.mimeType, Data: picture}
	}
	text, err := out.text()
	if err != nil {
		return nil, err
	}
	res.Text = text
	return res, nil
}

// text is the answer as a model reads it: without base64, which says nothing to it and
// is in the structured result; empty where nothing has to be left out.
func (out *printed) text() (string, error) {
	if out.PDF == nil && out.PNG == nil {
		return "", nil
	}
	readable := *out
	readable.PDF, readable.PNG = nil, nil
	text, err := json.Marshal(readable)
	if err != nil {
		return "", catalog.Internal(err)
	}
	return string(text), nil
}
