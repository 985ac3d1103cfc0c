package jsengine

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// snapshot is what a stretch of memory held at one moment.
//
// Here it is a file in memory that is mapped in the stretch's place, privately: what
// is written since lies in pages of its own, and dropping those is all it takes to go
// back. The cost is in proportion to what was touched, and not to what is kept.
type snapshot struct{ file *os.File }

// take remembers mem, which keeps its contents and stays where it is.
func take(mem []byte) (*snapshot, error) {
	fd, err := unix.MemfdCreate("webodar-realm", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("jsengine: snapshot: %w", err)
	}
	s := &snapshot{os.NewFile(uintptr(fd), "webodar-realm")}
	if _, err := s.file.Write(mem); err != nil {
		_ = s.file.Close()
		return nil, fmt.Errorf("jsengine: snapshot: %w", err)
	}
	const mode = unix.PROT_READ | unix.PROT_WRITE
	if _, err := unix.MmapPtr(fd, 0, pointer(mem), uintptr(len(mem)), mode, unix.MAP_PRIVATE|unix.MAP_FIXED); err != nil {
		_ = s.file.Close()
		return nil, fmt.Errorf("jsengine: snapshot: %w", err)
	}
	return s, nil
}

// restore gives mem back what it held, and the rest, which was committed since, its
// zeros.
func (s *snapshot) restore(mem, rest []byte) error {
	for _, part := range [][]byte{mem, rest} {
		if len(part) == 0 {
			continue
		}
		if err := unix.Madvise(part, unix.MADV_DONTNEED); err != nil {
			return fmt.Errorf("jsengine: snapshot: %w", err)
		}
	}
	return nil
}

func (s *snapshot) close() error { return s.file.Close() }
