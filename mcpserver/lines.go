package mcpserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// What is read and thrown away behind a line that is too long, so that the
// client is not stuck writing and gets to read the answer.
const (
	drainBytes = 64 << 20
	drainTime  = 2 * time.Second
)

// line is one line, the end of the input (text nil), or the reason why the
// reader gives up.
type line struct {
	text []byte
	err  *catalog.Error
}

// lineReader cuts a stream into lines in a goroutine of its own, since a read
// of standard input cannot be interrupted.
type lineReader struct {
	lines chan line
	done  <-chan struct{}
	in    io.Reader
	limit int
	once  sync.Once // ends the stream for the consumer

	drained chan struct{} // closed when nothing more is read
}

// readLines starts reading. A line over limit bytes, and one that is begun and
// not ended within patience, end the stream with an error. The goroutine ends
// with the stream, or when done is closed and the read in progress returns.
func readLines(in io.Reader, limit int, patience time.Duration, done <-chan struct{}) *lineReader {
	r := &lineReader{lines: make(chan line), done: done, in: in, limit: limit, drained: make(chan struct{})}
	go r.run(patience)
	return r
}

func (r *lineReader) send(l line) bool {
	select {
	case r.lines <- l:
		return true
	case <-r.done:
		return false
	}
}

// finish ends the stream once.
func (r *lineReader) finish(l line) {
	r.once.Do(func() { r.send(l) })
}

// drain waits until what follows the message that is too large has been read,
// for a bounded time: the reader may be stuck in a read that does not end.
func (r *lineReader) drain() {
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-r.drained:
	case <-timer.C:
	case <-r.done:
	}
}

func (r *lineReader) run(patience time.Duration) {
	var (
		buf   = make([]byte, 0, 64<<10)
		timer *time.Timer
	)
	defer func() {
		if timer != nil {
			timer.Stop()
		}
		close(r.drained)
	}()
	for {
		if cap(buf)-len(buf) < 16<<10 {
			grown := make([]byte, len(buf), 2*cap(buf))
			copy(grown, buf)
			buf = grown
		}
		n, err := r.in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		rest, ok := r.cut(buf)
		if !ok {
			return
		}
		if timer != nil && len(rest) < len(buf) { // the line in question is complete
			timer.Stop()
			timer = nil
		}
		if err != nil {
			if len(bytes.TrimSpace(rest)) > 0 && errors.Is(err, io.EOF) && !r.send(line{text: bytes.Clone(rest)}) {
				return
			}
			r.finish(line{})
			return
		}
		buf = append(buf[:0], rest...)
		if len(buf) > r.limit {
			r.finish(line{err: catalog.TooLarge(int64(r.limit))})
			discard(r.in)
			return
		}
		if len(buf) > 0 && timer == nil {
			timer = time.AfterFunc(patience, func() { r.finish(line{err: tooSlow(patience)}) })
		}
	}
}

// cut sends the complete lines of buf and returns what is behind them.
func (r *lineReader) cut(buf []byte) (rest []byte, ok bool) {
	for {
		end := bytes.IndexByte(buf, '\n')
		if end < 0 {
			return buf, true
		}
		text := bytes.TrimSpace(buf[:end])
		buf = buf[end+1:]
		if len(text) > r.limit {
			r.finish(line{err: catalog.TooLarge(int64(r.limit))})
			discard(r.in)
			return nil, false
		}
		if len(text) > 0 && !r.send(line{text: bytes.Clone(text)}) {
			return nil, false
		}
	}
}

// discard reads on for a bounded time and amount.
func discard(in io.Reader) {
	deadline := time.Now().Add(drainTime)
	buf := make([]byte, 64<<10)
	for total := 0; total < drainBytes && time.Now().Before(deadline); {
		n, err := in.Read(buf)
		total += n
		if err != nil {
			return
		}
	}
}

// tooSlow is the error for a client that begins a message and does not end it.
func tooSlow(patience time.Duration) *catalog.Error {
	return &catalog.Error{
		Type: catalog.ConnectionTimeout, Code: "CONNECTION_TIMEOUT",
		Message: fmt.Sprintf("the message was not complete within %s", patience),
		Hint:    "Send each message at once; the connection is closed.",
		Details: map[string]any{"timeoutMs": patience.Milliseconds()},
	}
}
