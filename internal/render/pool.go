package render

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Defaults of [Options].
const (
	DefaultIdle     = 2 * time.Minute
	DefaultMaxQueue = 256
	DefaultMaxJobs  = 1000
	DefaultRecycle  = 512 << 20
)

// Options configure a pool.
type Options struct {
	// Command starts a worker: a path and its arguments. Required.
	Command []string
	// Workers is how many may run at once. 0 means one a core.
	Workers int
	// Idle is how long a worker waits for a next job before it ends. 0 means
	// [DefaultIdle].
	Idle time.Duration
	// MaxQueue bounds the jobs that wait. 0 means [DefaultMaxQueue].
	MaxQueue int
	// MaxJobs and RecycleBytes end a worker that has done so many jobs, or
	// holds so much memory after one. 0 means [DefaultMaxJobs] and
	// [DefaultRecycle].
	MaxJobs      int
	RecycleBytes uint64
	// Env is a worker's environment beside TZ=UTC. It gets none of this
	// process's: there are secrets in it.
	Env []string
}

// Pool does jobs in worker processes. Its methods are safe for concurrent use.
type Pool struct {
	opts    Options
	spawn   chan func() // run by the spawner, see there
	running sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	nextID  uint64
	queue   []*request
	workers map[*worker]struct{}
}

// request is a job on its way. What is below the line is guarded by the pool's mu.
type request struct {
	Job
	begin   time.Time
	moved   chan struct{} // a token when its state changed
	outcome chan outcome  // one outcome

	worker  *worker // that it is given to; nil while queued
	retried bool    // it was given to a worker that had died
	gone    bool    // nobody waits for it any more
}

type outcome struct {
	answer json.RawMessage
	err    error
}

// New returns a pool. It starts nothing yet but a goroutine.
func New(opts *Options) (*Pool, error) {
	if opts == nil || len(opts.Command) == 0 {
		return nil, errors.New("render: no command to start a worker with")
	}
	p := &Pool{opts: *opts, spawn: make(chan func()), workers: map[*worker]struct{}{}}
	o := &p.opts
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Idle = cmp.Or(o.Idle, DefaultIdle)
	o.MaxQueue = cmp.Or(o.MaxQueue, DefaultMaxQueue)
	o.MaxJobs = cmp.Or(o.MaxJobs, DefaultMaxJobs)
	o.RecycleBytes = cmp.Or(o.RecycleBytes, DefaultRecycle)
	go p.spawner()
	return p, nil
}

// spawner starts processes on one thread that it never gives up: the kernel kills
// a worker when the thread that started it ends, not the process.
func (p *Pool) spawner() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for f := range p.spawn {
		f()
	}
}

// Do queues a job and waits for its answer. A deadline on ctx counts from here, in
// the queue and running; when it passes the worker is killed.
func (p *Pool) Do(ctx context.Context, job Job) (json.RawMessage, error) {
	if job.Input == nil {
		job.Input = json.RawMessage("null")
	}
	if err := ctx.Err(); err != nil {
		return nil, &StoppedError{Err: context.Cause(ctx)}
	}
	r := &request{Job: job, begin: time.Now(), moved: make(chan struct{}, 1), outcome: make(chan outcome, 1)}
	if err := p.submit(r); err != nil {
		return nil, err
	}
	var tick <-chan time.Time
	if job.Progress != nil {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		tick = t.C
		job.Progress(p.progress(r))
	}
	for {
		select {
		case out := <-r.outcome:
			return out.answer, out.err
		case <-ctx.Done():
			return nil, &StoppedError{Running: p.abandon(r), Err: context.Cause(ctx)}
		case <-r.moved:
		case <-tick:
		}
		if job.Progress != nil {
			job.Progress(p.progress(r))
		}
	}
}

// Warm starts a worker with an engine of this kind ready, unless there is a worker.
func (p *Pool) Warm(kind string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed && len(p.workers) == 0 {
		p.start(kind, nil)
	}
}

// Close ends every worker, fails the jobs that wait or run with [ErrClosed], and
// returns when all is gone.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	for _, r := range p.queue {
		r.outcome <- outcome{err: ErrClosed}
	}
	p.queue = nil
	for w := range p.workers {
		w.kill()
	}
	p.mu.Unlock()
	p.running.Wait()
	close(p.spawn)
	return nil
}

func (p *Pool) submit(r *request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return ErrClosed
	case len(p.queue) >= p.opts.MaxQueue:
		return ErrBusy
	}
	p.queue = append(p.queue, r)
	p.dispatch()
	return nil
}

// dispatch gives waiting jobs to workers, first come first served. Needs mu.
func (p *Pool) dispatch() {
	for len(p.queue) > 0 && !p.closed {
		r := p.queue[0]
		w := p.idle(r.Kind)
		switch {
		case w != nil:
			w.give(r)
		case len(p.workers) < p.opts.Workers:
			p.start(r.Kind, r)
		default:
			return
		}
		p.queue = p.queue[1:]
		for _, waiting := range p.queue {
			waiting.move()
		}
	}
}

// idle returns the best worker without a job: one with the engine ready, else one
// that is preparing it, else a cold one if no other may be started. Needs mu.
func (p *Pool) idle(kind string) *worker {
	var best *worker
	rank := 0
	for w := range p.workers {
		if w.request != nil || w.killed {
			continue
		}
		score := 1
		switch {
		case w.kind == kind && w.ready:
			score = 3
		case w.kind == kind:
			score = 2
		case len(p.workers) < p.opts.Workers:
			continue
		}
		if score > rank {
			best, rank = w, score
		}
	}
	return best
}

// abandon forgets a request whose caller has left, and ends its worker. It reports
// whether the job had started.
func (p *Pool) abandon(r *request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.gone = true
	if i := slices.Index(p.queue, r); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		return false
	}
	if w := r.worker; w != nil && w.request == r {
		w.kill()
	}
	return true
}

func (p *Pool) progress(r *request) Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Progress{Running: r.worker != nil, Ahead: max(0, slices.Index(p.queue, r)), Elapsed: time.Since(r.begin)}
}

func (r *request) move() {
	select {
	case r.moved <- struct{}{}:
	default:
	}
}

// Stats counts what the pool holds.
type Stats struct {
	Workers, Busy, Queued int
}

// Stats counts what the pool holds now.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Stats{Workers: len(p.workers), Queued: len(p.queue)}
	for w := range p.workers {
		if w.request != nil {
			s.Busy++
		}
	}
	return s
}
