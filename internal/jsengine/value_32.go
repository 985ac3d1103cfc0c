//go:build 386 || arm

package jsengine

import (
	"math"

	lib "modernc.org/libquickjs"
)

// value is QuickJS's JSValue: here one word, a float64 or, in a NaN, what it is and
// what it holds (quickjs.h, JS_NAN_BOXING).
type value = lib.TJSValue

const (
	floatBias = 0x7ff80000 - lib.EJS_TAG_FIRST + 1
	quietNaN  = 0x7ff8000000000000 - floatBias<<32
)

func tagOf(v value) int32 {
	tag := int32(v >> 32)
	if uint32(tag-lib.EJS_TAG_FIRST) >= uint32(lib.EJS_TAG_FLOAT64-lib.EJS_TAG_FIRST) {
		return lib.EJS_TAG_FLOAT64
	}
	return tag
}

func intOf(v value) int32       { return int32(v) }
func floatOf(v value) float64   { return math.Float64frombits(v + floatBias<<32) }
func tagged(tag, n int32) value { return value(uint64(uint32(tag))<<32 | uint64(uint32(n))) }

func newFloat(f float64) value {
	if math.IsNaN(f) {
		nan := int64(quietNaN)
		return value(nan)
	}
	return math.Float64bits(f) - floatBias<<32
}
