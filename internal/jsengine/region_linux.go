package jsengine

import "golang.org/x/sys/unix"

// preferLarge asks for large pages: script walks a heap of some 50 MB, for which the
// processor has too few places to remember addresses in small ones. A system that has
// none to give goes on with small ones.
func preferLarge(mem []byte) { _ = unix.Madvise(mem, unix.MADV_HUGEPAGE) }

// discard gives the memory back, whose addresses stay usable and read as zero.
func discard(mem []byte) error { return unix.Madvise(mem, unix.MADV_DONTNEED) }
