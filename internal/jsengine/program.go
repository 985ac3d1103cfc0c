package jsengine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
	"modernc.org/quickjs"
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
func EngineVersion() string { return quickjs.Version() }

// CompileBytecode compiles a script to bytecode of [EngineVersion].
//
// It goes below modernc.org/quickjs, whose Compile keeps the source text and the
// line tables in what it returns: 37 MB instead of 6.3 for mermaid, most of the
// time it takes to load.
func CompileBytecode(src Source) ([]byte, error) {
	tls := libc.NewTLS()
	defer tls.Close()
	rt := lib.XJS_NewRuntime(tls)
	if rt == 0 {
		return nil, errors.New("jsengine: no memory for a runtime")
	}
	defer lib.XJS_FreeRuntime(tls, rt)
	lib.XJS_SetStripInfo(tls, rt, lib.MJS_STRIP_SOURCE|lib.MJS_STRIP_DEBUG)
	ctx := lib.XJS_NewContext(tls, rt)
	if ctx == 0 {
		return nil, errors.New("jsengine: no memory for a context")
	}
	defer lib.XJS_FreeContext(tls, ctx)

	code, err := cString(src.Code)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(tls, code)
	name, err := cString(src.Name)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(tls, name)

	v := lib.XJS_Eval(tls, ctx, code, libc.Tsize_t(len(src.Code)), name, lib.MJS_EVAL_TYPE_GLOBAL|lib.MJS_EVAL_FLAG_COMPILE_ONLY)
	if lib.XJS_HasException(tls, ctx) != 0 {
		return nil, syntaxError(src)
	}
	defer lib.XFreeValue(tls, ctx, v)
	const wordSize = 8 // of size_t, or more
	size := tls.Alloc(wordSize)
	defer tls.Free(wordSize)
	clear(libc.GoBytes(size, wordSize))
	p := lib.XJS_WriteObject(tls, ctx, size, v, lib.MJS_WRITE_OBJ_BYTECODE)
	if p == 0 {
		return nil, fmt.Errorf("jsengine: %s: cannot write bytecode", src.Name)
	}
	defer lib.Xjs_free(tls, ctx, p)
	n := binary.LittleEndian.Uint64(libc.GoBytes(size, wordSize))
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("jsengine: %s: bytecode too large", src.Name)
	}
	return append([]byte(nil), libc.GoBytes(p, int(n))...), nil
}

func cString(s string) (uintptr, error) {
	p, err := libc.CString(s)
	if err != nil {
		return 0, errors.New("jsengine: out of memory")
	}
	return p, nil
}

// syntaxError compiles src again by the public way, which knows how to read the
// exception.
func syntaxError(src Source) error {
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	defer vm.Close()
	if _, err = vm.Compile(src.Code, quickjs.EvalGlobal); err == nil {
		err = errors.New("does not compile")
	}
	return fmt.Errorf("jsengine: %s: %w", src.Name, err)
}

// prelude is what every realm evaluates first, compiled on first use.
var prelude = sync.OnceValues(func() (*Program, error) {
	return Compile(Source{Name: "jsengine/prelude.js", Code: preludeSource})
})
