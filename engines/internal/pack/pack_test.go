package pack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/jsengine"
)

func TestApply(t *testing.T) {
	files := map[string]string{"a.mjs": "x = old; y = old;", "b.mjs": "old", "c.js": "old"}
	rule := Rule{Name: "r", Why: "because", File: "*.mjs", Find: "old", Replace: "new", Count: 3}
	got, err := Apply(files, []Rule{rule})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.mjs": "x = new; y = new;", "b.mjs": "new", "c.js": "old"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if files["b.mjs"] != "old" {
		t.Error("the input was changed")
	}
	for name, count := range map[string]int{"too few": 4, "too many": 2} {
		rule.Count = count
		if _, err := Apply(files, []Rule{rule}); err == nil || !strings.Contains(err.Error(), "rule r matches 3 times") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestRegExpStatics runs path-data-parser's tokenizer with the patch.
func TestRegExpStatics(t *testing.T) {
	rule := ruleNamed(t, "regexp-statics")
	files := map[string]string{"chunk-X.mjs": `globalThis.tokens = function (t3) {
    const e3 = new Array(), f = 0, d = 1;
    ` + rule.Find + `
    return e3;
  };`}
	got, err := Apply(files, []Rule{rule})
	if err != nil {
		t.Fatal(err)
	}
	p, err := jsengine.Compile(jsengine.Source{Name: "tokens.js", Code: got["chunk-X.mjs"]})
	if err != nil {
		t.Fatal(err)
	}
	r, err := jsengine.New(&jsengine.Options{Programs: []*jsengine.Program{p}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for in, want := range map[string]string{
		"M 1,-2.5e1l.5": `[{"type":0,"text":"M"},{"type":1,"text":"1"},{"type":1,"text":"-25"},{"type":0,"text":"l"},{"type":1,"text":"0.5"}]`,
		"":              `[]`,
		"M 1 ?":         `[]`,
	} {
		answer, err := r.Call(t.Context(), "tokens", in)
		if err != nil {
			t.Fatal(err)
		}
		if string(answer) != want {
			t.Errorf("%q: got %s, want %s", in, answer, want)
		}
	}
}

// TestConfigAssign runs assignWithDepth as it is and as it is patched.
func TestConfigAssign(t *testing.T) {
	rule := ruleNamed(t, "config-assign")
	const around = `
var assignWithDepth = (dst, src, { depth = 2 } = {}) => {
  const config2 = { depth };
  if (Array.isArray(src) && !Array.isArray(dst)) {
    src.forEach((s) => assignWithDepth(dst, s, config2));
    return dst;
  } else if (Array.isArray(src) && Array.isArray(dst)) {
    src.forEach((s) => { if (!dst.includes(s)) dst.push(s); });
    return dst;
  }
  if (dst === void 0 || dst === null || depth <= 0) {
    if (dst !== void 0 && dst !== null && typeof dst === "object" && typeof src === "object") return Object.assign(dst, src);
    return src;
  }
  if (src !== void 0 && src !== null && typeof dst === "object" && typeof src === "object") {
%s
  }
  return dst;
};`
	const probe = `
		const show = (v, seen = []) => v === null || typeof v !== "object" ? typeof v + String(v)
			: seen.includes(v) ? "again" : (Array.isArray(v) ? "A" : Object.getPrototypeOf(v) === Object.prototype ? "O" : "C") + "{" +
			Object.getOwnPropertyNames(v).map((k) => k + ":" + show(v[k], [...seen, v])).join() + "}";
		class Theme { constructor() { this.a = 1; this.list = [1] } get b() { return 5 } }
		const values = () => [{}, { a: 1 }, { a: { b: { c: { d: 1 } } } }, { a: null }, { a: undefined, z: 1 }, { a: [1, 2, [3]] }, { a: "s", b: () => 1 },
			{ toString: 1, hasOwnProperty: { x: 1 } }, JSON.parse('{"__proto__":{"p":1},"q":2}'), JSON.parse('{"__proto__":5}'), [], [1, { a: 2 }], [{ a: { k: 1 } }, { a: { l: 2 } }],
			new Theme(), { a: new Theme(), list: [2] }, { a: { b: null, c: [1] } }, null, undefined, 7, "text"];
		globalThis.seen = () => {
			const out = [];
			for (const depth of [undefined, 0, 1, 2, 3]) {
				for (let i = 0; i < values().length; i++) {
					for (let j = 0; j < values().length; j++) {
						const dst = values()[i], src = values()[j];
						let result;
						try { result = assignWithDepth(dst, src, depth === undefined ? undefined : { depth }) } catch (e) { result = e.name }
						out.push(show(result) + (result === dst) + show(src) + show({}.p) + (src && dst && src.a === dst.a));
					}
				}
			}
			return out;
		};`
	var seen [][]string
	for _, code := range []string{rule.Find, rule.Replace} {
		var out []string
		if err := json.Unmarshal(evaluate(t, fmt.Sprintf(around, code)+probe, "seen"), &out); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, out)
	}
	if diff := cmp.Diff(seen[0], seen[1]); diff != "" {
		t.Errorf("unpatched and patched differ:\n%s", diff)
	}
}

// evaluate gives what a function of code answers.
func evaluate(t *testing.T, code, function string) []byte {
	t.Helper()
	p, err := jsengine.Compile(jsengine.Source{Name: "probe.js", Code: code})
	if err != nil {
		t.Fatal(err)
	}
	r, err := jsengine.New(&jsengine.Options{Programs: []*jsengine.Program{p}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	answer, err := r.Call(t.Context(), function)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestConfigCopy runs getConfig as it is and as it is patched, with mermaid's own
// assignWithDepth, and compares what callers can see.
func TestConfigCopy(t *testing.T) {
	rule := ruleNamed(t, "config-copy")
	dist := filepath.Join(installed(t), "node_modules", "mermaid", "dist")
	files, err := readFiles(filepath.Join(dist, "chunks", "mermaid.esm", "*.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	var assign string
	for _, text := range files {
		if _, rest, ok := strings.Cut(text, "\nvar assignWithDepth = "); ok {
			body, _, _ := strings.Cut(rest, "\nvar assignWithDepth_default")
			assign = "var assignWithDepth = " + body
		}
	}
	if assign == "" {
		t.Fatal("assignWithDepth is not where it was")
	}
	const probe = `
		class Theme { constructor() { this.primary = "#fff"; this.list = [1, 2, 2, NaN, NaN]; this.none = null; this.undef = undefined; this.f = () => 1 } method() {} }
		currentConfig = assignWithDepth_default({}, {
			a: 1, s: "x", undef: undefined, none: null, list: ["b", "a", "a", { deep: 1 }], date: new Date(0), fn() {},
			flow: { width: 5, none: null, deep: { x: 1, none: null, deeper: { y: 1 } }, list: [3, 3, { z: 1 }], empty: {} },
		});
		currentConfig.themeVariables = new Theme();
		const show = (v, depth = 0) => v === null || typeof v !== "object" ? String(v) + typeof v
			: (Array.isArray(v) ? "[" : Object.getPrototypeOf(v) === Object.prototype ? "{" : "?") + Object.keys(v).map((k) => k + ":" + show(v[k], depth + 1)).join();
		globalThis.seen = () => {
			const out = [];
			const one = getConfig(), other = getConfig();
			out.push(one !== other, one.flow === one.flow, one.flow !== other.flow, one.flow.deep !== other.flow.deep, one.list !== other.list);
			out.push(one.flow.deep.deeper === other.flow.deep.deeper, one.list[3] === other.list[3]); // both share what lies deeper
			out.push("a" in one, "nothing" in one, Object.hasOwn(one, "flow"), JSON.stringify(one), show(one), show({ ...one }), show(Object.assign({}, one)));
			one.a = 2; one.flow.width = 6; one.flow.deep.x = 7; one.list.push("c"); delete one.s; // the theme is one copy for all, see the rule
			const mine = { own: 1 };
			one.flow2 = mine; one.date = mine;
			out.push(one.flow2 === mine, one.date === mine, show(one), show(other), show(getConfig()));
			currentConfig = assignWithDepth_default({}, { flow: { width: 9 } });
			out.push(show(other), show(getConfig()), show(assignWithDepth_default(getConfig(), { flow: { height: 1 }, n: 2 })), show(getConfig()));
			return out;
		};`
	var seen []string
	for _, code := range []string{rule.Find, rule.Replace} {
		code = "var __name = (f) => f, currentConfig;\n" + assign + "\nvar assignWithDepth_default = assignWithDepth;\n" + code + probe
		seen = append(seen, string(evaluate(t, code, "seen")))
	}
	if diff := cmp.Diff(seen[0], seen[1]); diff != "" {
		t.Errorf("unpatched and patched differ:\n%s\n%s", seen[0], seen[1])
	}
	if !strings.HasPrefix(seen[0], "[true,true,true,true,true,true,true,true,false,true,") {
		t.Errorf("the probe sees nothing: %s", seen[0])
	}
}

func ruleNamed(t *testing.T, name string) Rule {
	t.Helper()
	for _, r := range MermaidRules {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no rule %q", name)
	return Rule{}
}

func TestRulesAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range MermaidRules {
		if r.Name == "" || r.Why == "" || r.Count < 1 || seen[r.Name] {
			t.Errorf("rule %q: needs a name of its own, a reason and a count", r.Name)
		}
		seen[r.Name] = true
		if r.Unwrap == "" && strings.Contains(r.Replace, r.Find) {
			t.Errorf("rule %s would match its own result", r.Name)
		}
		// Each fails when upstream changes a character.
		changed := strings.Replace(r.Find, "(", "( ", 1)
		if _, err := Apply(map[string]string{r.File: changed}, []Rule{r}); err == nil {
			t.Errorf("rule %s applies to other code", r.Name)
		}
	}
}

// installed skips where npm ci has not run.
func installed(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "mermaid")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED: npm packages are not installed: go generate ./engines")
	}
	return dir
}

// TestRulesApply: every rule finds its place in what is pinned.
func TestRulesApply(t *testing.T) {
	dist := filepath.Join(installed(t), "node_modules", "mermaid", "dist")
	files, err := readFiles(filepath.Join(dist, "mermaid.esm.mjs"), filepath.Join(dist, "chunks", "mermaid.esm", "*.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range MermaidRules {
		if _, err := Apply(files, []Rule{r}); err != nil {
			t.Error(err)
		}
	}
}

func TestCheckLock(t *testing.T) {
	if err := CheckLock(filepath.Join("..", "..", "package-lock.json")); err != nil {
		t.Error(err)
	}
	for name, lock := range map[string]string{
		"no hash":     `{"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}`,
		"weak hash":   `{"packages":{"node_modules/a":{"integrity":"sha1-x"}}}`,
		"names hosts": `{"packages":{"node_modules/a":{"integrity":"sha512-x","resolved":"https://example.org/a.tgz"}}}`,
		"no JSON":     `{`,
	} {
		file := filepath.Join(t.TempDir(), "package-lock.json")
		if err := os.WriteFile(file, []byte(lock), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := CheckLock(file); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestVersion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "package.json", `{"dependencies":{"a":"1.0.0"}}`)
	if _, err := Version(dir, "a"); err == nil || !strings.Contains(err.Error(), "npm ci") {
		t.Errorf("got %v", err)
	}
	write(t, dir, "node_modules/a/package.json", `{"name":"a","version":"1.0.1"}`)
	if _, err := Version(dir, "a"); err == nil || !strings.Contains(err.Error(), "1.0.1") {
		t.Errorf("got %v", err)
	}
	write(t, dir, "node_modules/a/package.json", `{"name":"a","version":"1.0.0"}`)
	if v, err := Version(dir, "a"); err != nil || v != "1.0.0" {
		t.Errorf("got %q, %v", v, err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestNotices(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a/package.json", `{"name":"a","version":"1.0.0","license":"MIT","repository":{"url":"https://example.org/a"}}`)
	write(t, dir, "a/LICENSE", "Text of a")
	write(t, dir, "a/license-update.mjs", "no licence")
	write(t, dir, "a/NOTICE", "Notice of a")
	write(t, dir, "@s/b/package.json", `{"name":"@s/b","version":"2.0.0","license":"ISC"}`)
	write(t, dir, "@s/b/README.md", "# b\n\n## License\n"+strings.Repeat("words of b ", 30))
	write(t, dir, "c/package.json", `{"name":"c","version":"3.0.0","license":"MIT"}`)
	got, err := Notices(dir, []string{"a", "@s/b", "a"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a 1.0.0\nLicence: MIT\nSource: https://example.org/a\n\nText of a\n\nNotice of a", "words of b"} {
		if strings.Count(got, want) == 0 {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "no licence") || strings.Count(got, "Text of a") != 1 {
		t.Error(got)
	}
	if _, err := Notices(dir, []string{"c"}); err == nil {
		t.Error("a package without a licence passed")
	}
}

func TestEmbedded(t *testing.T) {
	got := Embedded(map[string]string{"x": `
// ../../node_modules/.pnpm/khroma@2.1.0/node_modules/khroma/dist/index.js
  // ../../node_modules/.pnpm/@s+b@1_patch_hash=1/node_modules/@s/b/x.js
// src/config.ts
`})
	if diff := cmp.Diff([]string{"@s/b", "khroma"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCast(t *testing.T) {
	modules := map[string]*Module{
		"chunk-A": {exports: map[string]bool{"x": true, "y": true}},
		"chunk-B": {exports: map[string]bool{"y": true}},
	}
	got, err := cast(modules, map[string][]string{"first": {"x", "y"}})
	if diff := cmp.Diff(map[string]string{"first": "chunk-A"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, exports := range [][]string{{"y"}, {"z"}} {
		if _, err := cast(modules, map[string][]string{"second": exports}); err == nil {
			t.Errorf("%v: found a module", exports)
		}
	}
}
