package uattest

import (
	"context"
	"math/rand/v2"

	"github.com/webodar/webodar/uat"
)

// Random is an agent that acts at random, from a seed: it presses keys that the app
// offers and keys that it does not, clicks widgets, types words, and is done sooner
// or later.
func Random(seed uint64) uat.Agent {
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	keys := []string{"enter", "esc", "up", "down", "left", "right", "tab", "space", "backspace", "pgdown", "home", "y", "n", "d", "x", "1", "?", "/"}
	words := []string{"yes", "no", "hello", "/help", "I will call Anna tomorrow", "goal: rest", "x"}
	return uat.AgentFunc(func(_ context.Context, _ *uat.Scenario, state uat.State, history []uat.Step) (uat.Action, error) {
		switch n := random.IntN(20); {
		case state.Exited || len(history) > 5 && n == 0:
			return uat.Action{Type: uat.Done, Reason: "by chance"}, nil
		case n < 8 && len(state.Bindings) > 0:
			return uat.Action{Type: uat.Press, Target: state.Bindings[random.IntN(len(state.Bindings))].Key}, nil
		case n < 12:
			return uat.Action{Type: uat.Press, Target: pick(keys)}, nil
		case n < 16 && len(state.Widgets) > 0:
			return uat.Action{Type: uat.Click, Target: "#" + pick(state.IDs())}, nil
		case n < 19:
			return uat.Action{Type: uat.Type, Value: pick(words)}, nil
		}
		return uat.Action{Type: uat.Wait}, nil
	})
}
