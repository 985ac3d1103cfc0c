package render

import (
	"bufio"
	"context"
	"io"
	"os"
)

// WorkerOptions configure [WorkerMain].
type WorkerOptions struct {
	Kinds Kinds
	// MemoryLimit bounds what the process may allocate in bytes, on Linux. 0
	// is none. Past it the process ends.
	MemoryLimit uint64
	// Exit ends the process. nil means os.Exit.
	Exit func(code int)
}

// WorkerMain is the main function of a worker process: it takes jobs from in and
// writes their outcome to out. When in ends the process ends at once, whatever runs:
// the parent is gone, or wants it so.
func WorkerMain(ctx context.Context, opts *WorkerOptions, in io.Reader, out io.Writer) error {
	exit := opts.Exit
	if exit == nil {
		exit = os.Exit
	}
	if out == io.Writer(os.Stdout) {
		os.Stdout = os.Stderr // whoever prints must not write into the frames
	}
	if err := limitMemory(opts.MemoryLimit); err != nil {
		return err
	}
	w := &workerProcess{kinds: opts.Kinds, out: out}
	orders := make(chan order)
	ended := make(chan struct{})
	defer close(ended)
	// The reader is a goroutine of its own, so that the end of in is seen
	// while a job runs.
	go func() {
		buffered := bufio.NewReader(in)
		for {
			var o order
			body, err := readFrame(buffered, &o)
			if err != nil {
				select {
				case <-ended:
				default:
					exit(0)
				}
				return
			}
			o.Input = body
			select {
			case orders <- o:
			case <-ended:
				return
			}
		}
	}()
	defer w.drop()
	for {
		var idle <-chan struct{}
		if w.cold {
			idle = always
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case o := <-orders:
			if err := w.obey(ctx, o); err != nil {
				return err
			}
			continue
		case <-idle:
		}
		// Both were there, perhaps: an order goes first.
		select {
		case o := <-orders:
			if err := w.obey(ctx, o); err != nil {
				return err
			}
		default:
			w.warm()
		}
	}
}

// always can be received from.
var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// workerProcess holds the engine that is ready for the next job.
type workerProcess struct {
	kinds Kinds
	out   io.Writer
	ready Prepared
	kind  string // of ready
	cold  bool   // there is something left to warm
}

func (w *workerProcess) obey(ctx context.Context, o order) error {
	if w.ready != nil && w.kind != o.Kind {
		w.drop()
	}
	if o.Job {
		if err := writeFrame(w.out, report{State: started, ID: o.ID}, nil); err != nil {
			return err
		}
		if err := w.job(ctx, o); err != nil {
			return err
		}
	}
	if w.ready == nil {
		// A kind that cannot be prepared says so when a job wants it.
		_ = w.prepare(o.Kind)
	}
	return writeFrame(w.out, report{State: prepared, Kind: o.Kind}, nil)
}

// prepare makes an engine ready.
func (w *workerProcess) prepare(kind string) error {
	p, err := prepare(w.kinds, kind)
	if err != nil {
		return err
	}
	w.ready, w.kind = p, kind
	if r, ok := p.(Reusable); ok {
		w.cold = r.Keep() == nil
	}
	return nil
}

// job does a job with the ready engine, or one made now, and makes the engine fit for
// the next once the answer is out: what follows that is on no job's time.
func (w *workerProcess) job(ctx context.Context, o order) error {
	out := report{State: finished, ID: o.ID}
	var err error
	if w.ready == nil {
		err = w.prepare(o.Kind)
	}
	var answer []byte
	if err == nil {
		answer, err = run(ctx, w.ready, o.Input)
	}
	if err != nil {
		answer, out.Error = nil, jobError(err)
	}
	out.Memory = residentMemory()
	failed := writeFrame(w.out, out, answer)
	// An engine that failed may be broken in ways that memory does not tell.
	if r, ok := w.ready.(Reusable); !ok || err != nil || r.Reset() != nil {
		w.drop()
	}
	return failed
}

// warm takes a step. An engine that cannot is as good as it was.
func (w *workerProcess) warm() {
	defer func() {
		if recover() != nil {
			w.drop()
		}
	}()
	r := w.ready.(Reusable) //nolint:forcetypeassert // only such a one is cold
	more, err := r.Warm()
	if err != nil || r.Keep() != nil {
		w.drop()
		return
	}
	w.cold = more
}

func (w *workerProcess) drop() {
	if w.ready != nil {
		_ = w.ready.Close()
	}
	w.ready, w.cold = nil, false
}
