package render

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// worker is the pool's side of a process. Its fields are guarded by the pool's mu,
// but those that are set once.
type worker struct {
	pool   *Pool
	cmd    *exec.Cmd
	orders chan order // room for a wish to prepare and a job
	stderr *tail

	process *os.Process // once it runs
	spoke   bool        // it has sent a report
	kind    string      // of the engine it has, or makes, ready
	ready   bool
	request *request
	taken   bool // the worker has said that it took the request
	jobs    int
	killed  bool
	idle    *time.Timer // ends the worker when it fires
}

// start starts a worker with a first job, or none. Needs mu; the process itself is
// started by a goroutine, since that takes milliseconds.
func (p *Pool) start(kind string, r *request) {
	w := &worker{
		pool: p, kind: kind, orders: make(chan order, 2), stderr: &tail{},
		cmd: exec.Command(p.opts.Command[0], p.opts.Command[1:]...),
	}
	w.cmd.Env = append(environment(), p.opts.Env...)
	w.cmd.Stderr = w.stderr
	w.cmd.WaitDelay = time.Second
	bindToParent(w.cmd)
	p.workers[w] = struct{}{}
	if r != nil {
		w.give(r)
	} else {
		w.orders <- order{Kind: kind}
		w.rest()
	}
	p.running.Go(w.live)
}

// environment is the little that a process needs to start.
func environment() []string {
	env := []string{"TZ=UTC"}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
	}
	return env
}

// give hands a job over. Needs mu, and a worker without one.
func (w *worker) give(r *request) {
	if w.idle != nil {
		w.idle.Stop()
	}
	w.pool.nextID++
	w.request, w.taken, w.ready, w.kind = r, false, false, r.Kind
	r.worker = w
	w.jobs++
	w.orders <- order{ID: w.pool.nextID, Kind: r.Kind, Job: true, Input: r.Input}
	r.move()
}

// rest starts the time after which a worker without a job ends. Needs mu.
func (w *worker) rest() {
	w.idle = time.AfterFunc(w.pool.opts.Idle, func() {
		w.pool.mu.Lock()
		defer w.pool.mu.Unlock()
		if w.request == nil {
			w.kill()
		}
	})
}

// kill ends the process. A worker keeps nothing that would need a farewell. Needs
// mu.
func (w *worker) kill() {
	w.killed = true
	if w.idle != nil {
		w.idle.Stop()
	}
	if w.process != nil {
		_ = w.process.Kill()
	}
}

// live runs the process from start to end.
func (w *worker) live() {
	cause := w.serve()
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	w.kill() // also if serve failed before, so that nothing thinks it alive
	delete(p.workers, w)
	if r := w.request; r != nil {
		w.request = nil
		p.bereave(r, w, cause)
	}
	p.dispatch()
}

// bereave decides what becomes of a job whose worker has ended. Needs mu.
func (p *Pool) bereave(r *request, w *worker, cause error) {
	switch {
	case p.closed:
		r.outcome <- outcome{err: ErrClosed}
		return
	case r.gone:
	case !w.taken && w.spoke && !r.retried:
		// The worker had died before it got the job, by another's hand: the
		// job is innocent.
		r.retried, r.worker = true, nil
		p.queue = append([]*request{r}, p.queue...)
		return
	default:
		r.outcome <- outcome{err: &CrashError{Cause: cause, Stderr: w.stderr.String()}}
	}
	// A worker that was in use is worth replacing before it is asked for.
	if len(p.queue) == 0 && len(p.workers) < p.opts.Workers && w.taken {
		p.start(r.Kind, nil)
	}
}

// serve starts the process, and reads its reports until it ends.
func (w *worker) serve() error {
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := w.launch(); err != nil {
		return err
	}
	over := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() { w.write(in, over) })
	protocol := w.read(out)
	w.pool.mu.Lock()
	w.kill() // it said something that we do not understand, or closed its stdout
	w.pool.mu.Unlock()
	close(over)
	_ = in.Close()
	ended := w.cmd.Wait()
	writing.Wait()
	if !errors.Is(protocol, io.EOF) {
		return fmt.Errorf("%w (%v)", protocol, ended)
	}
	if ended == nil {
		return errors.New("exit status 0")
	}
	return ended
}

// launch starts the process on the spawner's thread.
func (w *worker) launch() error {
	result := make(chan error, 1)
	w.pool.spawn <- func() {
		w.pool.mu.Lock()
		killed := w.killed
		w.pool.mu.Unlock()
		if killed {
			result <- errors.New("it was stopped before it started")
			return
		}
		result <- w.cmd.Start()
	}
	if err := <-result; err != nil {
		return err
	}
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.process = w.cmd.Process
	if w.killed { // meanwhile
		w.kill()
	}
	return nil
}

func (w *worker) write(in io.Writer, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case o := <-w.orders:
			if writeFrame(in, o, o.Input) != nil {
				return // the reader sees the end too
			}
		}
	}
}

// read handles reports until the process's stdout ends or makes no sense.
func (w *worker) read(out io.Reader) error {
	buffered := bufio.NewReader(out)
	for {
		var rep report
		body, err := readFrame(buffered, &rep)
		if err != nil {
			return err
		}
		rep.Answer = body
		if err := w.handle(rep); err != nil {
			return err
		}
	}
}

func (w *worker) handle(rep report) error {
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	w.spoke = true
	switch rep.State {
	case started:
		w.taken = w.request != nil
	case prepared:
		w.ready = w.request == nil && rep.Kind == w.kind
	case finished:
		r := w.request
		if r == nil || !w.taken {
			return errors.New("an answer to no job")
		}
		w.request = nil
		switch {
		case rep.Error != nil:
			r.outcome <- outcome{err: rep.Error}
		default:
			r.outcome <- outcome{answer: rep.Answer}
		}
		if w.jobs >= p.opts.MaxJobs || rep.Memory > p.opts.RecycleBytes {
			w.kill()
			delete(p.workers, w) // so that its place is free at once
			if len(p.queue) == 0 && !p.closed {
				p.start(r.Kind, nil)
			}
		} else {
			w.rest()
		}
		p.dispatch()
	default:
		return fmt.Errorf("an unknown report %q", rep.State)
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b[max(0, len(b)-tailSize):]...)
	if extra := len(t.data) - tailSize; extra > 0 {
		t.data = append(t.data[:0], t.data[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
