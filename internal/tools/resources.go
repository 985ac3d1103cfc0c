package tools

import (
	"context"
	_ "embed"

	"github.com/webodar/webodar/internal/catalog"
)

//go:embed plantuml.md
var plantumlGuide string

// Resources returns the built-in resources.
func Resources() []catalog.Resource {
	return []catalog.Resource{{
		URI:         "webodar://guide/plantuml",
		Name:        "plantuml-guide",
		Title:       "PlantUML in one page",
		Description: "How the common PlantUML diagrams are written, and what keeps a link short",
		MIMEType:    "text/markdown",
		Read:        func(context.Context) (string, error) { return plantumlGuide, nil },
	}}
}
