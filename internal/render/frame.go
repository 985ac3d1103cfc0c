package render

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// A frame is the length of all that follows and the length of its head, four bytes
// each, little endian; the head, JSON; and the body: a job's input or answer as it
// is, which JSON inside JSON would scan, copy and escape at each end.

// maxFrame bounds what one side believes of the other.
const maxFrame = 256 << 20

// order goes to a worker: a job, or the wish to prepare a kind.
type order struct {
	ID    uint64          `json:"id,omitempty"`
	Kind  string          `json:"kind"`
	Job   bool            `json:"job,omitempty"`
	Input json.RawMessage `json:"-"` // the body
}

// report comes from a worker.
type report struct {
	State  string          `json:"state"` // one of those below
	ID     uint64          `json:"id,omitempty"`
	Kind   string          `json:"kind,omitempty"`
	Answer json.RawMessage `json:"-"` // the body
	Error  *JobError       `json:"error,omitempty"`
	Memory uint64          `json:"memory,omitempty"` // resident bytes of the process, where known
}

// States of reports.
const (
	started  = "started"  // the job was taken from the pipe
	finished = "finished" // with answer or error
	prepared = "prepared" // an engine of the kind is ready
)

func writeFrame(w io.Writer, head any, body []byte) error {
	h, err := json.Marshal(head)
	if err != nil {
		return err
	}
	n := 4 + len(h) + len(body)
	if n > maxFrame {
		return fmt.Errorf("a message of %d bytes is too large", n)
	}
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+n), uint32(n))
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(h)))
	frame = append(append(frame, h...), body...)
	_, err = w.Write(frame)
	return err
}

func readFrame(r io.Reader, head any) (body []byte, err error) {
	var lengths [8]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(lengths[:4])
	h := binary.LittleEndian.Uint32(lengths[4:])
	if n > maxFrame || n < 4 || h > n-4 {
		return nil, fmt.Errorf("a message of %d and %d bytes makes no sense", n, h)
	}
	rest := make([]byte, n-4)
	if _, err := io.ReadFull(r, rest); err != nil {
		return nil, err
	}
	return rest[h:], json.Unmarshal(rest[:h], head)
}
