package teaui_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/uat"
)

// stop ends the real program once it has seen as many loaded messages as the surface
// has.
type stop struct {
	tea.Model
	loaded int
}

func (s stop) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(loaded); ok {
		s.loaded--
	}
	model, cmd := s.Model.Update(msg)
	s.Model = model
	if s.loaded == 0 {
		return s, tea.Quit
	}
	return s, cmd
}

// TestAgreesWithBubbleTea feeds the same bytes that a terminal would send to Bubble
// Tea's own program, and the same actions to the surface.
func TestAgreesWithBubbleTea(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	const (
		keys        = "up up shift+a space b Z é 日 ctrl+s ctrl+l"
		bytesOfKeys = "\x1b[A\x1b[AA bZé日\x13\x0c"
	)
	s := start(t, counter{}, nil)
	want := do(t, s, uat.Press, keys)

	program := tea.NewProgram(stop{counter{}, 6}, tea.WithContext(ctx), tea.WithInput(bytes.NewBufferString(bytesOfKeys)),
		tea.WithOutput(new(bytes.Buffer)), tea.WithWindowSize(80, 24), tea.WithoutSignals())
	final, err := program.Run()
	if err != nil {
		t.Fatal(err)
	}
	got := final.(stop).Model.(counter)
	if diff := cmp.Diff(want.Extras["count"], got.count); diff != "" {
		t.Error(diff)
	}
	if w, _ := want.Widget("input"); w.Text != "> "+got.input {
		t.Errorf("%q, and Bubble Tea has %q", w.Text, got.input)
	}
	if len(got.log) != 6 {
		t.Errorf("log %v", got.log)
	}
}
