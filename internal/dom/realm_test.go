package dom

import (
	"encoding/json"
	"testing"

	"modernc.org/quickjs"
)

// realm is a fresh JavaScript realm with the document in it.
type realm struct {
	t  *testing.T
	vm *quickjs.VM
}

func newRealm(t *testing.T) realm {
	t.Helper()
	vm, err := quickjs.NewVM()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { vm.Close() })
	for name, fn := range Host() {
		if err := vm.RegisterHostFunc(name, fn); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range Sources() {
		if _, err := vm.Eval(s.Code, quickjs.EvalGlobal); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
	}
	const helpers = `
		var NS = 'http://www.w3.org/2000/svg';
		// put parses HTML into the body and gives its first element.
		function put(html) { document.body.innerHTML = html; return document.body.firstElementChild; }
		function svg(inner) { return put('<svg style="font-family:arial;font-size:16px">' + inner + '</svg>'); }
		function round(v) { return Math.round(v * 1000) / 1000; }
		function nums(b) { return [b.x, b.y, b.width, b.height].map(round).join(' '); }
		function bbox(inner, sel) { return nums(svg(inner).querySelector(sel ?? '*').getBBox()); }
		function names(list) { return [...list].map((e) => e.id || e.localName).join(' '); }
		0`
	if _, err := vm.Eval(helpers, quickjs.EvalGlobal); err != nil {
		t.Fatal(err)
	}
	return realm{t, vm}
}

// eval gives the value of an expression; a thrown error as "Name: message".
func (r realm) eval(js string) any {
	r.t.Helper()
	src, _ := json.Marshal(js)
	v, err := r.vm.Eval("(() => { try { return (0, eval)("+string(src)+") } catch (e) { return e.name + ': ' + e.message } })()", quickjs.EvalGlobal)
	if err != nil {
		r.t.Fatalf("%s: %v", js, err)
	}
	return v
}

type jsCase struct {
	js   string
	want any
}

// run evaluates cases in one realm; each sets up what it looks at.
func run(t *testing.T, cases []jsCase) {
	t.Helper()
	r := newRealm(t)
	for _, tc := range cases {
		if got := r.eval(tc.js); got != tc.want {
			t.Errorf("%s\n got  %v\n want %v", tc.js, got, tc.want)
		}
	}
}
