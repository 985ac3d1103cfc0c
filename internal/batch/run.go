package batch

import (
	"context"
	"sync"
)

// inOrder calls work for 0 to n-1, at most limit at a time, and tell with each result in
// order, from this goroutine. Once ctx has ended nothing new begins: what is left gets
// work with that ctx, which returns at once.
func inOrder[T any](ctx context.Context, n, limit int, work func(context.Context, int) T, tell func(T)) {
	results := make([]chan T, n)
	for i := range results {
		results[i] = make(chan T, 1)
	}
	tickets := make(chan struct{}, max(limit, 1))
	var running sync.WaitGroup
	running.Go(func() {
		for i := range n {
			tickets <- struct{}{}
			running.Go(func() {
				defer func() { <-tickets }()
				results[i] <- work(ctx, i)
			})
		}
	})
	for _, r := range results {
		tell(<-r)
	}
	running.Wait()
}
