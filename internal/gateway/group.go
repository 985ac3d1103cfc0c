package gateway

import "sync"

// group is a WaitGroup that takes nothing more once it is waited for.
type group struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Go runs f, unless the group is closed.
func (g *group) Go(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.tasks.Go(f)
	}
}

// Close waits until all have ended.
func (g *group) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.tasks.Wait()
}
