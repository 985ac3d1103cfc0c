package dom_test

import (
	"encoding/json"
	"testing"

	"github.com/webodar/webodar/internal/dom"
	"github.com/webodar/webodar/internal/jsengine"
)

// realm is a fresh JavaScript realm with the document in it.
type realm struct {
	t  *testing.T
	js *jsengine.Realm
}

func newRealm(t *testing.T) realm {
	t.Helper()
	opts := &jsengine.Options{Host: dom.Host()}
	for _, s := range append(dom.Sources(), dom.Source{Name: "helpers.js", Code: helpers}) {
		p, err := jsengine.Compile(jsengine.Source(s))
		if err != nil {
			t.Fatal(err)
		}
		opts.Programs = append(opts.Programs, p)
	}
	js, err := jsengine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = js.Close() })
	return realm{t, js}
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
		globalThis.evaluate = (code) => {
			try { return (0, eval)(code) } catch (e) { return e.name + ': ' + e.message }
		};`

// eval gives the value of an expression; a thrown error as "Name: message".
func (r realm) eval(js string) any {
	r.t.Helper()
	answer, err := r.js.Call(r.t.Context(), "evaluate", js)
	if err != nil {
		r.t.Fatalf("%s: %v", js, err)
	}
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		r.t.Fatal(err)
	}
	if f, ok := v.(float64); ok && f == float64(int(f)) {
		return int(f) // as cases write whole numbers
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
