package dom_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// DOMPurify gives back its input unsanitised when the document lacks what it
// needs, without a word: so it runs here, the very package mermaid brings, on
// live payloads.
const purify = "../../engines/node_modules/dompurify/dist/purify.js"

func TestDOMPurifySanitises(t *testing.T) {
	code, err := os.ReadFile(purify)
	if err != nil {
		t.Skip("the engines' npm packages are not installed")
	}
	r := newRealm(t)
	r.eval(string(code) + "; 0")
	if got := r.eval(`DOMPurify.isSupported`); got != true {
		t.Fatal("DOMPurify does not take this document for a browser's")
	}
	sanitise := func(dirty string) string {
		src, _ := json.Marshal(dirty)
		s, _ := r.eval("DOMPurify.sanitize(" + string(src) + ", {ADD_TAGS: ['foreignobject'], HTML_INTEGRATION_POINTS: {foreignobject: true}})").(string)
		return s
	}
	for dirty, want := range map[string]string{
		`<b>x</b>`:                                                          `<b>x</b>`,
		`<b onclick="alert(1)">x</b>`:                                       `<b>x</b>`,
		`<script>alert(1)</script>y`:                                        `y`,
		`<img src=x onerror=alert(1)>`:                                      `<img src="x">`,
		`<a href="javascript:alert(1)">x</a>`:                               `<a>x</a>`,
		`<a href="java&#9;script:alert(1)">x</a>`:                           `<a>x</a>`,
		`<svg><g onload=alert(1)><path d="M0"/></g></svg>`:                  `<svg><g><path d="M0"></path></g></svg>`,
		`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`: `<svg><a><text>x</text></a></svg>`,
		`<form><input name=attributes></form>`:                              ``,
	} {
		got := sanitise(dirty)
		if want != "" && got != want {
			t.Errorf("%s\n got  %s\n want %s", dirty, got, want)
		}
	}
	for _, dirty := range []string{
		`<svg><script>alert(1)</script></svg>`,
		`<svg><style><img src=x onerror=alert(1)></style></svg>`,
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
		`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
		`<form id=x><svg><form><mglyph><style></math><img src onerror=alert(1)></style></mglyph></form>`,
		`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
		`<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>`,
		`<svg><animate attributeName=href values="javascript:alert(1)"/></svg>`,
		`<svg><foreignObject><iframe onload=alert(1)></iframe></foreignObject></svg>`,
		`<template><script>alert(1)</script><img src=x onerror=alert(1)></template>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
		`<x/onmouseover=alert(1)><a/href="vbscript:alert(1)">x`,
		`<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">`,
		"<img src=`x`onerror=alert(1)>",
		`<a href="&#x6a;avascript:alert(1)">x</a><a href=" &#14; javascript:alert(1)">y</a>`,
		`<!--<img src="--><img src=x onerror=alert(1)//">`,
	} {
		got := sanitise(dirty)
		// What is left is judged as a parser sees it, not as text.
		src, _ := json.Marshal(got)
		bad := r.eval(`(() => { const bad = []; const d = new DOMParser().parseFromString(` + string(src) + `, 'text/html');
			const look = (root) => { for (const e of root.querySelectorAll('*')) {
				if (/^(script|iframe|object|embed|animate|use|mglyph)$/i.test(e.localName)) bad.push(e.localName);
				for (const a of e.attributes) if (/^on/i.test(a.name) || /^\s*(java|vb)script:/i.test(a.value.replace(/[\u0000-\u0020]/g, ''))) bad.push(a.name + '=' + a.value);
				if (e.content) look(e.content); } };
			look(d); return bad.join(); })()`)
		if bad != "" {
			t.Errorf("%s\n left %v in %s", dirty, bad, got)
		}
	}
}

// TestWhatSanitisersLookUp holds, without DOMPurify at hand, the parts of the
// document it takes by prototype before it trusts any node.
func TestWhatSanitisersLookUp(t *testing.T) {
	var js strings.Builder
	js.WriteString(`(() => { const miss = []; const find = (p, k) => { for (; p; p = Object.getPrototypeOf(p)) { const d = Object.getOwnPropertyDescriptor(p, k); if (d) return d.get ?? d.value; } };`)
	for _, k := range []string{"cloneNode", "remove", "removeAttributeNode", "nextSibling", "childNodes", "parentNode", "shadowRoot", "attributes", "namespaceURI"} {
		js.WriteString("if (typeof find(Element.prototype, '" + k + "') !== 'function') miss.push('" + k + "');")
	}
	js.WriteString(`for (const [k, v] of [['nodeType', 1], ['nodeName', 'FORM'], ['ownerDocument', document]]) if (find(Node.prototype, k)?.call(document.createElement('form')) !== v) miss.push('Node ' + k);`)
	js.WriteString(`return miss.join(); })()`)
	run(t, []jsCase{
		{js.String(), ""},
		{`typeof document.implementation.createHTMLDocument`, "function"},
		{`var f = put('<form><input name=attributes></form>'); f.attributes === f.attributes && f.childNodes === f.childNodes`, true},
	})
}
