package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/bench/internal/peer"
)

// Stdio is the client of one server over stdio.
type Stdio struct {
	process *peer.Process
	in      *bufio.Reader
	message message
	checker checker

	id   int
	line []byte
}

// NewStdio opens a session with a server.
func NewStdio(p *peer.Process) (*Stdio, error) {
	s := &Stdio{process: p, in: bufio.NewReaderSize(p.Out, 256<<10), message: mcpCall("")}
	watchdog := time.AfterFunc(patience, s.end)
	defer watchdog.Stop()
	if err := s.write([]byte(initialize + "\n")); err != nil {
		return nil, err
	}
	if _, _, err := s.read(); err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return s, s.write([]byte(initialized + "\n"))
}

// end unblocks a read from a server that does not answer.
func (s *Stdio) end() {
	// The read that fails says all there is to say.
	_ = s.process.Stop()
}

// Serial sends the next call when the last one is answered.
func (s *Stdio) Serial(ctx context.Context, d time.Duration) (measure.Sample, error) {
	watchdog := time.AfterFunc(d+patience, s.end)
	defer watchdog.Stop()
	var latencies []time.Duration
	start := time.Now()
	for now := start; ctx.Err() == nil && now.Sub(start) < d; now = time.Now() {
		if err := s.call(); err != nil {
			return measure.Sample{}, err
		}
		id, answer, err := s.read()
		if err != nil {
			return measure.Sample{}, err
		}
		latencies = append(latencies, time.Since(now))
		if id != s.id {
			return measure.Sample{}, fmt.Errorf("request %d was answered as %d", s.id, id)
		}
		if err := s.checker.check(answer); err != nil {
			return measure.Sample{}, err
		}
	}
	return measure.Sample{
		Ops: len(latencies), Time: time.Since(start),
		P50: measure.Percentile(latencies, .5), P99: measure.Percentile(latencies, .99),
	}, nil
}

// InFlight returns a turn in which that many calls wait for their answers at
// all times. Each call is a write of its own.
func (s *Stdio) InFlight(window int) func(context.Context, time.Duration) (measure.Sample, error) {
	return func(ctx context.Context, d time.Duration) (measure.Sample, error) {
		watchdog := time.AfterFunc(d+patience, s.end)
		defer watchdog.Stop()
		leave := make(chan struct{}, window)
		for range window {
			leave <- struct{}{}
		}
		first, written := s.id+1, make(chan error, 1)
		start := time.Now()
		go func() {
			for range leave {
				if err := s.call(); err != nil {
					written <- err // and the server's end makes the read below fail
					return
				}
			}
			written <- nil
		}()
		var seen []bool
		for open := window; open > 0; {
			id, answer, err := s.read()
			if err == nil {
				err = s.checker.check(answer)
			}
			for at := id - first; err == nil && at >= len(seen); {
				seen = append(seen, make([]bool, 4096)...)
			}
			if err == nil && (id < first || seen[id-first]) {
				err = fmt.Errorf("request %d was answered twice", id)
			}
			if err != nil {
				s.end()
				close(leave)
				<-written
				return measure.Sample{}, err
			}
			seen[id-first] = true
			if ctx.Err() == nil && time.Since(start) < d {
				leave <- struct{}{}
			} else {
				open--
			}
		}
		took := time.Since(start)
		close(leave)
		err := <-written
		return measure.Sample{Ops: s.id - first + 1, Time: took}, err
	}
}

func (s *Stdio) call() error {
	s.id++
	s.line = append(s.message.append(s.line[:0], s.id), '\n')
	return s.write(s.line)
}

func (s *Stdio) write(line []byte) error {
	if _, err := s.process.In.Write(line); err != nil {
		return fmt.Errorf("writing to the server: %w", err)
	}
	return nil
}

// read returns the next response; notifications are passed over. The answer is
// valid until the next call.
func (s *Stdio) read() (id int, answer []byte, err error) {
	for {
		line, err := s.in.ReadSlice('\n')
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, nil, fmt.Errorf("reading from the server: %w", err)
		}
		if id, ok := answerID(line); ok {
			return id, line, nil
		}
	}
}

// Start measures the time from the start of a process to its answer to
// initialize.
func Start(ctx context.Context, set *peer.Set, name string) (measure.Sample, error) {
	start := time.Now()
	p, err := set.Stdio(ctx, name)
	if err != nil {
		return measure.Sample{}, err
	}
	_, err = NewStdio(p)
	took := time.Since(start)
	if stopErr := p.Stop(); err == nil {
		err = stopErr
	}
	return measure.Sample{Ops: 1, Time: took}, err
}
