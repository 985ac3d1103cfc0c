package jsengine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/jsengine"
)

// TestNothingOutside tries every way out of a realm that is known of QuickJS.
func TestNothingOutside(t *testing.T) {
	// What stands on the global object is the language and the few names of
	// the prelude: a new release of the engine must not bring more unseen.
	language := strings.Fields(`Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError
		InternalError AggregateError SuppressedError Iterator Array parseInt parseFloat isNaN isFinite Infinity NaN undefined
		__date_clock Number Boolean String Math Reflect Symbol eval globalThis Date RegExp JSON Proxy Map Set WeakMap WeakSet
		ArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array
		BigUint64Array Float16Array Float32Array Float64Array DataView Promise BigInt decodeURI decodeURIComponent encodeURI
		encodeURIComponent escape unescape DisposableStack AsyncDisposableStack`)
	ours := strings.Fields(`console performance setTimeout setInterval clearTimeout clearInterval requestAnimationFrame
		cancelAnimationFrame queueMicrotask structuredClone requireChunk f`)
	allowed := map[string]bool{}
	for _, name := range append(language, ours...) {
		allowed[name] = true
	}
	names := eval(t, "Object.getOwnPropertyNames(globalThis)")
	for _, name := range strings.Split(strings.Trim(names, `[]`), ",") {
		if name = strings.Trim(name, `"`); !allowed[name] {
			t.Errorf("the global object has %s", name)
		}
	}
	for _, expr := range []string{
		`import("std")`, `import("os")`, `import("bjson")`, `import("/etc/passwd")`, `import("./jsengine_test.go")`,
		`(0, eval)('import("os")')`, `new Function('return import("std")')()`,
		`new (Object.getPrototypeOf(async function () {}).constructor)('return import("os")')()`,
		`requireChunk("/etc/passwd")`, `requireChunk("std")`, `requireChunk(undefined)`,
		`fetch("http://127.0.0.1/")`, `new XMLHttpRequest()`, `new WebSocket("ws://127.0.0.1/")`, `new Worker("x")`,
		`require("fs")`, `process.env`, `std.open("/etc/passwd", "r")`, `os.open("/etc/passwd", 0)`, `print("x")`,
		`scriptArgs`, `__loadScript("/etc/passwd")`, `loadScript("x")`, `bjson`, `Atomics`, `SharedArrayBuffer`, `WeakRef`,
		`FinalizationRegistry`, `__jsengine_chunk`, `__jsengine_log`, `__jsengine_settings`, `crypto`, `localStorage`, `gc()`,
	} {
		code := "globalThis.f = async () => { await (" + expr + ") }"
		if _, err := realm(t, code, nil).Call(t.Context(), "f"); err == nil {
			t.Errorf("%s: reachable", expr)
		}
	}
}

// TestDeterminism: two realms, at two times, in two zones, see the same.
func TestDeterminism(t *testing.T) {
	const expr = `[Date.now(), new Date().toString(), Date(), performance.now(), Math.random(), Math.random(),
		new Date(2026, 0, 1).getTime(), new Date("2026-07-01T12:00").getTime(), new Date("2026-07-01").getHours(),
		new Date("July 1, 2026 12:00").getTime(), new Date("2026-07-01T12:00+02:00").getTime(), new Date(0).getTimezoneOffset(),
		new Date(0).toLocaleString(), new Date(0).toLocaleTimeString(), String(new Date(NaN)), new Date(2026, 6).toDateString(),
		new Error("x").stack, new Date(new Date(5)).getTime(), Date.length, Date.name, new Date(5) instanceof Date,
		Object.prototype.toString.call(new Date()), (() => { const d = new Date(0); d.setHours(5); return d.toISOString() })(),
		(class extends Date { x() { return this.getTime() } }, new (class extends Date { x() { return this.getTime() } })(9).x()),
		JSON.stringify(new Date(1)), new Date("nonsense").getTime(), new Date("Thu Jan 01 1970 00:00:10").getTime()]`
	first := eval(t, expr)
	time.Sleep(3 * time.Millisecond)
	if second := eval(t, expr); first != second {
		t.Errorf("got\n%s\nthen\n%s", first, second)
	}
	for _, want := range []string{
		`1767225600000,"Thu Jan 01 2026 00:00:00 GMT+0000 (Coordinated Universal Time)"`,
		`,1767225600000,1782907200000,0,1782907200000,1782900000000,0,"1/1/1970, 12:00:00 AM","12:00:00 AM","Invalid Date","Wed Jul 01 2026",`,
		`,5,7,"Date",true,"[object Date]","1970-01-01T05:00:00.000Z",9,"\"1970-01-01T00:00:00.001Z\"",null,10000]`,
	} {
		if !strings.Contains(first, want) {
			t.Errorf("no %s\nin %s", want, first)
		}
	}
	r := realm(t, "globalThis.f = () => Math.random()", &jsengine.Options{Seed: 2})
	other, err := r.Call(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(first, string(other)) {
		t.Error("another seed gives the same numbers")
	}
}

func TestBigIntAsUintN(t *testing.T) {
	// bellard/quickjs#557: TeaVM's 64-bit arithmetic is built on this.
	got := eval(t, `[BigInt.asUintN(64, -1n), BigInt.asUintN(8, 257n), BigInt.asUintN(64, 5n), BigInt.asUintN(0, 5n), BigInt.asIntN(64, 2n ** 64n - 1n)].map(String)`)
	if want := `["18446744073709551615","1","5","0","-1"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStructuredClone(t *testing.T) {
	got := eval(t, `(() => {
		const a = { d: new Date(5), m: new Map([[1, new Set([2])]]), list: [1, , 3], n: null };
		a.self = a;
		const b = structuredClone(a);
		let refused = false;
		try { structuredClone(() => 1) } catch { refused = true }
		return [b !== a, b.self === b, b.d.getTime(), b.d instanceof Date, b.m.get(1).has(2), b.list.length, 1 in b.list, refused];
	})()`)
	if want := `[true,true,5,true,true,3,false,true]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
