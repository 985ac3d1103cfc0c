package jsengine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/jsengine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// realm returns a realm that has evaluated code.
func realm(t testing.TB, code string, opts *jsengine.Options) *jsengine.Realm {
	t.Helper()
	if opts == nil {
		opts = &jsengine.Options{}
	}
	p, err := jsengine.Compile(jsengine.Source{Name: "test.js", Code: code})
	if err != nil {
		t.Fatal(err)
	}
	opts.Programs = append(opts.Programs, p)
	r, err := jsengine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// eval returns the value of an expression as JSON.
func eval(t testing.TB, expr string) string {
	t.Helper()
	got, err := realm(t, "globalThis.f = async () => ("+expr+"\n)", nil).Call(t.Context(), "f")
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return string(got)
}

func TestCallWaits(t *testing.T) {
	for name, tc := range map[string]struct{ code, want string }{
		"plain value":      {`f = (a, b) => a + b.c`, `3`},
		"undefined":        {`f = () => {}`, `null`},
		"promise":          {`f = async (a) => ({ a })`, `{"a":1}`},
		"thenable":         {`f = () => ({ then(ok) { ok("x") } })`, `"x"`},
		"timer":            {`f = () => new Promise((ok) => setTimeout(ok, 1e6, "late"))`, `"late"`},
		"frames":           {`f = () => new Promise((ok) => requestAnimationFrame((a) => requestAnimationFrame((b) => ok(Math.round(b - a)))))`, `17`},
		"order":            {`f = async () => { const o = []; const p = (n, ms) => new Promise((ok) => setTimeout(() => (o.push(n), ok()), ms)); await Promise.all([p("b", 5), p("c", 5), p("a", 1)]); return o }`, `["a","b","c"]`},
		"microtask first":  {`f = () => new Promise((ok) => { const o = []; setTimeout(() => ok(o)); queueMicrotask(() => o.push(1)); o.push(0) })`, `[0,1]`},
		"interval":         {`f = () => new Promise((ok) => { let n = 0; const i = setInterval(() => { if (++n === 3) { clearInterval(i); ok(n) } }, 10) })`, `3`},
		"cleared":          {`f = () => new Promise((ok) => { const i = setTimeout(() => ok("no"), 1); clearTimeout(i); setTimeout(() => ok("yes"), 2) })`, `"yes"`},
		"stops when there": {`f = () => { setInterval(() => {}, 1); return 1 }`, `1`},
		"timer throws":     {`f = () => { setTimeout(() => { throw new Error("x") }); return new Promise((ok) => setTimeout(ok, 5, "on")) }`, `"on"`},
		"surrogates":       {`f = () => "\ud800" + "é😀"`, `"\ud800é😀"`},
		"path":             {`f = 1; g = { h: { x: 5, f() { return this.x } } }`, `5`},
	} {
		t.Run(name, func(t *testing.T) {
			function := "f"
			if name == "path" {
				function = "g.h.f"
			}
			got, err := realm(t, "var f, g; "+tc.code, nil).Call(t.Context(), function, 1, map[string]int{"c": 2})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestScriptError(t *testing.T) {
	code := `
		globalThis.thrower = async function thrower() {
			const e = new SyntaxError("bad line");
			e.hash = { line: 3, loc: { first_line: 3 }, expected: ["'A'", "'B'"], f() {}, big: 10n };
			e.self = e;
			throw e;
		};
		globalThis.literal = () => { throw "just text" };
		globalThis.cyclic = () => { const a = {}; a.a = a; return a };
		globalThis.never = () => new Promise(() => {});
		globalThis.hostile = () => { throw { get message() { throw 1 }, name: { toString() { throw 2 } } } };`
	r := realm(t, code, nil)
	_, err := r.Call(t.Context(), "thrower")
	var thrown *jsengine.ScriptError
	if !errors.As(err, &thrown) {
		t.Fatalf("got %v, want a ScriptError", err)
	}
	var props map[string]any
	if err := json.Unmarshal(thrown.Props, &props); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"line": 3.0, "loc": map[string]any{"first_line": 3.0}, "expected": []any{"'A'", "'B'"}, "big": "10"}
	if diff := cmp.Diff(want, props["hash"]); diff != "" {
		t.Error(diff)
	}
	if thrown.Name != "SyntaxError" || thrown.Message != "bad line" || !strings.Contains(thrown.Stack, "thrower") {
		t.Errorf("got %+v", thrown)
	}
	for function, want := range map[string]string{
		"literal": "just text", "cyclic": "TypeError: circular reference", "missing": "missing is not a function",
	} {
		if _, err := r.Call(t.Context(), function); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", function, err, want)
		}
	}
	if _, err := r.Call(t.Context(), "never"); !errors.Is(err, jsengine.ErrStalled) {
		t.Errorf("never: got %v, want ErrStalled", err)
	}
	if _, err := r.Call(t.Context(), "hostile"); err == nil {
		t.Error("hostile: no error")
	}
	if _, err := r.Call(t.Context(), "thrower"); !errors.As(err, &thrown) {
		t.Errorf("the realm does not go on after exceptions: %v", err)
	}
}

func TestLateAnswerIsDropped(t *testing.T) {
	r := realm(t, `
		let late;
		globalThis.never = () => new Promise((ok) => { late = ok });
		globalThis.next = () => { late("stale"); return new Promise((ok) => setTimeout(ok, 1, "fresh")) };`, nil)
	if _, err := r.Call(t.Context(), "never"); !errors.Is(err, jsengine.ErrStalled) {
		t.Fatalf("got %v", err)
	}
	if got, err := r.Call(t.Context(), "next"); err != nil || string(got) != `"fresh"` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestLimits(t *testing.T) {
	code := `
		globalThis.memory = () => { const a = []; for (;;) a.push(new Array(1000).fill(a.length)) };
		globalThis.text = () => { let s = "x"; for (;;) s += s + "y" };
		globalThis.swallow = () => { for (;;) try { for (;;) ; } catch {} finally { } };
		globalThis.loop = () => { for (;;) ; };
		globalThis.jobs = () => { const f = () => Promise.resolve().then(f); return f() };
		globalThis.timers = () => new Promise(() => setInterval(() => {}, 1));
		globalThis.regexp = () => /^(a+)+$/.test("a".repeat(60) + "b");
		globalThis.sort = () => new Array(1e9).fill(0).sort();
		globalThis.deep = () => { const f = () => 1 + f(); return f() };
		globalThis.deepJSON = () => { let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a };
		globalThis.ok = () => 1;`
	t.Run("memory", func(t *testing.T) {
		for _, function := range []string{"memory", "text"} {
			r := realm(t, code, &jsengine.Options{MemoryLimit: 32 << 20})
			_, err := r.Call(t.Context(), function)
			var limit *jsengine.LimitError
			if function == "memory" && (!errors.As(err, &limit) || limit.Limit != jsengine.Memory) || err == nil {
				t.Fatalf("%s: got %v", function, err)
			}
			if limit == nil {
				continue
			}
			if _, err := r.Call(t.Context(), "ok"); !errors.Is(err, jsengine.ErrSpent) {
				t.Errorf("%s: afterwards: %v", function, err)
			}
		}
	})
	t.Run("stack", func(t *testing.T) {
		for _, function := range []string{"deep", "deepJSON"} {
			r := realm(t, code, nil)
			_, err := r.Call(t.Context(), function)
			var limit *jsengine.LimitError
			if !errors.As(err, &limit) || limit.Limit != jsengine.Stack {
				t.Fatalf("%s: got %v", function, err)
			}
			if got, err := r.Call(t.Context(), "ok"); err != nil || string(got) != "1" {
				t.Errorf("%s: afterwards: %s, %v", function, got, err)
			}
		}
	})
	for _, function := range []string{"loop", "swallow", "jobs", "timers", "regexp"} {
		t.Run("time "+function, func(t *testing.T) {
			r := realm(t, code, nil)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := r.Call(ctx, function)
			var limit *jsengine.LimitError
			if !errors.As(err, &limit) || limit.Limit != jsengine.Time || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			if _, err := r.Call(t.Context(), "ok"); !errors.Is(err, jsengine.ErrSpent) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func TestHostFunctions(t *testing.T) {
	var got [][]any
	host := map[string]jsengine.HostFunc{
		"hostEcho": func(args []any) (any, error) {
			got = append(got, args)
			if len(args) == 0 {
				return nil, nil
			}
			if raw, ok := args[0].(json.RawMessage); ok {
				return string(raw), nil
			}
			return args[0], nil
		},
		"hostFail":  func([]any) (any, error) { return nil, errors.New("no such font") },
		"hostList":  func([]any) (any, error) { return []float64{1.5, 2}, nil },
		"hostPanic": func([]any) (any, error) { panic("broken") },
	}
	r := realm(t, `
		globalThis.f = () => [hostEcho(), hostEcho(null), hostEcho(undefined), hostEcho(true), hostEcho(7), hostEcho(-0.5),
			hostEcho("é\u0000😀"), hostEcho({a: [1]}), hostEcho([2]), hostList()];
		globalThis.g = () => hostFail();
		globalThis.h = () => { try { hostPanic() } catch { return 1 } };
		globalThis.i = () => hostEcho(() => 1);`, &jsengine.Options{Host: host})
	answer, err := r.Call(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	if want := `[null,null,null,true,7,-0.5,"é\u0000😀","{\"a\":[1]}","[2]",[1.5,2]]`; string(answer) != want {
		t.Errorf("got %s, want %s", answer, want)
	}
	want := [][]any{{}, {nil}, {nil}, {true}, {7}, {-0.5}, {"é\x00😀"}, {json.RawMessage(`{"a":[1]}`)}, {json.RawMessage(`[2]`)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := r.Call(t.Context(), "g"); err == nil || err.Error() != "TypeError: no such font" {
		t.Errorf("got %v", err)
	}
	if _, err := r.Call(t.Context(), "i"); err == nil {
		t.Error("a function crossed")
	}
	if _, err := r.Call(t.Context(), "h"); err == nil || !strings.Contains(err.Error(), "panicked: broken") {
		t.Errorf("got %v", err)
	}
	if _, err := r.Call(t.Context(), "g"); !errors.Is(err, jsengine.ErrSpent) {
		t.Errorf("after a panic: %v", err)
	}
}

func TestConsole(t *testing.T) {
	var lines []string
	r := realm(t, `globalThis.f = () => {
		console.log("a", 1, { b: [2] }, new Error("c"));
		console.warn("x".repeat(1e6));
		for (let i = 0; i < 1e4; i++) console.debug(i);
	}`, &jsengine.Options{Console: func(level, text string) { lines = append(lines, level+" "+text) }})
	if _, err := r.Call(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	if lines[0] != `log a 1 {"b":[2]} Error: c` || len(lines[1]) > 2100 || len(lines) > 200 {
		t.Errorf("%d lines, the first %q", len(lines), lines[0])
	}
}

func TestManyRealms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	host := map[string]jsengine.HostFunc{}
	for _, name := range strings.Split("a b c d e f g h i j k l m n o p q r s t", " ") {
		host["host_"+name] = func([]any) (any, error) { return 1, nil }
	}
	p, err := jsengine.Compile(jsengine.Source{Name: "f.js", Code: `globalThis.f = () => host_a()`})
	if err != nil {
		t.Fatal(err)
	}
	// More host functions than the engine's table holds at once.
	for range 2000 {
		r, err := jsengine.New(&jsengine.Options{Host: host, Programs: []*jsengine.Program{p}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Call(t.Context(), "f"); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestClose(t *testing.T) {
	r := realm(t, "", nil)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Call(t.Context(), "f"); !errors.Is(err, jsengine.ErrSpent) {
		t.Errorf("got %v", err)
	}
}

func TestProgramErrors(t *testing.T) {
	if _, err := jsengine.Compile(jsengine.Source{Name: "broken.js", Code: "function ("}); err == nil || !strings.Contains(err.Error(), "broken.js") {
		t.Errorf("got %v", err)
	}
	p, err := jsengine.Compile(jsengine.Source{Name: "thrower.js", Code: "throw new Error('at once')"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = jsengine.New(&jsengine.Options{Programs: []*jsengine.Program{p}})
	var thrown *jsengine.ScriptError
	if !errors.As(err, &thrown) || !strings.Contains(err.Error(), "thrower.js") {
		t.Errorf("got %v", err)
	}
}
