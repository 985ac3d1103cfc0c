package tools

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// mermaidRequest reads the arguments that the mermaid tools have in common. It is of use
// only where a has no fails afterwards.
func (a *drawArguments) mermaidRequest() (*mermaid.Request, time.Duration) {
	if _, given := a.value("code"); !given {
		a.refuse("INVALID_INPUT", "code", "string", "code is required", "Pass Mermaid source that begins with the type of diagram, such as: flowchart TD")
	}
	req := &mermaid.Request{
		Code: a.text("code"), Theme: a.text("theme"), Background: strings.TrimSpace(a.text("background")),
		Config: a.config(), Model: a.yes("include_ast"),
	}
	limit := a.timeout()
	if len(a.fails) == 0 {
		if p := req.Check(); p != nil {
			a.problem(p)
		}
	}
	return req, limit
}

// failWith gives the call's error for what drawMermaid returned.
func (e *envelope) failWith(err error) error {
	var (
		problem *mermaid.Problem
		failed  *failedDrawing
	)
	switch {
	case errors.As(err, &problem):
		return e.fail(problemFail(problem))
	case errors.As(err, &failed):
		return e.fail(failed.drawFail)
	}
	return err
}

var astSchema = &jsonschema.Schema{
	Type: "object", Required: []string{"type", "title"},
	Description: "what was understood of the diagram: type, title, and for flowchart, sequenceDiagram, classDiagram, stateDiagram, erDiagram, gantt, pie and journey their parts, such as vertices and edges",
	Properties: map[string]*jsonschema.Schema{
		"type":  {Type: "string"},
		"title": {Type: "string"},
	},
	PropertyOrder: []string{"type", "title"},
}

// mermaidInput is the input schema with code and the named ones of the other
// arguments.
func mermaidInput(o *Outputs, optional ...string) *jsonschema.Schema {
	number := func(n float64) *float64 { return &n }
	all := map[string]*jsonschema.Schema{
		"code": {Type: "string", Description: "Mermaid source, up to 1 MiB, without a Markdown fence"},
		"theme": {
			Type: "string", Enum: anySlice(mermaid.Themes),
			Description: "Mermaid theme. Left out, Mermaid chooses by the type of diagram (redux-color for flowchart, sequence, class, state and ER); \"default\" is its theme of that name",
		},
		"background": {Type: "string", Description: "CSS colour of the background, or transparent; left out, there is none"},
		"config_json": {
			AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "object"}}, // a list of types is less portable
			Description: `Mermaid configuration, a JSON object or the same as a string, such as {"flowchart":{"curve":"linear"}}. ` +
				`Ours: {"flowchart":{"direction":"LR"}} for a flowchart whose header names no direction, {"gantt":{"today":"2026-01-31"}} to draw the today marker`,
		},
		"timeout_ms": {
			Type: "integer", Minimum: number(minTimeout), Maximum: number(maxTimeout), Default: json.RawMessage("30000"),
			Description: "milliseconds after which to give up, waiting included",
		},
		"scale": {
			Type: "number", Minimum: number(minScale), Maximum: number(maxScale), Default: json.RawMessage("1"),
			Description: "pixels for each px of the picture; 2 for print and screens of high resolution",
		},
		"width": {
			Type: "integer", Minimum: number(1), Maximum: number(maxWidth),
			Description: "width in pixels, instead of scale; the height follows",
		},
		"lang":        {Type: "string", Default: json.RawMessage(`"en"`), Description: "language of the text as a BCP 47 tag, such as en or de-CH, for screen readers"},
		"include_ast": {Type: "boolean", Description: "whether the result has the parsed model of the diagram as well"},
	}
	maps.Copy(all, o.schemas())
	s := &jsonschema.Schema{Type: "object", Required: []string{"code"}, Properties: map[string]*jsonschema.Schema{"code": all["code"]}}
	for _, name := range optional {
		s.Properties[name] = all[name]
	}
	s.PropertyOrder = append([]string{"code"}, optional...)
	return s
}

func anySlice(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}
