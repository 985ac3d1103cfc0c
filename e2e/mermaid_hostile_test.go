package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/template"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/mermaid/watch.js
var watchScript string

//go:embed testdata/mermaid/page.html
var pageHTML string

//go:embed testdata/mermaid/hostile.txtar
var hostileFile []byte

// drawing is a call of mermaid_to_svg.
type drawing struct {
	Name    string `json:"-"`
	Code    string `json:"code"`
	Config  string `json:"config_json,omitempty"`
	Theme   string `json:"theme,omitempty"`
	Timeout int    `json:"timeout_ms,omitempty"`
	AST     bool   `json:"include_ast,omitempty"`
}

// hostile are diagrams that try to get out of their picture.
func hostile(t *testing.T) []drawing {
	t.Helper()
	var found []drawing
	for _, f := range txtar.Parse(hostileFile).Files {
		if name, isConfig := strings.CutSuffix(f.Name, ": config"); isConfig {
			last := &found[len(found)-1]
			if last.Name != name {
				t.Fatalf("hostile.txtar: %q does not follow its diagram", f.Name)
			}
			last.Config = string(f.Data)
			continue
		}
		found = append(found, drawing{Name: f.Name, Code: string(f.Data)})
	}
	// What cannot well be written down.
	return append(found,
		drawing{Name: "label: control characters", Code: "flowchart TD\n  A[\"<scr\x00ipt>alert(1)</script>\x1b\ufffe\u202e\"] --> B"},
		drawing{Name: "classDef with NUL", Code: "flowchart TD\n  classDef x fill:u\x00rl(http://evil.example)\n  A:::x --> B"},
		drawing{Name: "click with control characters", Code: "flowchart TD\n  A --> B\n  click A \"java\x01script:alert(1)\"\n  click B \"\x0bjavascript:alert(1)\""},
		drawing{Name: "separators", Code: "flowchart TD\u2028  A[\"x\u2028<script>alert(1)</script>\"] --> B"},
		drawing{Name: "many tags in a label", Code: "flowchart TD\n  A[\"" + strings.Repeat("<img src=x onerror=alert(1)>", 20) + "\"] --> B"},
		drawing{Name: "a mebibyte of brackets", Code: "flowchart TD\n" + strings.Repeat("[", 1<<20-20), Timeout: 3000},
		drawing{Name: "subgraphs without an end", Code: "flowchart TD\n" + strings.Repeat("subgraph a\n", 300)},
		drawing{Name: "nested directive", Code: "%%{init: " + strings.Repeat("[", 20000) + "}%%\nflowchart TD\n  A --> B"},
	)
}

// refusals are the codes with which a hostile diagram may be refused. A failure of the
// engine is none of them.
var refusals = []string{"PARSE_ERROR", "INVALID_CONFIG", "INVALID_INPUT", "UNSUPPORTED_DIAGRAM"}

// drawer asks a running webodar for pictures over REST.
type drawer struct {
	*http.Client
	url string
}

func newDrawer(t *testing.T, p *process) *drawer {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &drawer{&http.Client{Transport: transport, Timeout: 2 * patience}, p.url(t, "HTTP")}
}

// picture is an answer of mermaid_to_svg.
type picture struct {
	Status int    `json:"-"`
	Text   string `json:"-"` // the body
	Result struct {
		SVG      string
		Warnings []string
		AST      json.RawMessage
	}
	Error struct{ Code, Message string }
}

func (d *drawer) draw(ask drawing) (*picture, error) {
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, err
	}
	res, err := d.Post(d.url+"/api/tools/mermaid_to_svg", "application/json", strings.NewReader(string(body)))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	got := &picture{Status: res.StatusCode}
	var text strings.Builder
	if err := json.NewDecoder(io.TeeReader(res.Body, &text)).Decode(got); err != nil {
		return nil, fmt.Errorf("status %d: %w", res.StatusCode, err)
	}
	got.Text = text.String()
	return got, nil
}

// seen is what watch.js gives.
type seen struct {
	Complaints []string
	Same       json.RawMessage
}

// gallery shows pictures in all the ways that people do.
type gallery struct {
	*browser
	page          *template.Template
	first, second string // pictures that stand beside
	inline, alone json.RawMessage
	n             int
}

func newGallery(t *testing.T, d *drawer) *gallery {
	t.Helper()
	g := &gallery{browser: startBrowser(t), page: template.Must(template.New("page").Parse(pageHTML))}
	for code, svg := range map[string]*string{
		"flowchart TD\n  A:::x --> B\n  classDef x fill:#eee": &g.first,
		"sequenceDiagram\n  A->>B: hi":                        &g.second,
	} {
		p, err := d.draw(drawing{Code: code, Config: `{"look":"classic"}`, Theme: "default"})
		if err != nil || p.Result.SVG == "" {
			t.Fatalf("no picture to stand beside: %v %v", err, p)
		}
		*svg = p.Result.SVG
	}
	g.put("/watch.js", "text/javascript", watchScript)
	const harmless = `<svg xmlns="http://www.w3.org/2000/svg" id="harmless" width="100%" viewBox="0 0 40 30"><rect width="9" height="9"></rect></svg>`
	var complaints []string
	if complaints, g.inline, g.alone = g.show(t, harmless); complaints != nil {
		t.Fatalf("complaints of a harmless picture: %q", complaints)
	}
	return g
}

// show gives what is wrong with a picture inside a page, as the source of an <img>, and
// as a document.
func (g *gallery) show(t *testing.T, svg string) (complaints []string, inline, alone json.RawMessage) {
	t.Helper()
	g.n++
	image := g.put(fmt.Sprintf("/picture/%d", g.n), "image/svg+xml", svg)
	var html strings.Builder
	if err := g.page.Execute(&html, map[string]string{"First": g.first, "Second": g.second, "Picture": svg, "Image": image}); err != nil {
		t.Fatal(err)
	}
	url := g.put(fmt.Sprintf("/page/%d", g.n), "text/html", html.String())
	in, alarms := visit[seen](t, g.browser, url, `watch(".place")`, g.site+"/watch.js", image)
	for _, alarm := range alarms {
		complaints = append(complaints, "in a page: "+alarm)
	}
	for _, c := range in.Complaints {
		complaints = append(complaints, "in a page: "+c)
	}
	out, alarms := visit[seen](t, g.browser, image, watchScript+`; watch("svg")`)
	for _, alarm := range alarms {
		complaints = append(complaints, "as a document: "+alarm)
	}
	for _, c := range out.Complaints {
		complaints = append(complaints, "as a document: "+c)
	}
	return complaints, in.Same, out.Same
}

// inspect gives what is wrong with a picture, compared with a harmless one too.
func (g *gallery) inspect(t *testing.T, svg string) []string {
	t.Helper()
	complaints, inline, alone := g.show(t, svg)
	for name, pair := range map[string][2]json.RawMessage{"the page": {g.inline, inline}, "the document": {g.alone, alone}} {
		if string(pair[0]) != string(pair[1]) {
			complaints = append(complaints, fmt.Sprintf("%s is changed: %s", name, firstDifference(string(pair[0]), string(pair[1]))))
		}
	}
	return complaints
}

func firstDifference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-80)
	return fmt.Sprintf("%q became %q", a[from:min(len(a), i+80)], b[from:min(len(b), i+80)])
}

// TestMermaidHostile draws hostile diagrams, and shows what is drawn in a browser that
// notices all that happens.
func TestMermaidHostile(t *testing.T) {
	p := start(t, nil, "serve", "--http", "127.0.0.1:0", "--remember-bytes", "0")
	d := newDrawer(t, p)
	g := newGallery(t, d)
	cases := hostile(t)
	if len(cases) < 40 {
		t.Fatalf("only %d hostile diagrams", len(cases))
	}
	answers := make([]chan *picture, len(cases))
	next := make(chan int, len(cases))
	for i := range cases {
		answers[i] = make(chan *picture, 1)
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	defer wg.Wait()
	for range 3 {
		wg.Go(func() {
			for i := range next {
				got, err := d.draw(cases[i])
				if err != nil {
					t.Errorf("%s: %v", cases[i].Name, err)
				}
				answers[i] <- got
			}
		})
	}
	drawn := 0
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			got := <-answers[i]
			if got == nil {
				t.Fatal("no answer")
			}
			if got.Result.SVG == "" {
				if !slices.Contains(refusals, got.Error.Code) && (c.Timeout == 0 || got.Error.Code != "RENDER_TIMEOUT") {
					t.Errorf("status %d: %.500s", got.Status, got.Text)
				}
				t.Logf("refused: %s %.200s", got.Error.Code, got.Error.Message)
				return
			}
			drawn++
			t.Logf("drawn, with the warnings %.300q", got.Result.Warnings)
			for _, complaint := range g.inspect(t, got.Result.SVG) {
				t.Error(complaint)
			}
		})
	}
	t.Logf("%d of %d were drawn", drawn, len(cases))
	if drawn < len(cases)/2 {
		t.Errorf("only %d of %d were drawn: the others test nothing in the browser", drawn, len(cases))
	}
	if text := p.log.String(); strings.Contains(text, "panic") || strings.Contains(text, "InternalError") {
		t.Error("the server had troubles of its own")
	}
}

// TestWatchNotices: what the browser is to notice in a hostile picture, it does.
func TestWatchNotices(t *testing.T) {
	g := newGallery(t, newDrawer(t, start(t, nil, "serve", "--http", "127.0.0.1:0")))
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" id="m" width="100%%" viewBox="0 0 40 30">%s</svg>`
	for name, c := range map[string]struct{ inside, want string }{
		"script":          {`<script>window.polluted = 1</script>`, `^in a page: an element that acts: <script`},
		"a global":        {`<script>window.polluted = 1</script>`, `^the page is changed: .*polluted`},
		"in a document":   {`<script>window.polluted = 1</script>`, `^the document is changed: .*polluted`},
		"canary":          {`<rect width="9" height="9" onmouseover="callback()"/>`, `^the page is changed: .*called`},
		"dialog":          {`<script>delete window.alert; (window.top).alert?.(1)||prompt(1)</script>`, `^in a page: dialog`},
		"image":           {`<image href="http://evil.example/a.png" width="9" height="9"/>`, `requested: http://evil.example/a.png$`},
		"arrived":         {`<image href="http://evil.example/a.png" width="9" height="9"/>`, `a request reached http://evil.example/a.png`},
		"https":           {`<image href="https://evil.example/a.png" width="9" height="9"/>`, `requested: https://evil.example/a.png`},
		"relative":        {`<image href="x" width="9" height="9"/>`, `requested: http://127.0.0.1:\d+/page/x`},
		"a style sheet":   {`<style>@import url(http://evil.example/a.css);</style>`, `requested: http://evil.example/a.css`},
		"fill":            {`<style>body { background: url(http://evil.example/b) }</style>`, `requested: http://evil.example/b`},
		"page style":      {`<style>h1 { color: red }</style>`, `the style of H1 is changed: .*color: rgb`},
		"keyframes":       {`<style>@keyframes dash { to { outline-offset: 9px } } .edge-animation-slow { animation: dash 1s }</style>`, `the style of path is changed: .*animation`},
		"picture beside":  {`<style>.node rect { stroke-width: 9px }</style>`, `the style of rect is changed: .*stroke-width`},
		"id":              {`<g id="harmless"/><g id="harmless"/>`, `twice in the page: id harmless`},
		"link":            {`<a xlink:href="javascript:callback()"><text>x</text></a>`, `a link to javascript:`},
		"HTML":            {`<desc><p>x</p></desc>`, `^in a page: an element of another namespace: <p>`},
		"out of the svg":  {`<p>x</p>`, `^in a page: beside the svg there is`},
		"over the page":   {`<style>#m { overflow: visible }</style><rect width="9000" height="9000" x="-900" y="-900"/>`, `it covers \d+`},
		"console":         {`<script>console.log(1)</script>`, `^in a page: console.log`},
		"exception":       {`<script>throw 1</script>`, `^in a page: exception`},
		"broken document": {`&nbsp;`, `^as a document: `},
		"navigation":      {`<script>setTimeout(() => location.hash = "x")</script>`, `is changed|a frame went to|navigated`},
	} {
		t.Run(name, func(t *testing.T) {
			want := regexp.MustCompile(c.want)
			complaints := g.inspect(t, fmt.Sprintf(svg, c.inside))
			if !slices.ContainsFunc(complaints, want.MatchString) {
				t.Errorf("no complaint like %s in %q", c.want, complaints)
			}
		})
	}
}
