package mermaid

import "strings"

// headers are the words that diagrams begin with, those in common use first.
var headers = []string{
	"flowchart", "sequenceDiagram", "classDiagram", "stateDiagram-v2", "erDiagram", "gantt", "pie", "journey",
	"gitGraph", "mindmap", "timeline", "quadrantChart", "graph", "stateDiagram", "requirementDiagram", "xychart", "xychart-beta",
	"block", "block-beta", "packet", "packet-beta", "kanban", "sankey", "sankey-beta", "architecture-beta", "radar-beta",
	"treemap", "treeView-beta", "venn-beta", "ishikawa-beta", "wardley-beta", "cynefin-beta", "usecase-beta", "eventmodeling",
	"agentflow-beta", "swimlane-beta", "railroad-beta", "railroad-ebnf-beta", "railroad-abnf-beta", "railroad-peg-beta",
	"C4Context", "C4Container", "C4Component", "C4Dynamic", "C4Deployment", "flowchart-elk", "info",
}

// foreigner is a text that is no mermaid, by its first word.
type foreigner struct {
	starts      []string
	what, hint  string
	unsupported bool
}

func (f foreigner) is(word string) bool {
	for _, s := range f.starts {
		if strings.HasPrefix(word, s) {
			return true
		}
	}
	return false
}

const fenceHint = "Pass only what stands between the fences: remove the line ```mermaid and the closing ```."

var foreigners = []foreigner{
	{[]string{"```", "~~~"}, "the source begins with a Markdown fence, which is not part of the diagram", fenceHint, false},
	{[]string{"@start"}, "this is PlantUML, not Mermaid", "Use encodePlantUML for it, or write the diagram in Mermaid.", true},
	{[]string{"digraph", "strict"}, "this is Graphviz (dot), not Mermaid", "Write it as a flowchart: flowchart TD, then lines such as A --> B", true},
	{[]string{"zenuml"}, "zenuml diagrams are not part of mermaid itself and cannot be drawn here", "Write it as a sequenceDiagram.", true},
	{[]string{"<svg", "<?xml", "<!DOCTYPE", "<html"}, "this is markup, not Mermaid", "Pass the Mermaid source of the diagram.", false},
	{[]string{"{", "["}, "this looks like JSON, not Mermaid", "Pass the Mermaid source itself as the value of code.", false},
}

// example is a statement of each type, for hints.
var example = map[string]string{
	"flowchart":       `A["text"] -->|label| B`,
	"sequenceDiagram": "Alice->>Bob: text",
	"classDiagram":    "Animal <|-- Dog, or class Animal { +String name }",
	"stateDiagram":    "Idle --> Running: start",
	"erDiagram":       "CUSTOMER ||--o{ ORDER : places",
	"gantt":           "Task name :id, 2026-01-31, 5d",
	"pie":             `"label" : 42`,
	"journey":         "Make tea: 5: Me",
	"gitGraph":        `commit id: "a", branch develop, merge develop`,
	"mindmap":         "an indented line of text for each node",
	"timeline":        "2026 : event",
	"quadrantChart":   "Campaign A: [0.3, 0.6]",
	"xychart":         "bar [5, 6, 7]",
	"kanban":          "id[Text]",
	"sankey":          "source,target,10",
	"packet":          `0-15: "Source Port"`,
	"requirement":     "requirement name { id: 1 text: words }",
	"block":           `a["text"] b --> c`,
	"architecture":    "service db(database)[Database]",
}

func exampleOf(kind string) string {
	if s := example[kind]; s != "" {
		return "A statement here looks like: " + s
	}
	return "Compare the line with mermaid's documentation of this type of diagram."
}

// keywords are the words that statements of a type begin with.
var keywords = map[string][]string{
	"flowchart": {"subgraph", "end", "direction", "style", "linkStyle", "classDef", "class", "click"},
	"sequenceDiagram": {
		"participant", "actor", "loop", "alt", "else", "opt", "par", "and", "rect", "critical", "option", "break", "end",
		"activate", "deactivate", "Note", "autonumber", "box", "create", "destroy", "title", "link", "links",
	},
	"classDiagram": {"class", "namespace", "note", "direction", "click", "link", "callback", "style", "classDef", "cssClass"},
	"stateDiagram": {"state", "note", "direction", "class", "classDef", "style", "click"},
	"erDiagram":    {"direction", "style", "classDef", "class", "title"},
	"gantt":        {"title", "dateFormat", "axisFormat", "tickInterval", "excludes", "includes", "section", "todayMarker", "weekday", "weekend", "click"},
	"journey":      {"title", "section"},
	"pie":          {"title", "showData"},
	"timeline":     {"title", "section"},
	"gitGraph":     {"commit", "branch", "checkout", "switch", "merge", "cherry-pick"},
	"xychart":      {"title", "x-axis", "y-axis", "bar", "line"},
	"requirement":  {"requirement", "functionalRequirement", "interfaceRequirement", "performanceRequirement", "physicalRequirement", "designConstraint", "element"},
}

// openers are the statements that an end closes.
var openers = map[string][]string{
	"flowchart":       {"subgraph"},
	"sequenceDiagram": {"loop", "alt", "opt", "par", "par_over", "rect", "critical", "break", "box"},
	"block":           {"block"},
	"erDiagram":       {"subgraph"},
}

// owned are words that mark a statement as one of a certain type.
var owned = map[string]string{
	"participant": "sequenceDiagram", "actor": "sequenceDiagram", "activate": "sequenceDiagram", "deactivate": "sequenceDiagram",
	"loop": "sequenceDiagram", "alt": "sequenceDiagram", "autonumber": "sequenceDiagram",
	"subgraph": "flowchart", "linkStyle": "flowchart", "dateFormat": "gantt", "axisFormat": "gantt", "commit": "gitGraph", "checkout": "gitGraph",
	"namespace": "classDiagram", "state": "stateDiagram", "[*]": "stateDiagram",
}
