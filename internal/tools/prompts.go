package tools

import (
	"context"
	"fmt"

	"github.com/webodar/webodar/internal/catalog"
)

// diagramKinds are what the prompt offers, with PlantUML's word for each.
var diagramKinds = []string{
	"sequence", "class", "component", "state", "activity", "deployment", "use case", "entity relationship", "mindmap", "gantt",
}

// Prompts returns the built-in prompts.
func Prompts() []catalog.Prompt {
	return []catalog.Prompt{{
		Name:        "explain_with_diagram",
		Title:       "Explain with a diagram",
		Description: "Explains a subject in a PlantUML diagram and a few sentences",
		Arguments: []catalog.PromptArgument{
			{Name: "subject", Title: "Subject", Description: "what to explain", Required: true},
			{Name: "kind", Title: "Kind of diagram", Description: "leave empty to let the model choose", Values: diagramKinds},
		},
		Render: func(_ context.Context, args map[string]string) (string, error) {
			kind := args["kind"]
			if kind == "" {
				kind = "the kind that suits best"
			}
			return fmt.Sprintf("Explain %s with a PlantUML diagram (%s). Write the source, call encodePlantUML with it, "+
				"and answer with the link on a line of its own, followed by at most five sentences on what the diagram shows.",
				args["subject"], kind), nil
		},
	}}
}
