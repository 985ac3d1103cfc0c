package gateway

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
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

func newEventReader(in io.Reader) *eventReader {
	return &eventReader{in: bufio.NewReaderSize(in, 16<<10), limit: maxAnswer}
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
