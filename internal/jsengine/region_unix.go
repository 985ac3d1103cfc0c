//go:build unix

package jsengine

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// reserve takes size bytes of address space that nothing backs yet.
func reserve(size uintptr) ([]byte, error) {
	mem, err := unix.Mmap(-1, 0, int(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("jsengine: no room for %d bytes of heap: %w", size, err)
	}
	return mem, nil
}

// commit makes reserved memory usable. It reads as zero.
func commit(mem []byte) error { return unix.Mprotect(mem, unix.PROT_READ|unix.PROT_WRITE) }

// release gives a reservation back.
func release(mem []byte) error { return unix.Munmap(mem) }
