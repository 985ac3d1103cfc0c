package dom_test

import "testing"

// The numbers are Chromium 148's for the same markup, on a machine with the
// Liberation fonts.
func TestBoxes(t *testing.T) {
	const r = `<rect x="5" y="5" width="10" height="10"/>`
	b := func(inner string) string { return "bbox(`" + inner + "`)" }
	run(t, []jsCase{
		{b(`<g><rect x="100" y="100" width="0" height="10"/>` + r + `</g>`), "5 5 10 10"},
		{b(`<g><text x="100" y="100"></text>` + r + `</g>`), "5 5 10 10"},
		{b(`<g><text x="100" y="100"><tspan></tspan></text>` + r + `</g>`), "0 0 15 15"},
		{b(`<g><path d=""/>` + r + `</g>`), "5 5 10 10"},
		{b(`<g><path d="M100,100"/>` + r + `</g>`), "5 5 95 95"},
		{b(`<g><path d="M0,0 L10,0 M50,50"/></g>`), "0 0 10 0"},
		{b(`<g><circle cx="100" cy="100" r="0"/>` + r + `</g>`), "5 5 10 10"},
		{b(`<g><line/>` + r + `</g>`), "0 0 15 15"},
		{b(`<g><g transform="translate(50,50)"/>` + r + `</g>`), "5 5 10 10"},
		{b(`<g><svg x="50" y="50" width="20" height="20" viewBox="0 0 10 10"><rect x="5" y="5" width="100" height="10"/></svg></g>`), "60 60 200 20"},
		{b(`<g><rect x="5" y="5" width="10" height="10" style="display:none"/></g>`), "0 0 0 0"},
		{b(`<g><rect x="5" y="5" width="10" height="10" style="visibility:hidden"/></g>`), "5 5 10 10"},
		{b(`<g><rect x="5" y="5" width="10" height="10" transform="rotate(45)"/></g>`), "-7.071 7.071 14.142 14.142"},
		{b(`<g><defs>` + r + `</defs><title>x</title></g>`), "0 0 0 0"},
		{b(`<path d="M0,0 C 10,20 30,20 40,0 S 60 -30 80 0 Q 90 20 100 0 T 120 0 A 30 20 30 1 1 150 30 z"/>`), "0 -18.934 175.677 49.755"},
		{b(`<polygon points="0,0 10,5,3 8"/>`), "0 0 10 8"},
		{b(`<text>AB<tspan x="0" dy="1em">C</tspan></text>`), "0 -14 21.344 33"},
		{`bbox('<text>AB<tspan x="0" dy="1em">C</tspan></text>', 'tspan')`, "0 2 11.563 17"},
		{b(`<text text-anchor="middle">AB<tspan x="10" dy="1em">Cde</tspan></text>`), "-10.672 -14 35.445 33"},
		{b(`<text text-anchor="end" x="5">AB</text>`), "-16.344 -14 21.344 17"},
		{b(`<text dominant-baseline="middle">AB</text>`), "0 -9.781 21.344 17.016"},
		{b(`<text dominant-baseline="central">AB</text>`), "0 -8.5 21.344 17"},
		{b(`<text dominant-baseline="hanging">AB</text>`), "0 -2.797 21.344 17"},
		{b(`<text>A <tspan>B</tspan> <tspan> C</tspan> </text>`), "0 -14 40.922 17"},
		{b(`<text xml:space="preserve">  A  B </text>`), "0 -14 41.813 17"},
		{b(`<text>j</text>`), "-1 -14 4.563 17"}, // ink left of the origin
		{b(`<text>f</text>`), "0 -14 5 17"},
		{b(`<text x="1 20 40" y="5">ABC</text>`), "1 -9 50.563 17"},
		{b(`<g transform="scale(2)"><text>ABC</text></g>`), "0 -14.5 32.898 18"},
		{b(`<g><text transform="rotate(-90)">ABC</text></g>`), "-14 -32.906 17 32.906"},
		{b(`<text style="font-size:13.333px">Hello</text>`), "0 -12 30.375 15"},
		{b(`<text font-size="4ex" font-weight="bold">Gg</text>`), "0 -31 46.938 38"},
		{b(`<text><tspan>A</tspan><tspan>V</tspan></text>`), "0 -14 20.484 17"}, // kerned across the spans
		{`'left' in svg(` + "`" + r + "`" + `).firstChild.getBBox()`, false},    // mermaid asks, to tell it from a DOMRect
	})
}

func TestTextLengths(t *testing.T) {
	run(t, []jsCase{
		{`svg('<text>AB<tspan x="0" dy="1em">C</tspan></text>').firstChild.getComputedTextLength()`, 32.90625},
		{`svg('<text><tspan>A</tspan><tspan>V</tspan></text>').querySelector('tspan').getComputedTextLength()`, 9.484375},
		{`svg('<text letter-spacing="2">Hello AVATAR fi</text>').firstChild.getComputedTextLength()`, 141.734375},
		{`svg('<text>Hello</text>').firstChild.getSubStringLength(1, 2) > 12`, true},
		{`svg('<text>Hello</text>').firstChild.getNumberOfChars()`, int(5)},
		{`svg('<text>日本</text>').firstChild.getComputedTextLength()`, int(32)},
		{`svg('<text>a\u0301</text>').firstChild.getComputedTextLength() === svg('<text>a</text>').firstChild.getComputedTextLength()`, true},
	})
}

func TestPathsAndPlaces(t *testing.T) {
	run(t, []jsCase{
		{`svg('<path d="M0,0h3v4z"/>').firstChild.getTotalLength()`, int(12)},
		{`var p = svg('<path d="M0,0h3v4"/>').firstChild.getPointAtLength(5); [p.x, p.y].join()`, "3,2"},
		{`round(svg('<circle r="10"/>').firstChild.getTotalLength())`, 62.832},
		{`nums(svg('<g transform="translate(1,2)"><rect width="3" height="4"/></g>').querySelector('rect').getBoundingClientRect())`, "9 10 3 4"},
		{`var m = svg('<g transform="translate(1,2) scale(2)"><rect/></g>').querySelector('rect').getCTM(); [m.a, m.d, m.e, m.f].join()`, "2,2,1,2"},
		{`nums(put('<svg viewBox="0 0 100 50" width="100%"></svg>').getBoundingClientRect())`, "8 8 784 392"},
		{`put('<div></div>').offsetWidth`, int(784)},
		{`[innerWidth, screen.availWidth, devicePixelRatio, navigator.language].join()`, "800,800,1,en"},
		{`put('<div><span>Hello</span></div>').firstChild.getBoundingClientRect().width`, 36.46875},
		{`matchMedia('(min-width: 900px)').matches`, false},
	})
}

// A kept box must notice every change it rests on.
func TestBoxesFollowChanges(t *testing.T) {
	const setUp = `var s = svg('<g id=o><g id=i><text>Hello</text></g></g>'), i = s.querySelector('#i'), o = s.querySelector('#o'), w = () => round(i.getBBox().width); var a = w();`
	run(t, []jsCase{
		{setUp + `i.firstChild.textContent = 'Hello Hello'; a < w()`, true},
		{setUp + `o.setAttribute('font-size', '32'); w() / a > 1.9`, true},
		{setUp + `s.setAttribute('style', 'font-family:courier'); a < w()`, true},
		{setUp + `var st = document.createElementNS(NS, 'style'); st.textContent = '.big text{font-size:32px}'; s.append(st); var b = w(); o.setAttribute('class', 'big'); [a === b, w() > b].join()`, "true,true"},
		{setUp + `var st = document.createElementNS(NS, 'style'); st.textContent = '.off{display:none}'; s.append(st); i.firstChild.setAttribute('class', 'off'); w()`, int(0)},
		{setUp + `o.setAttribute('transform', 'scale(2)'); i.getBBox().height`, int(18)},
		{setUp + `i.append(document.createElementNS(NS, 'rect')); i.lastChild.setAttribute('width', 90); i.lastChild.setAttribute('height', '50%'); var b = nums(i.getBBox()); s.setAttribute('height', 50); b + '|' + nums(i.getBBox())`, "0 -14 90 89|0 -14 90 39"},
		{setUp + `s.append(i); o.remove(); a === w()`, true},
		// Several changes before the next look, at nodes that carry the same version.
		{setUp + `i.firstChild.setAttribute('dx', 1); o.setAttribute('dx', 1); i.firstChild.textContent = 'Hello Hello'; a < w()`, true},
		{setUp + `var p = document.createElementNS(NS, 'g'), t = i.firstChild; p.append(t); t.textContent = 'Hello Hello'; i.append(p); a < w()`, true},
		{setUp + `var t = i.firstChild; t.remove(); t.textContent = 'Hello Hello'; o.append(t); [w(), round(o.getBBox().width) > a].join()`, "0,true"},
		{setUp + `var c = o.cloneNode(true), b = c.querySelector('text'); b.textContent = 'Hello Hello'; o.append(c); round(o.getBBox().width) > a`, true},
		{setUp + `o.setAttribute('transform', 'scale(3)'); w(); o.removeAttribute('transform'); a === w()`, true},
	})
}
