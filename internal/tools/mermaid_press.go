package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/jsengine"
	"github.com/webodar/webodar/internal/render"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/svgout/paint"
)

// A mermaid job is a request and, where the picture is to be painted, how. Painting is
// part of the job, so that its time, its memory and the process around it bound both.
type mermaidJob struct {
	mermaid.Request
	Paint *painting `json:"paint,omitempty"`
}

// painting says how a drawing is painted.
type painting struct {
	Format     string  `json:"format"` // pdf or png
	Scale      float64 `json:"scale,omitempty"`
	Width      int     `json:"width,omitempty"`
	Background string  `json:"background,omitempty"`
	Lang       string  `json:"lang,omitempty"`
}

// pressed is the answer to a mermaid job.
type pressed struct {
	mermaid.Outcome
	Painted []byte `json:"painted,omitempty"` // without the SVG that it was made from
	// Unpainted says why the drawing could not be painted.
	Unpainted *unpainted `json:"unpainted,omitempty"`
}

type unpainted struct {
	Message string `json:"message"`
	TooBig  bool   `json:"tooBig,omitempty"` // a smaller one could be
}

// Mermaid is the kind of job for [render.Kinds] under [MermaidKind]. fonts are what
// characters are painted with that no embedded font has; nil is none.
func Mermaid(bundle *jsengine.Bundle, fonts *face.Library) render.Kind {
	return mermaidEngine{bundle, fonts}
}

type mermaidEngine struct {
	bundle *jsengine.Bundle
	fonts  *face.Library
}

func (e mermaidEngine) Prepare() (render.Prepared, error) {
	realm, err := mermaid.Prepare(e.bundle)
	if err != nil {
		return nil, err
	}
	return mermaidPress{realm, e.fonts}, nil
}

// mermaidPress is a realm that paints what it has drawn.
type mermaidPress struct {
	*mermaid.Realm
	fonts *face.Library
}

// Run implements [render.Prepared].
func (p mermaidPress) Run(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
	var job mermaidJob
	if err := json.Unmarshal(input, &job); err != nil {
		return nil, fmt.Errorf("mermaid job: %w", err)
	}
	answer, err := p.Realm.Run(ctx, input)
	if err != nil || job.Paint == nil {
		return answer, err
	}
	var out pressed
	if err := json.Unmarshal(answer, &out.Outcome); err != nil {
		return nil, fmt.Errorf("mermaid answer: %w", err)
	}
	if out.Drawing != nil {
		if err := p.paint(ctx, job.Paint, &out); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

// paint paints the drawing and leaves its SVG out. The error is ctx's.
func (p mermaidPress) paint(ctx context.Context, how *painting, out *pressed) error {
	drawing := out.Drawing
	picture, err := paint.Read([]byte(drawing.SVG), &paint.Options{Fonts: p.fonts})
	if err == nil {
		drawing.Warnings = append(drawing.Warnings, picture.Warnings...)
		out.Painted, err = how.paint(ctx, picture, cmp.Or(drawing.Title, picture.Title, mermaid.Describe(drawing.Type)))
	}
	drawing.SVG = ""
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		var limit *paint.LimitError
		out.Unpainted = &unpainted{Message: err.Error(), TooBig: errors.As(err, &limit)}
	}
	return nil
}

func (how *painting) paint(ctx context.Context, picture *paint.Picture, title string) ([]byte, error) {
	if how.Format == "pdf" {
		return picture.PDF(ctx, &paint.PDFOptions{Title: title, Lang: how.Lang, Background: how.Background})
	}
	return picture.PNG(ctx, &paint.PNGOptions{Scale: how.Scale, Width: how.Width, Background: how.Background})
}
