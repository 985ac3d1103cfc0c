package render_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/render"
)

// TestManyJobs mixes good and bad jobs, and looks at what is left.
func TestManyJobs(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	p := newPool(t, render.Options{Workers: 2, MaxQueue: n})
	var wg sync.WaitGroup
	slots := make(chan struct{}, 16)
	before := descriptors()
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			rnd := rand.New(rand.NewPCG(1, uint64(i)))
			wish := "echo"
			if i%10 == 9 {
				wish = []string{"fail", "panic", "exit", "hang", "spin"}[rnd.IntN(5)]
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if wish == "hang" || wish == "spin" {
				ctx, cancel = context.WithTimeout(ctx, time.Duration(rnd.IntN(50))*time.Millisecond)
				defer cancel()
			}
			_, err := do(ctx, p, job(wish, rnd.IntN(1000)))
			var failed *render.JobError
			var crash *render.CrashError
			var stopped *render.StoppedError
			switch wish {
			case "echo":
				if err != nil {
					t.Errorf("an innocent job: %v", err)
				}
			case "fail", "panic":
				if !errors.As(err, &failed) {
					t.Errorf("%s: %v", wish, err)
				}
			case "exit":
				if !errors.As(err, &crash) {
					t.Errorf("%s: %v", wish, err)
				}
			default:
				if !errors.As(err, &stopped) {
					t.Errorf("%s: %v", wish, err)
				}
			}
		})
	}
	wg.Wait()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if after := descriptors(); after > before {
		t.Errorf("%d descriptors open, %d before", after, before)
	}
}

func descriptors() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

func BenchmarkRoundTrip(b *testing.B) {
	p := newPool(b, render.Options{Workers: 1})
	for b.Loop() {
		mustDo(b, p, job("echo", 10_000))
	}
}
