package tools

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// parseResult is the answer of mermaid_parse. A check that finds a diagram invalid
// has succeeded: it is no failed call, but its envelope says ok false.
type parseResult struct {
	envelope
	Valid bool            `json:"valid"`
	Type  string          `json:"diagram_type,omitempty"`
	Title *string         `json:"title,omitempty"`
	AST   json.RawMessage `json:"ast,omitempty"`
}

// MermaidParse is the tool mermaid_parse: it checks a diagram without drawing it.
func MermaidParse(d Drawer) catalog.Tool {
	return catalog.Tool{
		Name:  "mermaid_parse",
		Title: "Check Mermaid",
		Description: "Checks Mermaid source without drawing it, and tells the type of diagram, its title and its parts as JSON. " +
			"For an invalid diagram, valid is false and errors has the line, the column, what was expected and a hint. Faster than mermaid_to_svg.",
		Input: mermaidInput(&Outputs{}, "timeout_ms"),
		Output: envelopeSchema(map[string]*jsonschema.Schema{
			"valid":        {Type: "boolean", Description: "whether the diagram is valid"},
			"diagram_type": {Type: "string", Description: "such as flowchart or sequenceDiagram"},
			"title":        {Type: "string", Description: "the diagram's title; empty if it has none"},
			"ast":          astSchema,
		}, []string{"valid", "diagram_type", "title", "ast"}),
		Hints: catalog.Hints{ReadOnly: true, Idempotent: true},

		OwnCodes:   true,
		OwnTimeout: true,
		Handler: func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
			out := &parseResult{envelope: newEnvelope()}
			a := readArguments(args, &out.envelope, "code", "timeout_ms")
			req, limit := a.mermaidRequest()
			if len(a.fails) > 0 {
				return nil, out.fail(a.fails...)
			}
			req.CheckOnly, req.Model = true, true
			done, err := drawMermaid(ctx, d, &mermaidJob{Request: *req}, limit)
			var problem *mermaid.Problem
			switch {
			case errors.As(err, &problem) && (problem.Code == mermaid.ParseError || problem.Code == mermaid.UnsupportedDiagram):
				f := problemFail(problem)
				f.Details["hint"] = problem.Hint
				out.OK, out.Errors, out.Type = false, []drawFail{f}, problem.Type
			case err != nil:
				return nil, out.failWith(err)
			default:
				drawing := done.Drawing
				out.Warnings = append(out.Warnings, drawing.Warnings...)
				out.Valid, out.Type, out.Title, out.AST = true, drawing.Type, &drawing.Title, drawing.Model
			}
			return &catalog.Result{Structured: out}, nil
		},
	}
}
