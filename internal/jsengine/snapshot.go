package jsengine

import "fmt"

// snapshot is what a stretch of memory held at one moment: a copy, kept where Go's
// collector does not count it.
//
// Copying all of it back costs less than the ways of copying what has changed: a
// mapping whose written pages are dropped pays for each of them again when the next job
// writes it, on that job's time, and cannot have large pages.
type snapshot struct{ mem, reserved []byte }

// spare is how much memory beyond a snapshot is kept for the next job.
const spare = 8 << 20

// take remembers mem.
func take(mem []byte) (*snapshot, error) {
	size := (len(mem) + largePage - 1) / largePage * largePage
	reserved, err := reserve(uintptr(size))
	if err != nil {
		return nil, err
	}
	s := &snapshot{mem: reserved[:len(mem)], reserved: reserved}
	if err := commit(reserved); err != nil {
		_ = s.close()
		return nil, fmt.Errorf("jsengine: snapshot: %w", err)
	}
	copy(s.mem, mem)
	return s, nil
}

// restore gives the start of mem back what it held, and the rest, which was used since,
// its zeros.
func (s *snapshot) restore(mem []byte) error {
	n := copy(mem, s.mem)
	rest := mem[n:]
	if len(rest) > spare {
		if err := discard(rest[spare:]); err != nil {
			return fmt.Errorf("jsengine: snapshot: %w", err)
		}
		rest = rest[:spare]
	}
	clear(rest)
	return nil
}

func (s *snapshot) close() error { return release(s.reserved) }
