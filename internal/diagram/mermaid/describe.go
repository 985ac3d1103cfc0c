package mermaid

import "strings"

// Describe says in words what kind of picture a type of diagram makes, such as "pie chart"
// for pie: a title for diagrams that have none.
func Describe(diagramType string) string {
	switch diagramType {
	case "":
		return "diagram"
	case "flowchart", "timeline", "mindmap", "kanban":
		return diagramType
	case "gantt":
		return "Gantt chart"
	case "pie", "xychart", "quadrantChart":
		return strings.TrimSuffix(strings.TrimSuffix(diagramType, "Chart"), "chart") + " chart"
	case "erDiagram":
		return "entity relationship diagram"
	case "gitGraph":
		return "Git graph"
	case "journey":
		return "user journey"
	}
	return strings.TrimSuffix(diagramType, "Diagram") + " diagram"
}
