package jsengine

import "fmt"

// snapshot is what a stretch of memory held at one moment: a copy, kept where Go's
// collector does not count it.
//
// Copying all of it back costs less than the ways of copying what has changed: a
// mapping whose written pages are dropped pays for each of them again when the next job
// writes it, on that job's time, and cannot have large pages.
type snapshot struct{ mem []byte }

// spare is how much memory beyond a snapshot is kept for the next job.
const spare = 8 << 20

// take remembers mem, which is of whole pages.
func take(mem []byte) (*snapshot, error) {
	copied, err := reserve(uintptr(len(mem)))
	if err != nil {
		return nil, err
	}
	s := &snapshot{copied}
	if err := commit(copied); err != nil {
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

func (s *snapshot) close() error { return release(s.mem) }
