package dom_test

import "testing"

func TestTree(t *testing.T) {
	run(t, []jsCase{
		{`put('<p id=a>x<b>y</b></p>').textContent`, "xy"},
		{`document.documentElement.outerHTML.startsWith('<html><head></head><body>')`, true},
		{`var d = put('<div><i id=1></i><i id=2></i></div>'); d.insertBefore(d.lastChild, d.firstChild); names(d.children)`, "2 1"},
		{`var d = put('<div></div>'), live = d.childNodes; d.append('t', document.createElement('b')); d.firstChild.remove(); live.length + live[0].nodeName`, "1B"},
		{`var f = document.createDocumentFragment(); f.append('a', 'b'); var d = put('<div>c</div>'); d.insertBefore(f, d.firstChild); d.innerHTML + f.childNodes.length`, "abc0"},
		{`var d = put('<div><p></p></div>'); d.firstChild.appendChild(d)`, "HierarchyRequestError: The new child element contains the parent."},
		{`put('<div></div>').removeChild(document.body)`, "NotFoundError: The node to be removed is not a child of this node."},
		{`var c = put('<div class="a b"><u>1</u></div>').cloneNode(true); c.outerHTML + c.isConnected`, `<div class="a b"><u>1</u></div>false`},
		{`var d = put('<div id=x></div>'); d.id = 'y'; [document.getElementById('x'), document.getElementById('y') === d].join()`, ",true"},
		{`var d = put('<div><p id=q></p></div>'); document.getElementById('q') && (d.remove(), document.getElementById('q'))`, nil},
		{`var d = put('<div></div>'); d.classList.add('a', 'b'); d.classList.toggle('a'); d.className`, "b"},
		{`var d = put('<div data-foo-bar=1></div>'); d.dataset.bazQux = 2; d.dataset.fooBar + d.outerHTML`, `1<div data-foo-bar="1" data-baz-qux="2"></div>`},
		{`var e = document.createElementNS(NS, 'a'); e.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '#x'); [e.getAttribute('xlink:href'), e.getAttributeNS('http://www.w3.org/1999/xlink', 'href'), e.attributes[0].localName].join()`, "#x,#x,href"},
		{`var e = document.createElementNS(NS, 'a'); e.setAttributeNS('http://www.w3.org/1999/xlink', 'href', '#x'); e.outerHTML`, `<a xlink:href="#x"></a>`},
		{`document.createElement('DIV').tagName + document.createElementNS(NS, 'linearGradient').tagName`, "DIVlinearGradient"},
		{`JSON.stringify({ n: document.body })`, `{"n":{}}`}, // block diagrams print trees that hold nodes
		{`var d = put('<div><b>1</b><i>2</i></div>'), it = document.createNodeIterator(d, NodeFilter.SHOW_ELEMENT), out = [], n; while (n = it.nextNode()) { out.push(n.localName); if (n.localName === 'b') n.remove(); } out.join()`, "div,b,i"},
		{`var d = put('<div>a<!--c--><b>d</b></div>'), w = document.createTreeWalker(d, NodeFilter.SHOW_TEXT), out = ''; while (w.nextNode()) out += w.currentNode.data; out`, "ad"},
		{`[typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof Worker, typeof localStorage, typeof __dom_text].join()`, "undefined,undefined,undefined,undefined,undefined,undefined"},
		{`var x = structuredClone({ a: [1, { b: new Map([[1, new Set([2])]]) }] }); x.a[1].b.get(1).has(2)`, true},
		{`btoa('Mermaid') + atob('aGk=') + new TextEncoder().encode('é→😀').length`, "TWVybWFpZA==hi9"},
		{`new URL('HTTPS://User@Example.com/a b?q#h').href`, "https://User@example.com/a%20b?q#h"},
		{`[...new Intl.Segmenter().segment('e\u0301👨‍👩‍👧🇩🇪x')].length`, int(4)},
	})
}

func TestSelectors(t *testing.T) {
	const tree = `put('<div id=r class="a b" data-k="v-w x"><p id=1></p><p id=2 class=c></p><span id=3><i id=4></i></span></div>');`
	q := func(sel string) string { return tree + "names(document.querySelectorAll(" + sel + "))" }
	run(t, []jsCase{
		{q(`'#r > p'`), "1 2"},
		{q(`'.a.b p.c, i'`), "2 4"},
		{q(`'[data-k^=v][data-k$="x"][data-k~=x][data-k*="-"]'`), "r"},
		{q(`'p + span > i'`), "4"},
		{q(`'#\\31 ~ *'`), "2 3"},
		{q(`'p:not(.c)'`), "1"},
		{q(`'#r :first-child'`), "1 4"},
		{q(`'#r > :nth-child(2n+1)'`), "1 3"},
		{q(`'#r > :last-child'`), "3"},
		{q(`'p:nth-of-type(2)'`), "2"},
		{q(`':is(i, .c)'`), "2 4"},
		{q(`'span:has(> i)'`), "3"},
		{q(`'[DATA-K="V-W X" i]'`), "r"},
		{q(`'div P'`), "1 2"},
		{q(`'a['`), "SyntaxError: 'a[' is not a valid selector."},
		{`put('<svg><linearGradient id=g></linearGradient><g class=n><rect id=k></rect></g></svg>'); names(document.querySelectorAll('linearGradient, .n rect'))`, "g k"},
		{`svg('<g id=o><g id=i><path/></g></g>').querySelector('path').closest('#o').id`, "o"},
		{`CSS.escape('1a b#-')`, `\31 a\ b\#-`},
	})
}

func TestSerialise(t *testing.T) {
	run(t, []jsCase{
		{`put('<p title="a&quot;<b>&amp;">1 &lt; 2 &amp; 3&nbsp;</p>').outerHTML`, `<p title="a&quot;&lt;b&gt;&amp;">1 &lt; 2 &amp; 3&nbsp;</p>`},
		{`put('<div><br><img src=x></div>').innerHTML`, `<br><img src="x">`},
		{`put('<svg><style>a>b{}</style><path/></svg>').innerHTML`, `<style>a&gt;b{}</style><path></path>`},
		{`var e = svg('<foreignObject/>').firstChild.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'div')); e.innerHTML = '<b>x</b><i>y'; e.innerHTML`, `<b>x</b><i>y</i>`},
		{`put('<svg viewbox="0 0 1 1"><lineargradient/><filter><fedropshadow/></filter></svg>').outerHTML`, `<svg viewBox="0 0 1 1"><linearGradient></linearGradient><filter><feDropShadow></feDropShadow></filter></svg>`},
		{`new XMLSerializer().serializeToString(put('<svg><a xlink:href="#x">a&amp;b<br></a></svg>'))`, `<svg xmlns="http://www.w3.org/2000/svg"><a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#x">a&amp;b</a></svg>`},
		{`var e = svg('<text></text>').firstChild; e.textContent = 'a\u0001<\ud800b'; new XMLSerializer().serializeToString(e)`, `<text xmlns="http://www.w3.org/2000/svg">a&lt;b</text>`},
		{`new XMLSerializer().serializeToString(put('<svg><foreignobject><div>x</div></foreignobject></svg>'))`, `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><div xmlns="http://www.w3.org/1999/xhtml">x</div></foreignObject></svg>`},
		{`new DOMParser().parseFromString('<a xmlns="u"><b c="&lt;">t</b></a>', 'image/svg+xml').documentElement.firstChild.getAttribute('c')`, "<"},
		{`new DOMParser().parseFromString('<a><b></a>', 'text/xml').documentElement.localName`, "parsererror"},
		{`put('<template><p>x</p></template>').content.firstChild.outerHTML + document.querySelectorAll('p').length`, "<p>x</p>0"},
	})
}

func TestBase64(t *testing.T) {
	run(t, []jsCase{
		{`btoa('a\u00ff\u0000') + btoa('') + btoa('ab') + btoa('abc')`, "Yf8AYWI=YWJj"},
		{`btoa('\u0100')`, "InvalidCharacterError: The string to be encoded contains characters outside of the Latin1 range."},
		{`atob(' Yf8A\n') === 'a\u00ff\u0000' && atob('YWI=') + atob('YWJj') + atob('YWI')`, "ababcab"},
		{`atob('YR')`, "a"}, // bits that make no byte are dropped
		{`atob('Y')`, "InvalidCharacterError: The string to be decoded is not correctly encoded."},
		{`atob('Y*==')`, "InvalidCharacterError: The string to be decoded is not correctly encoded."},
	})
}
