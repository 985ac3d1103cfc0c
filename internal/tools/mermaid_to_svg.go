package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// svgResult is the answer of mermaid_to_svg.
type svgResult struct {
	envelope
	SVG string          `json:"svg"`
	AST json.RawMessage `json:"ast,omitempty"`
}

// MermaidToSVG is the tool mermaid_to_svg (spec 004).
func MermaidToSVG(d Drawer) catalog.Tool {
	return catalog.Tool{
		Name:  "mermaid_to_svg",
		Title: "Mermaid to SVG",
		Description: "Draws a Mermaid diagram (flowchart, sequence, class, state, ER, gantt, pie, journey and others) as SVG. " +
			"The result is one <svg> element without scripts or outside references, and the same for the same arguments. " +
			"A mistake in the diagram is reported with line, column, what was expected and a hint.",
		Input:  mermaidInput("theme", "background", "config_json", "timeout_ms", "include_ast"),
		Output: envelopeSchema(map[string]*jsonschema.Schema{"svg": {Type: "string", Description: "the picture, from <svg to </svg>"}, "ast": astSchema}, "svg"),
		Hints:  catalog.Hints{ReadOnly: true, Idempotent: true},

		OwnCodes:   true,
		OwnTimeout: true,
		Handler: func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
			out := &svgResult{envelope: newEnvelope()}
			req, limit, fails := mermaidRequest(args, &out.envelope, "code", "theme", "background", "config_json", "timeout_ms", "include_ast")
			if len(fails) > 0 {
				return nil, out.fail(fails...)
			}
			drawing, err := drawMermaid(ctx, d, req, limit)
			if err != nil {
				return nil, out.failWith(err)
			}
			out.Warnings = append(out.Warnings, drawing.Warnings...)
			out.SVG, out.AST = drawing.SVG, drawing.Model
			return &catalog.Result{Structured: out}, nil
		},
	}
}

// mermaidRequest reads the arguments that the mermaid tools have in common.
func mermaidRequest(args json.RawMessage, env *envelope, known ...string) (*mermaid.Request, time.Duration, []drawFail) {
	a := readArguments(args, env, known...)
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
	return req, limit, a.fails
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
func mermaidInput(optional ...string) *jsonschema.Schema {
	number := func(n float64) *float64 { return &n }
	all := map[string]*jsonschema.Schema{
		"code": {Type: "string", Description: "Mermaid source, up to 1 MiB, without a Markdown fence"},
		"theme": {
			Type: "string", Enum: anySlice(mermaid.Themes),
			Description: "Mermaid theme. Left out, Mermaid chooses by the type of diagram (redux-color for flowchart, sequence, class, state and ER); \"default\" is its theme of that name",
		},
		"background": {Type: "string", Description: "CSS colour of the background, or transparent; left out, there is none"},
		"config_json": {
			Types: []string{"string", "object"},
			Description: `Mermaid configuration, a JSON object or the same as a string, such as {"flowchart":{"curve":"linear"}}. ` +
				`Ours: {"flowchart":{"direction":"LR"}} for a flowchart whose header names no direction, {"gantt":{"today":"2026-01-31"}} to draw the today marker`,
		},
		"timeout_ms": {
			Type: "integer", Minimum: number(minTimeout), Maximum: number(maxTimeout), Default: json.RawMessage("30000"),
			Description: "milliseconds after which to give up, waiting included",
		},
		"include_ast": {Type: "boolean", Description: "whether the result has the parsed model of the diagram as well"},
	}
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
