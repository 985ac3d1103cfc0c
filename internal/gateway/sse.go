package gateway

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"
)

// event is one event of a stream (HTML Living Standard, server-sent events).
type event struct {
	id, name string
	data     []byte
	retry    time.Duration // 0 when the event says nothing about it
}

var errLargeEvent = errors.New("an event of the stream is too large")

// eventReader reads events from a stream.
type eventReader struct {
	in    *bufio.Reader
	limit int
}

// buffers are for the streams of single answers, which are many and short.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 16<<10) }}

// newEventReader reads in until release is called.
func newEventReader(in io.Reader) *eventReader {
	buffer := buffers.Get().(*bufio.Reader)
	buffer.Reset(in)
	return &eventReader{in: buffer, limit: maxAnswer}
}

// release gives up the reader, and what it has read ahead.
func (r *eventReader) release() {
	r.in.Reset(nil)
	buffers.Put(r.in)
	r.in = nil
}

// next returns the next event. What ends without a blank line is no event.
func (r *eventReader) next() (*event, error) {
	e := &event{}
	begun, data := false, false
	for {
		line, tooLong, err := readLine(r.in, r.limit)
		if tooLong || len(e.data)+len(line) > r.limit {
			return nil, errLargeEvent
		}
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) == 0 {
			if begun {
				return e, nil
			}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.name = string(value)
		case "data":
			if data {
				e.data = append(e.data, '\n')
			}
			e.data, data = append(e.data, value...), true
		case "id":
			e.id = string(value)
		case "retry":
			if ms, err := strconv.Atoi(string(value)); err == nil && ms >= 0 {
				e.retry = time.Duration(ms) * time.Millisecond
			}
		default: // a comment, or a field of the future
			continue
		}
		begun = true
	}
}
