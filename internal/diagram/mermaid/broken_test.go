package mermaid_test

import (
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

// Diagrams broken in the ways that people and models break them. From the message
// alone it must be plain what to change.
var broken = []struct {
	name, code string
	line       int
	says       string // a part of the message
}{
	{"links without target", "flowchart TD\nA--\n", 2, "without a target"},
	{"unclosed bracket", "flowchart TD\n  A --> B\n  B --> C[Label\n", 3, "'[' in column 10"},
	{"unclosed quote", "flowchart TD\n  A[\"hello --> B\n", 2, "double quote"},
	{"reserved word as id", "flowchart TD\n  A --> end\n", 2, "\"end\" is a reserved word"},
	{"missing end", "flowchart TD\n  subgraph one\n    A --> B\n", 3, "\"subgraph one\" on line 2"},
	{"type misspelt", "flowchrt TD\n  A --> B\n", 1, "did you mean flowchart"},
	{"short arrow", "flowchart TD\n  A -> B\n", 2, "\"->\" is no arrow"},
	{"no arrow", "flowchart TD\n  A B\n", 2, "no arrow between A and B"},
	{"fence", "```mermaid\nflowchart TD\n  A --> B\n```\n", 1, "Markdown fence"},
	{"message without arrow", "sequenceDiagram\n  Alice Bob: hi\n", 2, "no arrow between Alice and Bob"},
	{"keyword misspelt", "sequenceDiagram\n  particpant Alice\n  Alice->>Bob: hi\n", 2, "did you mean participant"},
	{"loop without end", "sequenceDiagram\n  loop every day\n    Alice->>Bob: hi\n", 3, "\"loop every day\" on line 2"},
	{"message without text", "sequenceDiagram\n  Alice->>Bob\n", 2, "no text"},
	{"arrow of another kind", "sequenceDiagram\n  Alice=>Bob: hi\n", 2, "\"=>\" is no arrow"},
	{"another type's statement", "flowchart TD\n  participant A\n  A->>B: hi\n", 2, "belongs to a sequenceDiagram"},
	{"class not closed", "classDiagram\n  class Animal {\n    +String name\n", 3, "{ on line 2"},
	{"short relation", "classDiagram\n  Animal <|- Dog\n", 2, "\"<|-\" is no arrow"},
	{"state not closed", "stateDiagram-v2\n  state Foo {\n    A --> B\n", 3, "{ on line 2"},
	{"relationship without label", "erDiagram\n  CUSTOMER ||--o{ ORDER\n", 2, "no label"},
	{"cardinality", "erDiagram\n  CUSTOMER ||--> ORDER : places\n", 2, "cardinality"},
	{"gantt task without data", "gantt\n  dateFormat YYYY-MM-DD\n  section A\n  Task one\n", 4, "no colon"},
	{"bad date", "gantt\n  dateFormat YYYY-MM-DD\n  section A\n  Task one :a1, 2024-13-45, 3d\n", 4, "2024-13-45"},
	{"slice without quotes", "pie\n  Dogs : 12\n", 2, "no quotes"},
	{"journey task without score", "journey\n  title x\n  section y\n    Make tea\n", 4, "no colon"},
	{"front matter", "---\ntitle: x\nconfig:\n  theme: [dark\n---\nflowchart TD\n  A --> B\n", 4, "not valid YAML"},
	{"below directives and comments", "%% comment\n\n%%{init: {\"theme\":\"dark\"}}%%\nflowchart TD\n  %% another\n  A --> B\n  %% third\n  B -->\n", 8, "without a target"},
	{"end too many", "sequenceDiagram\n  Alice->>Bob: hi\n  end\n", 3, "closes nothing"},
	{"brackets in a label", "flowchart TD\n  A[text (with) parens] --> B\n", 2, "without quotes"},
	{"no type", "A --> B\n", 1, "does not begin with its type"},
	{"linkStyle of no link", "flowchart TD\n  A --> B\n  linkStyle 5 stroke:red\n", 3, "no link"},
	{"two roots", "mindmap\nroot\n  a\nother\n", 4, "only one root"},
	{"branch that is not there", "gitGraph\n  commit\n  checkout nowhere\n", 3, "checkout"},
	{"type in another case", "sequencediagram\n  A->>B: x\n", 1, "sequenceDiagram"},
	{"half a type", "sequence\n  A->>B: x\n", 1, "sequenceDiagram"},
	{"arrow text not closed", "flowchart LR\n  A{Decision} -->|Yes B\n", 2, "no partner"},
	{"bracket too many", "flowchart TD\n  A --> B\n  C[one] --> D[two]] \n", 3, "closes nothing"},
	{"else misspelt", "sequenceDiagram\n  alt yes\n    A->>B: x\n  els no\n    B->>A: y\n  end\n", 4, "did you mean else"},
	{"zenuml", "zenuml\n  A.b()\n", 1, "not part of mermaid"},
	{"dot", "digraph { a -> b }\n", 1, "Graphviz"},
	{"CRLF and columns in characters", "flowchart TD\r\n  A --> B\r\n  😀é[x --> C\r\n", 3, "'[' in column 5"},
	{"semicolon", "classDiagram\n  Animal <|-- Dog;\n", 2, "; where none can stand"},
	{"entity before the mistake", "flowchart TD\n  A[#35; #quot;x#quot;] --> B[y\n", 2, "is not closed"},
	{"fence left below front matter", "---\ntitle: x\n---\n```mermaid\nflowchart TD\n", 4, "Markdown fence"},
	{"front matter not closed", "---\ntitle: x\nflowchart TD\n  A --> B\n", 1, "front matter is not closed"},
	{"nothing but comments", "%% one\n%% two\n", 0, "there is no diagram"},
	{"deactivation in a block", "sequenceDiagram\n  A->>B: x\n  loop y\n    deactivate B\n    A->>B: z\n  end\n  B->>A: w\n", 4, "not active"},
}

func TestBroken(t *testing.T) {
	for _, tt := range broken {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := problemOf(t, &mermaid.Request{Code: tt.code, CheckOnly: true})
			if !strings.Contains(p.Message, tt.says) {
				t.Errorf("message %q, want %q in it", p.Message, tt.says)
			}
			line := 0
			if p.Place != nil {
				line = p.Place.Line
			}
			if line != tt.line {
				t.Errorf("line %d, want %d: %s", line, tt.line, p.Message)
			}
			if p.Code != mermaid.ParseError && p.Code != mermaid.UnsupportedDiagram {
				t.Errorf("code %s", p.Code)
			}
		})
	}
}
