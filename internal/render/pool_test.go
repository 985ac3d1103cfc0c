package render_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/render"
)

func TestJobs(t *testing.T) {
	local := &render.Local{Kinds: kinds()}
	for name, runner := range map[string]render.Runner{"pool": newPool(t, render.Options{Workers: 1}), "local": local} {
		t.Run(name, func(t *testing.T) {
			first := mustDo(t, runner, job("echo", 1))
			if first.Text != "<é>" {
				t.Errorf("got %+v", first)
			}
			if big := mustDo(t, runner, job("echo", 1<<20)); len(big.Text) != 4<<20 || big.Engine == first.Engine {
				t.Errorf("got %d bytes of engine %d", len(big.Text), big.Engine)
			}
			var failed *render.JobError
			for wish, want := range map[string]string{
				"fail": "did not work", "panic": "at the disco", "nojson": "not JSON", "nonsense": "what is",
			} {
				if _, err := do(t.Context(), runner, job(wish, 0)); !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: got %v", wish, err)
				}
			}
			if _, err := do(t.Context(), runner, job("coded", 0)); !errors.As(err, &failed) || string(failed.Data) != `{"code":7}` || failed.Message != "wrapped: coded" {
				t.Errorf("got %#v", err)
			}
			for kind, want := range map[string]string{"unready": "no engine", "unknown": "no kind", "": "no kind"} {
				if _, err := runner.Do(t.Context(), render.Job{Kind: kind}); !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
					t.Errorf("kind %q: got %v", kind, err)
				}
			}
			other := job("", 0)
			other.Kind = "other"
			if got := mustDo(t, runner, other); got.PID != first.PID {
				t.Error("failures ended the process")
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("that was it"))
			defer cancel()
			var stopped *render.StoppedError
			if _, err := do(ctx, runner, job("hang", 0)); !errors.As(err, &stopped) || !stopped.Running || !strings.Contains(err.Error(), "that was it") {
				t.Errorf("hang: got %v", err)
			}
			if _, err := do(ctx, runner, job("", 0)); !errors.As(err, &stopped) || stopped.Running {
				t.Errorf("with a spent context: got %v", err)
			}
		})
	}
}

func TestCrashCostsOneJob(t *testing.T) {
	p := newPool(t, render.Options{Workers: 1})
	before := mustDo(t, p, job("", 0))
	var crash *render.CrashError
	if _, err := do(t.Context(), p, job("exit", 0)); !errors.As(err, &crash) || !strings.Contains(err.Error(), "exit status 3") || crash.Stderr != "farewell\n" {
		t.Fatalf("got %#v", err)
	}
	if after := mustDo(t, p, job("", 0)); after.PID == before.PID {
		t.Error("the worker was not replaced")
	}
}

func TestDeadlineKills(t *testing.T) {
	p := newPool(t, render.Options{Workers: 1})
	mustDo(t, p, job("", 0))
	for _, wish := range []string{"hang", "spin"} {
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
			_, err := do(ctx, p, job(wish, 0))
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", wish, err)
			}
		}
		mustDo(t, p, job("", 0))
	}
}

func TestQueueCountsAndLeaves(t *testing.T) {
	p := newPool(t, render.Options{Workers: 1, MaxQueue: 2})
	mustDo(t, p, job("", 0))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	running := make(chan struct{})
	wg.Go(func() {
		hang := job("hang", 0)
		once := sync.OnceFunc(func() { close(running) })
		hang.Progress = func(pr render.Progress) {
			if pr.Running {
				once()
			}
		}
		if _, err := p.Do(ctx, hang); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	<-running
	queued, leave := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer leave()
	var stopped *render.StoppedError
	if _, err := do(queued, p, job("", 0)); !errors.As(err, &stopped) || stopped.Running {
		t.Errorf("in the queue: %v", err)
	}
	ahead := make(chan int, 100)
	for range 2 {
		wg.Go(func() {
			j := job("", 0)
			j.Progress = func(pr render.Progress) { ahead <- pr.Ahead }
			if _, err := do(t.Context(), p, j); err != nil {
				t.Error(err)
			}
		})
	}
	if a, b := <-ahead, <-ahead; a+b != 1 {
		t.Errorf("%d and %d jobs ahead", a, b)
	}
	if _, err := do(t.Context(), p, job("", 0)); !errors.Is(err, render.ErrBusy) {
		t.Errorf("past the queue: %v", err)
	}
	cancel()
	wg.Wait()
	if s := p.Stats(); s.Busy != 0 || s.Queued != 0 {
		t.Errorf("left: %+v", s)
	}
}

func TestProgressTicks(t *testing.T) {
	p := newPool(t, render.Options{Workers: 1})
	var seen []render.Progress
	j := job("sleep", 1200)
	j.Progress = func(pr render.Progress) { seen = append(seen, pr) }
	if _, err := p.Do(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if last := seen[len(seen)-1]; !last.Running || last.Elapsed < 900*time.Millisecond || len(seen) > 10 {
		t.Errorf("got %+v", seen)
	}
}

func TestNoise(t *testing.T) {
	p := newPool(t, render.Options{Workers: 1})
	if got := mustDo(t, p, job("env", 0)); strings.Contains(got.Text, "PATH=") || !strings.Contains(got.Text, "TZ=UTC") {
		t.Errorf("the worker's environment: %s", got.Text)
	}
	for _, wish := range []string{"print", "flood"} {
		mustDo(t, p, job(wish, 10_000))
	}
	big := job("", 0)
	big.Input = []byte(`{"do":"echo","more":"` + strings.Repeat("x", 8<<20) + `"}`)
	mustDo(t, p, big)
}

func TestMemoryLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("fills memory")
	}
	p := newPool(t, render.Options{Workers: 1})
	var crash *render.CrashError
	if _, err := do(t.Context(), p, job("memory", 0)); !errors.As(err, &crash) {
		t.Fatalf("got %v", err)
	}
	mustDo(t, p, job("", 0))
}

func TestIdleAndRecycled(t *testing.T) {
	p := newPool(t, render.Options{Workers: 2, Idle: 100 * time.Millisecond, MaxJobs: 3})
	pids := map[int]int{}
	for range 9 {
		pids[mustDo(t, p, job("", 0)).PID]++
	}
	for pid, n := range pids {
		if n > 3 {
			t.Errorf("%d did %d jobs", pid, n)
		}
	}
	for end := time.Now().Add(5 * time.Second); p.Stats().Workers > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still there: %+v", p.Stats())
		}
	}
	mustDo(t, p, job("", 0))
}

func TestWarm(t *testing.T) {
	p := newPool(t, render.Options{Workers: 2})
	p.Warm("fake")
	p.Warm("fake")
	if s := p.Stats(); s.Workers != 1 {
		t.Errorf("got %+v", s)
	}
	if got := mustDo(t, p, job("", 0)); got.Engine != 1 {
		t.Errorf("engine %d", got.Engine)
	}
}

func TestBadWorkers(t *testing.T) {
	var crash *render.CrashError
	for _, args := range [][]string{{"babbler", "garbage"}, {"babbler", "huge"}, {"babbler", "early"}, {"babbler", "quits"}, {"babbler", "strange"}} {
		p := newPool(t, render.Options{Command: command(t, args...), Workers: 1})
		for range 2 {
			if _, err := do(t.Context(), p, job("", 0)); !errors.As(err, &crash) {
				t.Errorf("%s: got %v", args[1], err)
			}
		}
	}
	p := newPool(t, render.Options{Command: []string{"/nowhere/webodar"}})
	if _, err := do(t.Context(), p, job("", 0)); !errors.As(err, &crash) {
		t.Errorf("got %v", err)
	}
	if _, err := render.New(&render.Options{}); err == nil {
		t.Error("a pool without a command")
	}
}

func TestClose(t *testing.T) {
	p := newPool(t, render.Options{Workers: 1})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, err := do(t.Context(), p, job("hang", 0)); !errors.Is(err, render.ErrClosed) {
				t.Errorf("got %v", err)
			}
		})
	}
	for p.Stats().Queued < 2 {
		time.Sleep(time.Millisecond)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if _, err := do(t.Context(), p, job("", 0)); !errors.Is(err, render.ErrClosed) {
		t.Errorf("afterwards: %v", err)
	}
}
