package pack

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseModule(t *testing.T) {
	m, err := ParseModule("chunks/x/a-1.mjs", `import {
  one,
  two as deux
} from "./b.mjs";
import "./c.mjs";

// src/a.ts
var three = one + 1;
var four = { default: async () => (await import("./d.mjs")).x };
var five = 1;
five = 2;
export {
  three,
  four as default,
  five
};
`)
	if err != nil {
		t.Fatal(err)
	}
	want := `(function ($$require, $$exports) {
"use strict";
var { one: one, two: deux } = $$require("b");
$$require("c");

// src/a.ts
var three = one + 1;
var four = { default: async () => (await $$require.later("d")).x };
var five = 1;
five = 2;


$$exports.three = three;
$$exports.default = four;
Object.defineProperty($$exports, "five", { get: () => five, enumerable: true });
})`
	if diff := cmp.Diff(want, m.Code); diff != "" {
		t.Error(diff)
	}
	if m.Name != "a-1" || !cmp.Equal(m.Imports, []string{"b", "c"}) || !cmp.Equal(m.Later, []string{"d"}) {
		t.Errorf("got %+v", m)
	}
}

func TestParseModuleRefuses(t *testing.T) {
	for _, text := range []string{
		"import x from \"./b.mjs\";", "import * as x from \"./b.mjs\";", "export default 1;", "export const a = 1;",
		"export * from \"./b.mjs\";", "x = import.meta.url;", "x = import(\"https://example.org/x.js\");",
		"import { \"a b\" as c } from \"./b.mjs\";", "x = import('./b.mjs');", "$$exports = 1",
	} {
		if _, err := ParseModule("a.mjs", text); err == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

func TestAssignments(t *testing.T) {
	for text, want := range map[string]int{
		"var x = 1;": 0, "let x=1": 0, "const y = 1, x = 2": 0, "class x {}": 0, "function x() {}": 0, "x == 1; x === 2; x != 3; x !== 4": 0,
		"x => 1": 0, "a.x = 1": 0, "x <= 1; x >= 1": 0, "xx = 1; $x = 2": 0, "x[0] = 1; x.y = 2": 0,
		"var x = 1; x = 2": 1, "x += 1": 1, "x ||= 1": 1, "x >>>= 1": 1, "x++": 1, "--x": 1, "x ??= 1": 1, "a = x = 1": 1, "x **= 2": 1,
	} {
		if got := assignments(text)["x"]; got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestLink(t *testing.T) {
	link := func(files map[string]string) error {
		modules := map[string]*Module{}
		for name, text := range files {
			m, err := ParseModule(name+".mjs", text)
			if err != nil {
				t.Fatal(err)
			}
			modules[name] = m
		}
		return Link(modules, []string{"settled"})
	}
	const x = "var x = 1;\nexport {\n  x\n};\n"
	if err := link(map[string]string{
		"a": "import {\n  x\n} from \"./b.mjs\";\nimport {\n  settled\n} from \"./c.mjs\";\n", "b": x + "import(\"./a.mjs\")",
		"c": "var settled;\nsettled = 1;\nexport {\n  settled\n};\n",
	}); err != nil {
		t.Error(err)
	}
	for want, files := range map[string]map[string]string{
		"not there":       {"a": "import \"./b.mjs\";\n"},
		"is not there":    {"a": "import(\"./b.mjs\")"},
		"does not export": {"a": "import {\n  y\n} from \"./b.mjs\";\n", "b": x},
		"more than once":  {"a": "import {\n  x\n} from \"./b.mjs\";\n", "b": "x = 2;\n" + x},
		"each other":      {"a": "import \"./b.mjs\";\n", "b": "import \"./c.mjs\";\n", "c": "import \"./b.mjs\";\n"},
	} {
		if err := link(files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}
