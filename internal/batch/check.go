package batch

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// CheckOptions say how diagrams are checked. Nil suits.
type CheckOptions struct {
	Timeout time.Duration // of each; 0: the tool's own
	Jobs    int           // at a time; 0: one a core
	Done    func(done, total int)
}

// Check checks every diagram without drawing it, and tells the problems of each in
// order. A diagram that this binary cannot check is an error where its file was named,
// and a warning in a fence: it may be right.
func Check(ctx context.Context, tools Caller, files []*File, opts *CheckOptions, tell func(*Diagram, []Problem)) {
	if opts == nil {
		opts = &CheckOptions{}
	}
	var diagrams []*Diagram
	for _, f := range files {
		diagrams = append(diagrams, f.Diagrams...)
	}
	told := 0
	inOrder(ctx, len(diagrams), cmp.Or(opts.Jobs, runtime.GOMAXPROCS(0)), func(ctx context.Context, i int) []Problem {
		return diagrams[i].check(ctx, tools, opts)
	}, func(problems []Problem) {
		tell(diagrams[told], problems)
		told++
		if opts.Done != nil {
			opts.Done(told, len(diagrams))
		}
	})
}

func (d *Diagram) check(ctx context.Context, tools Caller, opts *CheckOptions) []Problem {
	if d.Kind == PlantUML {
		p := d.notInBuild()
		p.Message = "checking PlantUML is not in this build of webodar"
		if d.fence != nil {
			p.Severity = Warning
		}
		return []Problem{p}
	}
	arguments := map[string]any{"code": d.Code}
	if opts.Timeout > 0 {
		arguments["timeout_ms"] = opts.Timeout.Milliseconds()
	}
	args, err := json.Marshal(arguments)
	if err != nil {
		return []Problem{d.problem(catalog.Internal(err))}
	}
	a, _, problems := d.readAnswer(tools.Call(ctx, "mermaid_parse", args))
	return append(problems, d.warnings(a.Warnings)...)
}
