package render_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/render"
)

// The test binary plays worker and, for the test of orphans, parent.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "worker":
		err := render.WorkerMain(context.Background(), &render.WorkerOptions{Kinds: kinds(), MemoryLimit: 2 << 30}, os.Stdin, os.Stdout)
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case len(os.Args) > 1 && os.Args[1] == "parent":
		parent()
	case len(os.Args) > 1 && os.Args[1] == "babbler":
		babble(os.Args[2])
	}
	goleak.VerifyTestMain(m)
}

func kinds() render.Kinds {
	return render.Kinds{"fake": &fake{}, "other": &fake{}, "unready": &fake{err: errors.New("no engine")}}
}

// fake is a kind whose jobs do what their input says.
type fake struct {
	made int
	err  error
}

type fakeEngine struct {
	number int
	used   bool
}

func (f *fake) Prepare() (render.Prepared, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.made++
	return &fakeEngine{number: f.made}, nil
}

// wish is a fake job's input.
type wish struct {
	Do   string `json:"do"`
	Size int    `json:"size,omitempty"`
}

// told is a fake job's answer.
type told struct {
	PID    int    `json:"pid"`
	Engine int    `json:"engine"`
	Text   string `json:"text,omitempty"`
}

type codedError struct{ code int }

func (e *codedError) Error() string  { return "coded" }
func (e *codedError) ErrorData() any { return map[string]int{"code": e.code} }

func (e *fakeEngine) Close() error { return nil }

func (e *fakeEngine) Run(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
	if e.used {
		return nil, errors.New("the engine was used before")
	}
	e.used = true
	var w wish
	if err := json.Unmarshal(input, &w); err != nil {
		return nil, err
	}
	out := told{PID: os.Getpid(), Engine: e.number}
	switch w.Do {
	case "", "echo":
		out.Text = strings.Repeat("<é>", w.Size)
	case "fail":
		return nil, errors.New("did not work")
	case "coded":
		return nil, fmt.Errorf("wrapped: %w", &codedError{7})
	case "panic":
		panic("at the disco")
	case "exit":
		fmt.Fprintln(os.Stderr, "farewell")
		os.Exit(3)
	case "sleep":
		time.Sleep(time.Duration(w.Size) * time.Millisecond)
	case "hang":
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-make(chan int):
		}
	case "spin":
		for i := 0; ctx.Err() == nil; i++ {
		}
		return nil, ctx.Err()
	case "print":
		fmt.Println(strings.Repeat("noise", w.Size)) // on stdout, where frames are
	case "flood":
		for range w.Size {
			fmt.Fprintln(os.Stderr, strings.Repeat("noise", 100))
		}
	case "memory":
		var kept [][]byte
		for {
			b := make([]byte, 64<<20)
			for i := range b {
				b[i] = 1
			}
			kept = append(kept, b)
			_ = kept
		}
	case "nojson":
		return json.RawMessage("{"), nil
	case "env":
		out.Text = strings.Join(os.Environ(), " ")
	default:
		return nil, fmt.Errorf("what is %q", w.Do)
	}
	return json.Marshal(out)
}

func newPool(t testing.TB, opts render.Options) *render.Pool {
	t.Helper()
	if opts.Command == nil {
		opts.Command = command(t, "worker")
	}
	p, err := render.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func command(t testing.TB, args ...string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{exe}, args...)
}

func job(do string, size int) render.Job {
	input, err := json.Marshal(wish{Do: do, Size: size})
	if err != nil {
		panic(err)
	}
	return render.Job{Kind: "fake", Input: input}
}

func do(ctx context.Context, r render.Runner, j render.Job) (told, error) {
	var out told
	answer, err := r.Do(ctx, j)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer, &out)
}

func mustDo(t testing.TB, r render.Runner, j render.Job) told {
	t.Helper()
	out, err := do(t.Context(), r, j)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
