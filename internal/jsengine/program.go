package jsengine

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	lib "modernc.org/libquickjs"
)

// Source is a script by name.
type Source struct {
	Name string // for stack traces
	Code string
}

// Program is a script that is compiled once and evaluated in many realms.
type Program struct {
	name string
	code []byte
}

// Compile compiles a script. Its completion value is dropped.
func Compile(src Source) (*Program, error) {
	code, err := CompileBytecode(src)
	if err != nil {
		return nil, err
	}
	return &Program{name: src.Name, code: code}, nil
}

// EngineVersion is the QuickJS release that bytecode is tied to.
func EngineVersion() string { return lib.MCONFIG_VERSION }

// CompileBytecode compiles a script to bytecode of [EngineVersion].
//
// It has neither source text nor line tables: 6.3 MB instead of 37 for mermaid, and most
// of the time that loading takes.
func CompileBytecode(src Source) ([]byte, error) {
	m, err := newMachine(compileMemory, compileMemory, 0)
	if err != nil {
		return nil, err
	}
	code, err := m.compile(src)
	if failed := m.close(); err == nil {
		err = failed
	}
	if err != nil {
		return nil, fmt.Errorf("jsengine: %s: %w", src.Name, err)
	}
	return code, nil
}

// compileMemory bounds what a compilation may use; the largest chunk there is, 1.6 MB
// of source, takes a tenth of it.
const compileMemory = 1 << 30

func (m *machine) compile(src Source) ([]byte, error) {
	lib.XJS_SetStripInfo(m.tls, m.rt, lib.MJS_STRIP_SOURCE|lib.MJS_STRIP_DEBUG)
	text, name := append([]byte(src.Code), 0), append([]byte(src.Name), 0)
	var pinned runtime.Pinner
	pinned.Pin(&text[0])
	pinned.Pin(&name[0])
	defer pinned.Unpin()
	v := lib.XJS_Eval(m.tls, m.ctx, uintptr(unsafe.Pointer(&text[0])), lib.Tsize_t(len(src.Code)),
		uintptr(unsafe.Pointer(&name[0])), lib.MJS_EVAL_TYPE_GLOBAL|lib.MJS_EVAL_FLAG_COMPILE_ONLY)
	if tagOf(v) == lib.EJS_TAG_EXCEPTION {
		return nil, m.thrown()
	}
	defer m.free(v)
	const size = 8 // of size_t, or more
	length := m.tls.Alloc(size)
	defer m.tls.Free(size)
	p := lib.XJS_WriteObject(m.tls, m.ctx, length, v, lib.MJS_WRITE_OBJ_BYTECODE)
	if p == 0 {
		return nil, m.thrown()
	}
	defer lib.Xjs_free(m.tls, m.ctx, p)
	return bytes.Clone(unsafe.Slice(at[byte](p), *at[lib.Tsize_t](length))), nil
}

// prelude is what every realm evaluates first, compiled on first use.
var prelude = sync.OnceValues(func() (*Program, error) {
	return Compile(Source{Name: "jsengine/prelude.js", Code: preludeSource})
})
