package mermaid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/webodar/webodar/internal/jsengine"
	"github.com/webodar/webodar/internal/svgout"
)

// Drawing is what became of a request.
type Drawing struct {
	Type     string          `json:"type"`  // as in the model
	Title    string          `json:"title"` // may be empty
	SVG      string          `json:"svg,omitempty"`
	Model    json.RawMessage `json:"model,omitempty"` // see the package comment
	Warnings []string        `json:"warnings,omitempty"`
}

// job is what the script side is called with (entry.js).
type job struct {
	ID     string          `json:"id"`
	Code   string          `json:"code"`
	Config map[string]any  `json:"config"`
	Own    json.RawMessage `json:"own,omitempty"` // what of Config the caller set
	Draw   bool            `json:"draw"`
	AST    bool            `json:"ast"`
	Ours   struct {
		Direction string `json:"direction,omitempty"`
		Today     string `json:"today,omitempty"`
	} `json:"ours"`
}

type answer struct {
	Type     string          `json:"type"`
	Title    string          `json:"title"`
	SVG      string          `json:"svg"`
	AST      json.RawMessage `json:"ast"`
	Warnings []string        `json:"warnings"`
	Odd      []oddSetting    `json:"odd"`
	Problem  *facts          `json:"problem"`
}

// drawnID is the picture's id while it is drawn. That it is always the same lets the
// engine recognise style sheets and selectors, which have it in them; the picture's own
// comes in its place after that.
const drawnID = "mermaid-000000000000"

// Render draws one diagram, or only checks it. The realm is used up by it. The error
// is a [*Problem] where the request is at fault.
func Render(ctx context.Context, realm *Realm, req *Request) (*Drawing, error) {
	if p := req.Check(); p != nil {
		return nil, p
	}
	config, err := req.settings()
	if err != nil {
		return nil, err
	}
	id := drawnID
	if strings.Contains(req.Code, id) || strings.Contains(string(req.Config.Mermaid), id) {
		id = req.id()
	}
	j := job{ID: id, Code: req.Code, Config: config, Own: req.Config.Mermaid, Draw: !req.CheckOnly, AST: req.Model}
	j.Ours.Direction, j.Ours.Today = req.Config.Direction, req.Config.Today
	raw, err := realm.js.Call(ctx, "webodar.run", j)
	if err != nil {
		return nil, engineFailure(err)
	}
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, fmt.Errorf("mermaid: answer: %w", err)
	}
	if a.Problem != nil {
		return nil, a.Problem.problem(req.Code)
	}
	d := &Drawing{Type: a.Type, Title: a.Title, Model: a.AST, Warnings: append(oddWarnings(a.Odd), a.Warnings...)}
	if req.CheckOnly {
		return d, nil
	}
	clean, removed, err := svgout.Scrub([]byte(strings.ReplaceAll(a.SVG, id, req.id())))
	if err != nil {
		return nil, fmt.Errorf("mermaid: %w", err)
	}
	for _, what := range removed {
		d.Warnings = append(d.Warnings, "left out of the picture: "+what)
	}
	d.SVG = withBackground(string(clean), req.Background)
	return d, nil
}

// engineFailure gives the limits that a diagram can run into their words.
func engineFailure(err error) error {
	var limit *jsengine.LimitError
	if errors.As(err, &limit) {
		switch limit.Limit {
		case jsengine.Memory:
			return &Problem{Code: RenderFailed, Message: "the diagram needs more memory than a drawing may use", Hint: "Split it into several smaller ones."}
		case jsengine.Stack:
			return &Problem{Code: RenderFailed, Message: "the diagram is nested too deep, or a line of it too long", Hint: "Flatten it, or split it into several."}
		}
	}
	return err
}

// withBackground gives a scrubbed picture a background colour.
func withBackground(svg, colour string) string {
	if colour == "" {
		return svg
	}
	rule := "background-color: " + colour + ";"
	end := strings.IndexByte(svg, '>')
	if end < 0 {
		return svg
	}
	if at := strings.Index(svg[:end], ` style="`); at >= 0 {
		at += len(` style="`)
		return svg[:at] + rule + " " + svg[at:]
	}
	return strings.Replace(svg, "<svg", `<svg style="`+rule+`"`, 1)
}
