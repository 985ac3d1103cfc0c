package render_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webodar/webodar/internal/render"
)

// runnerFunc is a Runner that is a function.
type runnerFunc func(ctx context.Context, job render.Job) (json.RawMessage, error)

func (f runnerFunc) Do(ctx context.Context, job render.Job) (json.RawMessage, error) {
	return f(ctx, job)
}
func (f runnerFunc) Close() error { return nil }

func remember(t testing.TB, f runnerFunc, limit int) *render.Memory {
	t.Helper()
	m, err := render.Remember(f, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func TestRemember(t *testing.T) {
	calls := 0
	m := remember(t, func(_ context.Context, job render.Job) (json.RawMessage, error) {
		calls++
		if string(job.Input) == `"bad"` {
			return nil, errors.New("bad")
		}
		return fmt.Appendf(nil, `"%s %s %d"`, job.Kind, job.Input[1:len(job.Input)-1], calls), nil
	}, 100)
	for _, step := range []struct {
		kind, input, want string
	}{
		{"a", `"x"`, `"a x 1"`},
		{"a", `"x"`, `"a x 1"`},
		{"b", `"x"`, `"b x 2"`}, // another kind
		{"a", `"y"`, `"a y 3"`},
		{"a", `"bad"`, ``},
		{"a", `"bad"`, ``}, // done again
		{"b", `"x"`, `"b x 2"`},
		{"a", `"01234567890123456789"`, `"a 01234567890123456789 6"`}, // too large to keep
		{"a", `"01234567890123456789"`, `"a 01234567890123456789 7"`},
	} {
		got, err := m.Do(t.Context(), render.Job{Kind: step.kind, Input: json.RawMessage(step.input)})
		if (err != nil) != (step.want == "") || string(got) != step.want {
			t.Errorf("%s %s: got %s, %v, want %s", step.kind, step.input, got, err, step.want)
		}
	}
	// Twenty more of some ten bytes: the first are forgotten.
	for i := range 20 {
		if _, err := m.Do(t.Context(), render.Job{Kind: "a", Input: fmt.Appendf(nil, `"%02d"`, i)}); err != nil {
			t.Fatal(err)
		}
	}
	before := calls
	for input, again := range map[string]int{`"19"`: 0, `"x"`: 1} {
		calls = before
		if _, err := m.Do(t.Context(), render.Job{Kind: "a", Input: json.RawMessage(input)}); err != nil || calls-before != again {
			t.Errorf("%s: done %d times again, want %d (%v)", input, calls-before, again, err)
		}
	}
}

// The same asked at once is done once; one who gives up does not take the others along.
func TestRememberTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		m := remember(t, func(ctx context.Context, _ render.Job) (json.RawMessage, error) {
			calls.Add(1)
			select {
			case <-time.After(time.Second):
				return json.RawMessage(`1`), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}, 1000)
		impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		failed := make(chan error, 10)
		go func() {
			_, err := m.Do(impatient, render.Job{Kind: "k"})
			failed <- err
		}()
		synctest.Wait()
		for range 8 {
			go func() {
				_, err := m.Do(t.Context(), render.Job{Kind: "k"})
				failed <- err
			}()
		}
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient one: %v", err)
		}
		for range 8 {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
		if n := calls.Load(); n != 2 {
			t.Errorf("done %d times, want 2", n)
		}
	})
}

func TestRememberRefuses(t *testing.T) {
	if _, err := render.Remember(nil, 0); err == nil {
		t.Error("a memory of no bytes")
	}
}
