package jsengine

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// machine is one QuickJS runtime with one context on a heap of its own. It is the
// only place that knows how the transpiled engine is called: addresses as uintptr,
// values that are counted.
type machine struct {
	tls    *libc.TLS
	heap   *heap
	rt     uintptr // JSRuntime
	ctx    uintptr // JSContext
	pinned runtime.Pinner

	host     []hostEntry
	panicked any // what a host function panicked with, until the call into script ends

	// interrupt is the flag of the call that runs; it ends script when set.
	interrupt *atomic.Bool

	sample  func([]string, time.Duration) // see Profile
	sampled time.Time
}

const valueSize = unsafe.Sizeof(value(undefined))

// Values that hold nothing.
var (
	undefined = tagged(lib.EJS_TAG_UNDEFINED, 0)
	null      = tagged(lib.EJS_TAG_NULL, 0)
	exception = tagged(lib.EJS_TAG_EXCEPTION, 0)
)

func newMachine(memoryLimit, gcThreshold, maxStack uint64) (*machine, error) {
	h, err := newHeap(memoryLimit)
	if err != nil {
		return nil, err
	}
	m := &machine{tls: libc.NewTLS(), heap: h}
	functions := mallocFunctions()
	var pinned runtime.Pinner
	pinned.Pin(&functions)
	m.rt = lib.XJS_NewRuntime2(m.tls, uintptr(unsafe.Pointer(&functions)), h.start())
	pinned.Unpin()
	if m.rt == 0 {
		m.close()
		return nil, errors.New("jsengine: no memory for a runtime")
	}
	lib.XJS_SetMemoryLimit(m.tls, m.rt, lib.Tsize_t(memoryLimit))
	lib.XJS_SetGCThreshold(m.tls, m.rt, lib.Tsize_t(gcThreshold))
	lib.XJS_SetMaxStackSize(m.tls, m.rt, lib.Tsize_t(maxStack))
	m.ctx = lib.XJS_NewContext(m.tls, m.rt)
	if m.ctx == 0 {
		m.close()
		return nil, errors.New("jsengine: no memory for a context")
	}
	// The engine keeps the machine's address where Go's collector does not
	// look; Close ends that.
	m.pinned.Pin(m)
	self := addressOf(m)
	lib.XJS_SetContextOpaque(m.tls, m.ctx, self)
	lib.XJS_SetInterruptHandler(m.tls, m.rt, function(interrupted), self)
	return m, nil
}

// addressOf is the address of what is pinned.
func addressOf(m *machine) uintptr { return uintptr(unsafe.Pointer(m)) }

// close frees all at once: the engine's objects need no farewell.
func (m *machine) close() error {
	m.pinned.Unpin()
	m.tls.Close()
	return m.heap.close()
}

// interrupted is what the engine asks now and then whether to go on.
func interrupted(_ *libc.TLS, _, opaque uintptr) int32 {
	if m := at[machine](opaque); m.interrupt != nil && m.interrupt.Load() {
		return 1
	}
	return 0
}

// load evaluates bytecode. The value is the caller's.
func (m *machine) load(code []byte) (value, error) {
	if len(code) == 0 {
		return undefined, errors.New("jsengine: no bytecode")
	}
	// The engine copies what it keeps, and Go's memory does not move.
	var pinned runtime.Pinner
	pinned.Pin(&code[0])
	defer pinned.Unpin()
	f := lib.XJS_ReadObject(m.tls, m.ctx, uintptr(unsafe.Pointer(&code[0])), lib.Tsize_t(len(code)), lib.MJS_READ_OBJ_BYTECODE)
	if tagOf(f) == lib.EJS_TAG_EXCEPTION {
		return undefined, m.thrown()
	}
	v := lib.XJS_EvalFunction(m.tls, m.ctx, f)
	if tagOf(v) == lib.EJS_TAG_EXCEPTION {
		return undefined, m.thrown()
	}
	return v, nil
}

// call calls a function with strings. The value is the caller's.
func (m *machine) call(f value, args ...string) (value, error) {
	size := int(valueSize) * max(1, len(args))
	argv := m.tls.Alloc(size)
	defer m.tls.Free(size)
	list := unsafe.Slice(at[value](argv), len(args))
	for i, a := range args {
		list[i] = m.newString(a)
	}
	v := lib.XJS_Call(m.tls, m.ctx, f, undefined, int32(len(args)), argv)
	for _, a := range list {
		m.free(a)
	}
	if tagOf(v) == lib.EJS_TAG_EXCEPTION {
		return undefined, m.thrown()
	}
	return v, nil
}

// maxJobs bounds how many queued jobs run before the caller is asked again.
const maxJobs = 1 << 20

// jobs runs queued promise jobs, the first failure is reported, the others still run.
func (m *machine) jobs() error {
	const size = 8 // of a pointer, or more
	context := m.tls.Alloc(size)
	defer m.tls.Free(size)
	var failure error
	for range maxJobs {
		n := lib.XJS_ExecutePendingJob(m.tls, m.rt, context)
		switch {
		case n == 0 || m.panicked != nil:
			return failure
		case n < 0:
			if err := m.thrown(); failure == nil {
				failure = err
			}
		}
		if m.interrupt != nil && m.interrupt.Load() {
			return failure
		}
	}
	return failure
}

// collect collects cycles now, and next when the heap has grown by allowance.
func (m *machine) collect(allowance uint64) {
	lib.XJS_RunGC(m.tls, m.rt)
	used := uint64(at[lib.TJSRuntime](m.rt).Fmalloc_ctx.Fmalloc_state.Fmalloc_size)
	lib.XJS_SetGCThreshold(m.tls, m.rt, lib.Tsize_t(used+allowance))
}

func (m *machine) free(v value) { lib.XFreeValue(m.tls, m.ctx, v) }

// newString takes s as UTF-8; what is none becomes U+FFFD.
func (m *machine) newString(s string) value {
	s = strings.ToValidUTF8(s, "\uFFFD")
	n := lib.Tsize_t(len(s))
	if n == 0 {
		s = "\x00" // an address, of which nothing is read
	}
	p := unsafe.StringData(s)
	var pinned runtime.Pinner
	pinned.Pin(p)
	defer pinned.Unpin()
	return lib.XJS_NewStringLen(m.tls, m.ctx, uintptr(unsafe.Pointer(p)), n)
}

// text is a value as a string, with U+FFFD for lone surrogates. It fails where the
// conversion throws.
func (m *machine) text(v value) (string, bool) {
	const size = 8 // of size_t, or more
	length := m.tls.Alloc(size)
	defer m.tls.Free(size)
	p := lib.XJS_ToCStringLen2(m.tls, m.ctx, length, v, 0)
	if p == 0 {
		return "", false
	}
	s := string(unsafe.Slice(at[byte](p), *at[lib.Tsize_t](length)))
	lib.XJS_FreeCString(m.tls, m.ctx, p)
	return wellFormed(s), true
}

// wellFormed replaces surrogates, which QuickJS writes as three bytes each, by one
// U+FFFD each.
func wellFormed(s string) string {
	i := strings.IndexByte(s, 0xed)
	for ; i >= 0 && i+2 < len(s); i++ {
		if s[i] == 0xed && s[i+1] >= 0xa0 {
			break
		}
		next := strings.IndexByte(s[i+1:], 0xed)
		if next < 0 {
			return s
		}
		i += next
	}
	if i < 0 || i+2 >= len(s) {
		return s
	}
	b := []byte(s)
	for ; i+2 < len(b); i++ {
		if b[i] == 0xed && b[i+1] >= 0xa0 {
			copy(b[i:], "\uFFFD")
		}
	}
	return string(b)
}

// thrown takes the pending exception and says what it was.
func (m *machine) thrown() error {
	e := lib.XJS_GetException(m.tls, m.ctx)
	defer m.free(e)
	if m.panicked != nil {
		return fmt.Errorf("jsengine: a host function panicked: %v", m.panicked)
	}
	s := &ScriptError{}
	if lib.XJS_IsError(m.tls, m.ctx, e) != 0 {
		s.Name, s.Message, s.Stack = m.property(e, "name\x00"), m.property(e, "message\x00"), m.property(e, "stack\x00")
	} else if s.Message, _ = m.text(e); s.Message == "" {
		m.drop()
	}
	return classifyScript(s)
}

// property is a property as a string, empty where there is none or it throws. name
// ends in a zero byte.
func (m *machine) property(object value, name string) string {
	var pinned runtime.Pinner
	pinned.Pin(unsafe.StringData(name))
	defer pinned.Unpin()
	v := lib.XJS_GetPropertyStr(m.tls, m.ctx, object, uintptr(unsafe.Pointer(unsafe.StringData(name))))
	defer m.free(v)
	switch tagOf(v) {
	case lib.EJS_TAG_UNDEFINED:
		return ""
	case lib.EJS_TAG_EXCEPTION:
		m.drop()
		return ""
	}
	s, ok := m.text(v)
	if !ok {
		m.drop()
	}
	return s
}

// drop forgets the pending exception.
func (m *machine) drop() {
	m.free(lib.XJS_GetException(m.tls, m.ctx))
	lib.XJS_SetUncatchableException(m.tls, m.ctx, 0)
}

// element is an element of an array. The value is the caller's.
func (m *machine) element(list value, i uint32) value {
	return lib.XJS_GetPropertyUint32(m.tls, m.ctx, list, i)
}
