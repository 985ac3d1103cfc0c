package dom_test

import "testing"

func TestCascade(t *testing.T) {
	of := func(css, inner, prop string) string {
		return `getComputedStyle(put('<svg><style>` + css + `</style>` + inner + `</svg>').querySelector('#x')).getPropertyValue('` + prop + `')`
	}
	run(t, []jsCase{
		{of(`text{font-size:10px}.a{font-size:12px}`, `<text id=x class=a></text>`, "font-size"), "12px"},
		{of(`#x{fill:red}.a.b{fill:blue}`, `<text id=x class="a b"></text>`, "fill"), "red"},
		{of(`.a{fill:red}.b{fill:blue}`, `<text id=x class="b a"></text>`, "fill"), "blue"},
		{of(`.a{fill:red!important}`, `<text id=x class=a style="fill:blue"></text>`, "fill"), "red"},
		{of(`g{fill:red}`, `<g><text id=x fill=blue></text></g>`, "fill"), "blue"},
		{of(`text{fill:red}`, `<text id=x fill=blue></text>`, "fill"), "red"},
		{of(`g{font-size:20px}`, `<g><text id=x style="font-size:1.5em"></text></g>`, "font-size"), "30px"},
		{of(`g{font-size:20px}`, `<g><text id=x font-size="50%"></text></g>`, "font-size"), "10px"},
		{of(``, `<text id=x font-size="14"></text>`, "font-size"), "14px"},
		{of(``, `<text id=x style="font-size:14"></text>`, "font-size"), "14px"}, // quirks mode, not being HTML
		{of(`text{font-size:14}`, `<text id=x></text>`, "font-size"), "16px"},    // no unit: invalid in a sheet
		{`var e = document.createElementNS(NS, 'text'); e.style.setProperty('font-size', 12); e.getAttribute('style')`, "font-size: 12px;"},
		{of(`:root{--c:#123}text{fill:var(--c, red)}`, `<text id=x></text>`, "fill"), "#123"},
		{of(`text{fill:var(--d, red)}`, `<text id=x></text>`, "fill"), "red"},
		{of(`:root{--a:var(--b)var(--b)var(--b)var(--b);--b:var(--a)var(--a)var(--a)var(--a)}text{fill:var(--a)}`, `<text id=x></text>`, "font-size"), "16px"},
		{of(`text{font:italic bold 12px/2 serif}`, `<text id=x></text>`, "font-weight"), "700"},
		{of(`@media print{text{fill:red}}@media screen and (min-width: 700px){text{fill:blue}}`, `<text id=x></text>`, "fill"), "blue"},
		{of(`@import url(x.css);@keyframes k{from{fill:red}}text{fill:blue}`, `<text id=x></text>`, "fill"), "blue"},
		{of(`text:nth-of-type(2){fill:red}`, `<text></text><text id=x></text>`, "fill"), "red"},
		// A sheet that begins with one seen before.
		{of(`text{fill:red}.z{fill:blue}`, `<text id=x></text>`, "fill"), "red"},
		{of(`text{fill:red}.z{fill:blue}.a{fill:green}text{top:1px}`, `<text id=x class=a></text>`, "fill"), "green"},
		{of(`text{fill:red}.z{fill:blue}.a{fill:green}text{top:1px}`, `<style>text{fill:red}.z{fill:blue}.a{fill:black}</style><text id=x class=a></text>`, "fill"), "black"},
		{of(`@media screen{.z{fill:red}text{fill:red}}text{top:1px}`, `<text id=x></text>`, "fill"), "red"},
		{of(`@media screen{.z{fill:red}text{fill:blue}}text{top:1px}`, `<text id=x></text>`, "fill"), "blue"},
		{of(`@media screen{.z{fill:red}text{fill:blue}}text{top:2px;fill:lime}`, `<text id=x></text>`, "fill"), "lime"},
		{of(`text{fill:red}/*}*/.z{fill:blue}.a{fill:black}`, `<text id=x class=a></text>`, "fill"), "black"},
		{of(`text{fill:red}/*}*/.z{fill:blue}.a{fill:white}`, `<text id=x class=a></text>`, "fill"), "white"},
		// What is inside of an element with an id, and what is that element.
		{of(`#o text{fill:red}`, `<g id=o><g><text id=x></text></g></g>`, "fill"), "red"},
		{of(`#x text{fill:red}`, `<g id=o><g><text id=x></text></g></g>`, "fill"), "rgb(0, 0, 0)"},
		{of(`#o.a text{fill:red}#o>text{fill:red}`, `<g id=o><g><text id=x></text></g></g>`, "fill"), "rgb(0, 0, 0)"},
		{of(`g{text-anchor:middle}`, `<g><text id=x></text></g>`, "text-anchor"), "middle"},
		{`var s = put('<svg><style>.on text{fill:red}</style><g><text id=x></text></g></svg>'), x = s.querySelector('#x'), a = getComputedStyle(x).fill; s.querySelector('g').setAttribute('class', 'on'); a + ' ' + getComputedStyle(x).fill`, "rgb(0, 0, 0) red"},
		{`var s = put('<svg><text id=x></text></svg>'), x = s.querySelector('#x'), st = document.createElementNS(NS, 'style'); s.append(st); getComputedStyle(x).fill; st.textContent = 'text{fill:red}'; var a = getComputedStyle(x).fill; st.remove(); a + ' ' + getComputedStyle(x).fill`, "red rgb(0, 0, 0)"},
		{`var e = put('<p style="color: red;; top:1px"></p>'); e.style.setProperty('color', 'blue', 'important'); e.style.top = ''; e.style.maxWidth = '3px'; e.style.fontSize = '14'; e.getAttribute('style')`, "color: blue !important; max-width: 3px;"},
		{`var s = new CSSStyleSheet(); s.insertRule('.a>b { fill: red; stroke:  blue }'); s.cssRules[0].cssText`, ".a > b { fill: red; stroke: blue; }"},
		{`[CSS.supports('color', 'rebeccapurple'), CSS.supports('color', 'nope'), CSS.supports('color', '#12f')].join()`, "true,false,true"},
	})
}
