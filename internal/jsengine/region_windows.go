package jsengine

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// reserve takes size bytes of address space that nothing backs yet.
func reserve(size uintptr) ([]byte, error) {
	p, err := windows.VirtualAlloc(0, size, windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	if err != nil {
		return nil, fmt.Errorf("jsengine: no room for %d bytes of heap: %w", size, err)
	}
	return unsafe.Slice(at[byte](p), size), nil
}

// commit makes reserved memory usable. It reads as zero.
func commit(mem []byte) error {
	_, err := windows.VirtualAlloc(address(mem), uintptr(len(mem)), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

// release gives a reservation back.
func release(mem []byte) error {
	return windows.VirtualFree(address(mem), 0, windows.MEM_RELEASE)
}
