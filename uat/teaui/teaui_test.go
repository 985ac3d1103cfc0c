package teaui_test

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/teaui"
)

func appWith(model tea.Model, options *teaui.Options) uat.App {
	return func(context.Context, string) (*uat.Instance, error) {
		return &uat.Instance{Start: func(ctx context.Context) (uat.Surface, error) {
			return teaui.Start(ctx, model, options)
		}}, nil
	}
}

const small = `
name: count and say
goal: Count to 3 and say hello
success_criteria:
  - widget: {id: plus, contains: "[+] 3", type: button}
  - extra: {name: count, equals: 3}
  - extra: {name: log.lines.0, equals: loaded}
  - widget: {id: input, equals: "> hello 你好"}
  - binding: {key: up, contains: count}
  - no_errors: true
script:
  - press: up up
  - click: plus
    reason: the mouse counts too
  - press: ctrl+l
  - type: hello 你好
  - assert: {screen: counter}
`

func TestScenario(t *testing.T) {
	scenario, err := uat.Read("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	result, err := uat.New(app(counter{}), uat.Script(), nil).Run(t.Context(), scenario)
	if err != nil || !result.Success {
		t.Errorf("%v\n%+v", err, result)
	}
}
