package teaui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/teaui"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, model tea.Model, options *teaui.Options) *teaui.Surface {
	t.Helper()
	s, err := teaui.Start(t.Context(), model, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func do(t *testing.T, s *teaui.Surface, kind uat.ActionType, what string) uat.State {
	t.Helper()
	a := uat.Action{Type: kind, Target: what}
	if kind == uat.Type || kind == uat.Wait {
		a = uat.Action{Type: kind, Value: what}
	}
	if err := s.Perform(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	return observe(t, s)
}

func observe(t *testing.T, s *teaui.Surface) uat.State {
	t.Helper()
	state, err := s.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func widget(t *testing.T, state uat.State, id string) uat.Widget {
	t.Helper()
	w, ok := state.Widget(id)
	if !ok {
		t.Errorf("no widget %s", id)
	}
	return w
}

func logOf(t *testing.T, state uat.State) string {
	t.Helper()
	w, _ := state.Widget("log")
	return strings.ReplaceAll(w.Text, "\n", " ")
}

func TestState(t *testing.T) {
	state := observe(t, start(t, counter{}, nil))
	want := uat.State{
		Screen: "CounterScreen", Title: "Counter", Focused: "input", Width: 80, Height: 24, Cursor: &uat.Point{X: 4, Y: 3},
		Text: "                              ┌──────────────────┐\n  [+] 0                       │                  │\n" +
			"                              │                  │\n  >                           │                  │\n" +
			"                              │                  │\n                              └──────────────────┘\n\n\nticks 0",
		Widgets: []uat.Widget{
			{ID: "panel", Text: "┌──────────────────┐\n│                  │\n│                  │\n│                  │\n│                  │\n└──────────────────┘", Bounds: uat.Bounds{X: 30, Width: 20, Height: 6}},
			{ID: "plus", Type: "button", Text: "[+] 0", Bounds: uat.Bounds{X: 2, Y: 1, Width: 5, Height: 1}},
			{ID: "input", Type: "input", Text: ">", Bounds: uat.Bounds{X: 2, Y: 3, Width: 2, Height: 1}},
			{ID: "ticks", Text: "ticks 0", Bounds: uat.Bounds{Y: 8, Width: 7, Height: 1}},
		},
		Bindings: []uat.Binding{{Key: "up", Description: "count"}},
		Extras:   map[string]any{"count": 0, "log": map[string]any{"lines": []string(nil)}},
	}
	if diff := cmp.Diff(want, state); diff != "" {
		t.Error(diff)
	}
}

func TestCommandsSettleInTheirOrder(t *testing.T) {
	for key, want := range map[string]string{
		"ctrl+l":        "loaded",
		"ctrl+b":        "slow quick", // as they were started, not as they end
		"ctrl+s":        "1 2a 2b 2c 3",
		"ctrl+l ctrl+b": "loaded slow quick",
	} {
		synctest.Test(t, func(t *testing.T) {
			if got := logOf(t, do(t, start(t, counter{}, nil), uat.Press, key)); got != want {
				t.Errorf("%s: got %s", key, got)
			}
		})
	}
}

func TestTimersPassOnlyInAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := start(t, counter{}, nil)
		state := do(t, s, uat.Press, "ctrl+t")
		if w, _ := state.Widget("ticks"); w.Text != "ticks 0" || len(state.Busy) > 0 || time.Since(begun) > 0 {
			t.Errorf("after %v: %s, busy %v", time.Since(begun), w.Text, state.Busy)
		}
		state = do(t, s, uat.Wait, "3500")
		if w, _ := state.Widget("ticks"); w.Text != "ticks 3" || time.Since(begun) != 3500*time.Millisecond {
			t.Errorf("after %v: %s", time.Since(begun), w.Text)
		}
		time.Sleep(time.Second) // the timer that is still there ends by itself
	})
}

func TestBusyProgramIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, counter{}, &teaui.Options{Patience: 2 * time.Minute})
		if got := logOf(t, do(t, s, uat.Press, "ctrl+g")); got != "in time" {
			t.Errorf("got %q", got)
		}
		s = start(t, counter{}, nil)
		if state := do(t, s, uat.Press, "ctrl+g"); len(state.Busy) != 1 || state.Busy[0] != "working" {
			t.Errorf("busy is %v", state.Busy)
		}
		if got := logOf(t, do(t, s, uat.Wait, "60000")); got != "in time" {
			t.Errorf("got %q", got)
		}
	})
}

func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		listen := make(chan string, 1)
		s := start(t, counter{listen: listen}, nil)
		state := do(t, s, uat.Press, "ctrl+w")
		if took := time.Since(begun); took != 2*time.Second || len(state.Busy) != 1 || !strings.Contains(state.Busy[0], "teaui_test.counter.press") {
			t.Errorf("after %v: busy %v", took, state.Busy)
		}
		do(t, s, uat.Press, "ctrl+l")
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("waited again, %v", took)
		}
		listen <- "news"
		synctest.Wait()
		if got := logOf(t, observe(t, s)); got != "loaded news" {
			t.Errorf("got %q", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		listen := make(chan string, 1)
		s := start(t, counter{listen: listen}, &teaui.Options{Background: func(f string) bool { return strings.Contains(f, "counter.press") }})
		if state := do(t, s, uat.Press, "ctrl+w"); time.Since(begun) > 0 || len(state.Busy) > 0 {
			t.Errorf("after %v: busy %v", time.Since(begun), state.Busy)
		}
		listen <- "the end"
	})
}

func TestSettlingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listen := make(chan string, 1)
		s := start(t, counter{listen: listen}, &teaui.Options{Patience: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Perform(ctx, uat.Action{Type: uat.Press, Target: "ctrl+w"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		listen <- "the end"
	})
}

func TestWideAndCombiningCharacters(t *testing.T) {
	s := start(t, counter{}, nil)
	const text = "日本 e\u0301 👩‍👩‍👧 🇩🇪 ä"
	state := do(t, s, uat.Type, text)
	w, _ := state.Widget("input")
	if w.Text != "> "+text || w.Bounds.Width != 2+4+1+1+1+2+1+2+1+1 {
		t.Errorf("got %q, %d wide", w.Text, w.Bounds.Width)
	}
	if !strings.Contains(state.Text, "  > "+text+"  ") {
		t.Errorf("got\n%s", state.Text)
	}
	narrow := start(t, counter{input: "日本語"}, &teaui.Options{Width: 9, Height: 4})
	if w := widget(t, observe(t, narrow), "input"); w.Text != "> 日本" {
		t.Errorf("got %q", w.Text) // the third would stand half outside
	}
}

func TestClicks(t *testing.T) {
	s := start(t, counter{}, nil)
	for _, selector := range []string{"plus", "#plus", "button"} {
		do(t, s, uat.Click, selector)
	}
	if w := widget(t, observe(t, s), "plus"); w.Text != "[+] 3" {
		t.Errorf("got %s", w.Text)
	}
	fails := func(target, want string) {
		t.Helper()
		if err := s.Perform(t.Context(), uat.Action{Type: uat.Click, Target: target}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
	fails("minus", "no widget minus is visible; there are panel, plus, input, ticks")
	state := do(t, s, uat.Press, "ctrl+o")
	if _, visible := state.Widget("plus"); visible {
		t.Error("what a popup covers is visible")
	}
	fails("plus", "widget plus is covered or outside the screen")
	s = start(t, quiet{}, nil)
	fails("plus", "names no widgets")
}

// quiet is a program that tells nothing of itself.
type quiet struct{ text string }

func (q quiet) Init() tea.Cmd                       { return nil }
func (q quiet) Update(tea.Msg) (tea.Model, tea.Cmd) { return q, nil }
func (q quiet) View() tea.View                      { return tea.NewView(q.text) }

func TestProgramThatTellsNothing(t *testing.T) {
	s := start(t, quiet{"1\n2\n\x1b[31m3\x1b[m\n4"}, &teaui.Options{Width: 10, Height: 3})
	if diff := cmp.Diff(uat.State{Text: "2\n3\n4", Width: 10, Height: 3}, observe(t, s)); diff != "" {
		t.Error(diff) // outside the alternate screen the first lines are gone
	}
}

func TestTerminalAnswers(t *testing.T) {
	s := start(t, counter{}, &teaui.Options{Width: 50})
	do(t, s, uat.Press, "ctrl+r")
	if err := s.Resize(t.Context(), 100, 40); err != nil {
		t.Fatal(err)
	}
	if state := observe(t, s); state.Width != 100 || state.Height != 40 {
		t.Errorf("%d × %d", state.Width, state.Height)
	}
}

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		action uat.Action
		want   string
	}{
		{uat.Action{Type: uat.Press, Target: "entr"}, `there is no key "entr"`},
		{uat.Action{Type: uat.Press, Target: "strg+s"}, `"strg" is no modifier`},
		{uat.Action{Type: uat.Press, Target: "ctrl+e"}, "needs a real terminal"},
		{uat.Action{Type: uat.Wait, Value: "soon"}, "milliseconds"},
		{uat.Action{Type: uat.Done}, "cannot done"},
	} {
		err := start(t, counter{}, nil).Perform(t.Context(), test.action)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.action, err)
		}
	}
}

func TestEnd(t *testing.T) {
	s := start(t, counter{}, nil)
	if state := do(t, s, uat.Press, "up ctrl+c"); !state.Exited || !strings.Contains(state.Text, "[+] 1") {
		t.Errorf("%+v", state)
	}
	if err := s.Perform(t.Context(), uat.Action{Type: uat.Press, Target: "up"}); err == nil || err.Error() != "the program has ended" {
		t.Errorf("got %v", err)
	}
}

func TestCrashes(t *testing.T) {
	for key, during := range map[string]string{"ctrl+p": "Update(tea.KeyPressMsg)", "ctrl+x": "the command "} {
		s := start(t, counter{}, nil)
		err := s.Perform(t.Context(), uat.Action{Type: uat.Press, Target: key})
		var crash *uat.CrashError
		if !errors.As(err, &crash) || !strings.HasPrefix(crash.During, during) || !strings.Contains(crash.Stack, "counter") {
			t.Errorf("%s: got %v", key, err)
		}
		if _, again := s.Observe(t.Context()); !errors.As(again, &crash) {
			t.Errorf("%s: then %v", key, again)
		}
	}
	if _, err := teaui.Start(t.Context(), bomb{}, nil); err == nil || !strings.Contains(err.Error(), "View: boom") {
		t.Errorf("got %v", err)
	}
}

type bomb struct{ quiet }

func (b bomb) Update(tea.Msg) (tea.Model, tea.Cmd) { return b, nil }
func (b bomb) View() tea.View                      { panic("boom") }
