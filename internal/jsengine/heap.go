package jsengine

import (
	"fmt"
	"math/bits"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// heap is the memory of one realm: a stretch of address space with an allocator whose
// books are in the stretch itself. So the whole of a realm can be remembered and
// brought back (see snapshot), and closing one is giving back one stretch.
//
// QuickJS packs small objects into pages of its own and asks here for those pages and
// for what is larger. Blocks are never joined again: a realm lives for one job.
type heap struct {
	reserved []byte
	mem      []byte // of it, from the first boundary of large pages
	frozen   *snapshot
}

// books stand at the start of the stretch.
type books struct {
	next      uintptr // the first address that no block has had
	committed uintptr // the first address that is not backed
	end       uintptr
	free      [classes]uintptr // blocks given back, each with the address of the next in its payload
}

const (
	alignment  = 16
	largePage  = 2 << 20 // of amd64 and arm64, usually
	blockHead  = 16      // bytes before a payload: its class
	commitStep = 4 << 20
	// Sizes of payloads grow by a quarter of a power of two: 64, 80, 96, 112,
	// 128, 160, … up to 2 GiB and more.
	smallest = 64
	steps    = 4
	classes  = 104
)

// newHeap returns a heap that can grow to limit bytes and some.
func newHeap(limit uint64) (*heap, error) {
	// A quarter more: the engine counts what it asked for, and the size of a
	// class may be a quarter above that.
	size := uintptr(limit) + uintptr(limit)/4 + 4*commitStep
	size -= size % commitStep
	reserved, err := reserve(size + largePage)
	if err != nil {
		return nil, err
	}
	h := &heap{reserved: reserved, mem: reserved[-address(reserved)%largePage:][:size]}
	preferLarge(h.mem)
	if err := commit(h.mem[:commitStep]); err != nil {
		_ = release(reserved)
		return nil, fmt.Errorf("jsengine: heap: %w", err)
	}
	b := h.books()
	b.next = h.start() + (unsafe.Sizeof(books{})+alignment-1)/alignment*alignment
	b.committed = h.start() + commitStep
	b.end = h.start() + size
	return h, nil
}

func (h *heap) start() uintptr { return address(h.mem) }
func (h *heap) books() *books  { return at[books](h.start()) }

// freeze remembers what the heap holds now, in place of what it remembered before.
func (h *heap) freeze() error {
	s, err := take(h.used())
	if err != nil {
		return err
	}
	if h.frozen != nil {
		err = h.frozen.close()
	}
	h.frozen = s
	return err
}

// thaw brings back what freeze remembered.
func (h *heap) thaw() error { return h.frozen.restore(h.used()) }

// used is the memory that blocks have had.
func (h *heap) used() []byte {
	const page = 64 << 10 // a multiple of every system's
	n := (h.books().next - h.start() + page - 1) / page * page
	return h.mem[:min(n, uintptr(len(h.mem)))]
}

func (h *heap) close() error {
	err := release(h.reserved)
	if h.frozen != nil {
		if failed := h.frozen.close(); err == nil {
			err = failed
		}
	}
	return err
}

// class is the smallest class whose payload holds n bytes.
func class(n uintptr) uintptr {
	if n <= smallest {
		return 0
	}
	// For 64 < n ≤ 128 the base is 64, and the quarter 16.
	shift := uintptr(bits.Len64(uint64(n-1))) - 1
	quarter := uintptr(1) << (shift - 2)
	return (shift-6)*steps + (n-(uintptr(1)<<shift)+quarter-1)/quarter
}

// payload is the size of a class.
func payload(class uintptr) uintptr {
	return (steps + class%steps) << (class / steps) * (smallest / steps)
}

// allocate returns the address of n bytes, 0 where there is no room.
func (b *books) allocate(n uintptr) uintptr {
	c := class(n)
	if c >= classes {
		return 0
	}
	if p := b.free[c]; p != 0 {
		b.free[c] = *at[uintptr](p)
		return p
	}
	size := payload(c) + blockHead
	if size > b.end-b.next {
		return 0
	}
	if until := b.next + size; until > b.committed {
		grown := min((until-b.committed+commitStep-1)/commitStep*commitStep, b.end-b.committed)
		if commit(unsafe.Slice(at[byte](b.committed), grown)) != nil {
			return 0
		}
		b.committed += grown
	}
	p := b.next + blockHead
	b.next += size
	*at[uintptr](p - blockHead) = c
	return p
}

func (b *books) release(p uintptr) {
	c := *at[uintptr](p - blockHead)
	*at[uintptr](p) = b.free[c]
	b.free[c] = p
}

// sizeOf is the size of the block at p.
func sizeOf(p uintptr) uintptr { return payload(*at[uintptr](p - blockHead)) }

// What QuickJS calls. It keeps count in its own state, by which its limit and its
// collector go.

func mallocFunctions() lib.TJSMallocFunctions {
	return lib.TJSMallocFunctions{
		Fjs_malloc:             function(heapMalloc),
		Fjs_free:               function(heapFree),
		Fjs_realloc:            function(heapRealloc),
		Fjs_malloc_usable_size: function(heapUsableSize),
	}
}

func heapMalloc(_ *libc.TLS, state uintptr, size lib.Tsize_t) uintptr {
	s := at[lib.TJSMallocState](state)
	if s.Fmalloc_size+size > s.Fmalloc_limit {
		return 0
	}
	p := at[books](s.Fopaque).allocate(uintptr(size))
	if p != 0 {
		s.Fmalloc_count++
		s.Fmalloc_size += lib.Tsize_t(sizeOf(p) + blockHead)
	}
	return p
}

func heapFree(_ *libc.TLS, state, p uintptr) {
	if p == 0 {
		return
	}
	s := at[lib.TJSMallocState](state)
	s.Fmalloc_count--
	s.Fmalloc_size -= lib.Tsize_t(sizeOf(p) + blockHead)
	at[books](s.Fopaque).release(p)
}

func heapRealloc(tls *libc.TLS, state, p uintptr, size lib.Tsize_t) uintptr {
	switch {
	case p == 0 && size == 0:
		return 0
	case p == 0:
		return heapMalloc(tls, state, size)
	case size == 0:
		heapFree(tls, state, p)
		return 0
	}
	old := sizeOf(p)
	if class(uintptr(size)) == class(old) {
		return p
	}
	q := heapMalloc(tls, state, size)
	if q == 0 {
		return 0
	}
	n := min(old, uintptr(size))
	copy(unsafe.Slice(at[byte](q), n), unsafe.Slice(at[byte](p), n))
	heapFree(tls, state, p)
	return q
}

func heapUsableSize(_ *libc.TLS, p uintptr) lib.Tsize_t {
	if p == 0 {
		return 0
	}
	return lib.Tsize_t(sizeOf(p))
}

// at is what stands at an address outside of Go's heap.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// address is where memory outside of Go's heap begins.
func address(mem []byte) uintptr { return uintptr(pointer(mem)) }

func pointer(mem []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(mem)) }

// function is a Go function as the engine calls one: the address of its closure, which
// must have no variables.
func function[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }
