package mermaid_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/diagram/mermaid"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The models of the eight types are a published format: a change shows in review.
var modelled = map[string]string{
	"flowchart": "---\ntitle: T\n---\nflowchart LR\n  A[One] -->|go| B{Two}\n  B -.-> C([Three])\n  subgraph s [Sub]\n    direction TB\n    D ==> A\n  end\n  classDef hot fill:#f00\n  class A hot\n  click A \"https://example.org\"\n",
	"sequence":  "sequenceDiagram\n  title T\n  actor A as Ann\n  participant B\n  autonumber\n  A->>+B: ask\n  Note over A,B: think\n  alt yes\n    B-->>-A: answer\n  else no\n    B-xA: refuse\n  end\n",
	"class":     "classDiagram\n  class Animal~T~ {\n    <<abstract>>\n    +String name\n    -int age$\n    +eat(food) bool*\n  }\n  Animal <|-- Dog : is\n  Owner \"1\" o--> \"*\" Dog\n  Dog ..> Food\n  note for Dog \"barks\"\n",
	"state":     "stateDiagram-v2\n  [*] --> Idle\n  Idle --> Run: start\n  state Run {\n    [*] --> Warm\n    Warm --> Hot\n  }\n  Run --> [*]\n  Idle: waits\n  state c <<choice>>\n  note right of Idle : a note\n",
	"er":        "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  CUSTOMER {\n    int id PK \"the key\"\n    string name\n  }\n  ORDER }|..|| SHOP : at\n",
	"gantt":     "gantt\n  title T\n  dateFormat YYYY-MM-DD\n  excludes weekends\n  section One\n  First :done, a, 2026-01-05, 3d\n  Second :crit, active, b, after a, 2d\n  section Two\n  Done :milestone, m, 2026-01-12, 0d\n",
	"pie":       "pie showData title T\n  \"a\" : 1\n  \"b\" : 2.5\n",
	"journey":   "journey\n  title T\n  section S\n    Make tea: 5: Me, Cat\n    Work: 1: Me\n",
	"other":     "mindmap\n  root\n    leaf\n",
}

func TestModel(t *testing.T) {
	for name, code := range modelled {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked := mustRender(t, &mermaid.Request{Code: code, Model: true, CheckOnly: true})
			drawn := mustRender(t, &mermaid.Request{Code: code, Model: true})
			got, again := indent(t, checked.Model), indent(t, drawn.Model)
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("the model differs after drawing, -checked +drawn:\n%s", diff)
			}
			if plain := mustRender(t, &mermaid.Request{Code: code}); plain.SVG != drawn.SVG {
				t.Error("asking for the model changes the picture")
			}
			path := filepath.Join("testdata", "model", name+".json")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v: go test ./internal/diagram/mermaid -update writes it", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func indent(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}
