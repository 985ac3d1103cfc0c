//go:build !(386 || arm)

package jsengine

import (
	"math"

	lib "modernc.org/libquickjs"
)

// value is QuickJS's JSValue: here two words, what it is and what it holds.
type value = lib.TJSValue

func tagOf(v value) int32       { return int32(v.Ftag) }
func intOf(v value) int32       { return int32(v.Fu.Fuint641) }
func floatOf(v value) float64   { return math.Float64frombits(v.Fu.Fuint641) }
func tagged(tag, n int32) value { return value{Fu: bitsOf(uint64(uint32(n))), Ftag: int64(tag)} }
func newFloat(f float64) value {
	return value{Fu: bitsOf(math.Float64bits(f)), Ftag: lib.EJS_TAG_FLOAT64}
}

func bitsOf(u uint64) lib.TJSValueUnion { return lib.TJSValueUnion{Fuint641: u} }
