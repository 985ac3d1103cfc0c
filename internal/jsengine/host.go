package jsengine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// HostFunc is a Go function that script calls.
//
// Arguments arrive as nil (null and undefined), bool, int, float64 (a number that
// is whole may arrive as either), string, [*big.Int], or [json.RawMessage] for
// objects and arrays. A lone surrogate in a string arrives as U+FFFD. Results are
// nil, bool, numbers, strings, []float64, or whatever else encoding/json can write. An
// error is thrown in script as a TypeError with that message; a panic fails the call.
//
// It must not call back into its realm.
type HostFunc = func(args []any) (any, error)

// hostEntry is a function as script knows it. raw, where set, is called in its place
// and handles values itself.
type hostEntry struct {
	name string
	call HostFunc
	raw  func(args []value) value
}

// register makes f callable under the global name.
func (m *machine) register(f hostEntry) error {
	name := f.name + "\x00"
	p := unsafe.StringData(name)
	var pinned runtime.Pinner
	pinned.Pin(p)
	defer pinned.Unpin()
	at := uintptr(unsafe.Pointer(p))
	fn := lib.XJS_NewCFunction2(m.tls, m.ctx, function(callHost), at, 0, lib.EJS_CFUNC_generic_magic, int32(len(m.host)))
	m.host = append(m.host, f)
	global := lib.XJS_GetGlobalObject(m.tls, m.ctx)
	defer m.free(global)
	if lib.XJS_SetPropertyStr(m.tls, m.ctx, global, at, fn) < 0 {
		return fmt.Errorf("jsengine: host function %s: %w", f.name, m.thrown())
	}
	return nil
}

// callHost is what the engine calls for every host function; magic says which.
func callHost(tls *libc.TLS, ctx uintptr, _ value, argc int32, argv uintptr, magic int32) (result value) {
	m := at[machine](lib.XJS_GetContextOpaque(tls, ctx))
	// A panic must not go through the engine, which keeps pointers to its
	// frames. It ends script as an interrupt does, and then the call.
	defer func() {
		if p := recover(); p != nil {
			if m.panicked == nil {
				m.panicked = p
			}
			result = m.throw(errors.New("a host function panicked"), lib.XJS_ThrowInternalError)
			lib.XJS_SetUncatchableException(tls, ctx, 1)
		}
	}()
	f := m.host[magic]
	var args []value
	if argc > 0 {
		args = unsafe.Slice(at[value](argv), argc)
	}
	if f.raw != nil {
		return f.raw(args)
	}
	in := make([]any, len(args))
	for i, a := range args {
		v, err := m.argument(a)
		if err != nil {
			return m.throw(fmt.Errorf("%s: argument %d: %w", f.name, i, err), lib.XJS_ThrowTypeError)
		}
		in[i] = v
	}
	out, err := f.call(in)
	if err != nil {
		return m.throw(err, lib.XJS_ThrowTypeError)
	}
	result, err = m.result(out)
	if err != nil {
		return m.throw(fmt.Errorf("%s: %w", f.name, err), lib.XJS_ThrowTypeError)
	}
	return result
}

// throw has the engine throw an error of one of its types.
func (m *machine) throw(err error, as func(*libc.TLS, uintptr, uintptr, uintptr) value) value {
	text := append([]byte(err.Error()), 0)
	format := []byte("%s\x00")
	var pinned runtime.Pinner
	pinned.Pin(&text[0])
	pinned.Pin(&format[0])
	defer pinned.Unpin()
	const size = 16
	list := m.tls.Alloc(size)
	defer m.tls.Free(size)
	return as(m.tls, m.ctx, uintptr(unsafe.Pointer(&format[0])), libc.VaList(list, uintptr(unsafe.Pointer(&text[0]))))
}

// argument is a value as Go sees it. The value stays script's.
func (m *machine) argument(v value) (any, error) {
	switch tagOf(v) {
	case lib.EJS_TAG_NULL, lib.EJS_TAG_UNDEFINED:
		return nil, nil
	case lib.EJS_TAG_BOOL:
		return intOf(v) != 0, nil
	case lib.EJS_TAG_INT:
		return int(intOf(v)), nil
	case lib.EJS_TAG_FLOAT64:
		return floatOf(v), nil
	case lib.EJS_TAG_STRING, lib.EJS_TAG_STRING_ROPE:
		return m.argumentText(v)
	case lib.EJS_TAG_BIG_INT, lib.EJS_TAG_SHORT_BIG_INT:
		s, err := m.argumentText(v)
		if err != nil {
			return nil, err
		}
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			return nil, fmt.Errorf("a bigint that reads %q", s)
		}
		return n, nil
	case lib.EJS_TAG_OBJECT:
		if lib.XJS_IsFunction(m.tls, m.ctx, v) != 0 {
			break
		}
		j := lib.XJS_JSONStringify(m.tls, m.ctx, v, undefined, undefined)
		defer m.free(j)
		if tagOf(j) == lib.EJS_TAG_EXCEPTION {
			return nil, m.thrown()
		}
		s, err := m.argumentText(j)
		return json.RawMessage(s), err
	}
	return nil, errors.New("a value of this kind cannot cross")
}

func (m *machine) argumentText(v value) (string, error) {
	s, ok := m.text(v)
	if !ok {
		return "", m.thrown()
	}
	return s, nil
}

// result is what Go answered as a value, which is the caller's.
func (m *machine) result(out any) (value, error) {
	switch out := out.(type) {
	case nil:
		return null, nil
	case bool:
		n := int32(0)
		if out {
			n = 1
		}
		return tagged(lib.EJS_TAG_BOOL, n), nil
	case int:
		if out >= math.MinInt32 && out <= math.MaxInt32 {
			return tagged(lib.EJS_TAG_INT, int32(out)), nil
		}
		return newFloat(float64(out)), nil
	case float64:
		return newFloat(out), nil
	case string:
		return m.newString(out), nil
	case []float64:
		list := lib.XJS_NewArray(m.tls, m.ctx)
		for i, f := range out {
			lib.XJS_SetPropertyUint32(m.tls, m.ctx, list, uint32(i), newFloat(f))
		}
		return list, nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return undefined, err
	}
	return m.parse(string(text))
}

// parse is JSON as a value.
func (m *machine) parse(text string) (value, error) {
	text += "\x00" // the parser looks one byte ahead
	p := unsafe.StringData(text)
	name := unsafe.StringData("host\x00")
	var pinned runtime.Pinner
	pinned.Pin(p)
	pinned.Pin(name)
	defer pinned.Unpin()
	v := lib.XJS_ParseJSON(m.tls, m.ctx, uintptr(unsafe.Pointer(p)), lib.Tsize_t(len(text)-1), uintptr(unsafe.Pointer(name)))
	if tagOf(v) == lib.EJS_TAG_EXCEPTION {
		return undefined, m.thrown()
	}
	return v, nil
}
