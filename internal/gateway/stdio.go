package gateway

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// stdioPeer is a child process that speaks newline-delimited JSON-RPC.
type stdioPeer struct {
	child *child
	out   *bufio.Reader
}

var _ peer = (*stdioPeer)(nil)

func newStdioPeer(c *child) *stdioPeer {
	return &stdioPeer{c, bufio.NewReaderSize(c.out, 64<<10)}
}

func (p *stdioPeer) parallel() bool         { return false }
func (p *stdioPeer) gone() <-chan struct{}  { return p.child.exited }
func (p *stdioPeer) reason(err error) error { return p.child.reason(err) }
func (p *stdioPeer) stop()                  { p.child.stop() }

func (p *stdioPeer) send(r *request) error {
	r.sent.Store(true)
	if _, err := p.child.in.Write(append(r.text, '\n')); err != nil {
		return fmt.Errorf("writing to it: %w", err)
	}
	return nil
}

func (p *stdioPeer) next() (line []byte, tooLong bool, err error) {
	line, tooLong, err = readLine(p.out, maxAnswer)
	if errors.Is(err, io.EOF) {
		err = errors.New("it closed its output")
	}
	return line, tooLong, err
}

// readLine reads one line, of which it keeps at most limit bytes.
func readLine(in *bufio.Reader, limit int) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > limit {
			line, tooLong = nil, true
		}
		if !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}
