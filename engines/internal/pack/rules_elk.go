package pack

// elkRules patch ELK, the layout engine, as compiled from Java by GWT. Its names mean
// nothing and change with each release; what they stand for is in the reasons.
var elkRules = []Rule{
	{
		Name: "elk-string-hash",
		Why:  "ELK's maps hash the names of its options, character by character, at every look-up",
		File: "elk-*.mjs",
		Find: `              var b, c;
              b = 0;
              for (c = 0; c < a.length; c++) {
                b = (b << 5) - b + (UDb(c, a.length), a.charCodeAt(c)) | 0;
              }
              return b;`,
		Replace: `              var b, c;
              b = ygb.known.get(a);
              if (b !== void 0) return b;
              b = 0;
              for (c = 0; c < a.length; c++) {
                b = (b << 5) - b + a.charCodeAt(c) | 0;
              }
              ygb.known.size < 1e4 && ygb.known.set(a, b);
              return b;`,
		Count: 1,
	},
	{
		Name:    "elk-string-hash-table",
		Why:     "as elk-string-hash",
		File:    "elk-*.mjs",
		Find:    `            __name(ygb, "ygb");`,
		Replace: `            ygb.known = /* @__PURE__ */ new Map();`,
		Count:   1,
	},
	{
		Name:    "elk-casts-are",
		Why:     "says what elk-casts unwraps",
		File:    "elk-*.mjs",
		Find:    "function JD(a, b) {\n              VDb(a == null || ID(a, b));\n              return a;",
		Replace: "function JD(a) {\n              return a;",
		Count:   1,
	},
	{
		Name:   "elk-casts",
		Why:    "every second call in ELK is a checked cast, of objects that were checked when it was compiled from Java",
		File:   "elk-*.mjs",
		Unwrap: "JD",
		Count:  6564,
	},
	{
		Name: "elk-stores",
		Why:  "as elk-casts, for what is stored in arrays",
		File: "elk-*.mjs",
		Find: `              IDb(c == null || NC(a, c));
              return a[b] = c;`,
		Replace: `              return a[b] = c;`,
		Count:   1,
	},
	{
		Name: "elk-instances",
		Why:  "objects know their types; only strings and the like have to be asked what they are",
		File: "elk-*.mjs",
		Find: `              return a != null && ID(a, b);`,
		Replace: `              if (a == null) return false;
              const types = a.Qm;
              return types !== void 0 ? !!types[b] : ID(a, b);`,
		Count: 1,
	},
	{
		Name:    "elk-same",
		Why:     "what is the same need not be asked whether it is null",
		File:    "elk-*.mjs",
		Find:    `return XD(a) === XD(b) || a != null && pb(a, b);`,
		Replace: `return a === b || (a == null ? b == null : pb(a, b));`,
		Count:   3,
	},
	{
		Name: "elk-arrays",
		Why:  "an empty list has an array, and each is made and told its types by four calls",
		File: "elk-*.mjs",
		Find: `              g10 = TC(e, d);
              e != 10 && WC(OC(a, f), b, c, e, g10);
              return g10;`,
		Replace: `              g10 = e >= 14 && e <= 16 ? TC(e, d) : d === 0 ? [] : new Array(d);
              if (e != 10) {
                const types = a.a;
                g10.Pm = types && types[f] || OC(a, f);
                g10.Qm = b;
                g10.Rm = udb;
                g10.__elementTypeId$ = c;
                g10.__elementTypeCategory$ = e;
              }
              return g10;`,
		Count: 1,
	},
	{
		Name: "elk-array-fill",
		Why:  "numbers and booleans are filled in one by one",
		File: "elk-*.mjs",
		Find: `              for (var e = 0; e < b; ++e) {
                c[e] = d;
              }
              return c;
            }
            __name(TC, "TC");`,
		Replace: `              return c.fill(d);
            }`,
		Count: 1,
	},
	{
		Name: "elk-hash",
		Why:  "most keys of maps are objects of ELK's own, and five functions are called to find that out",
		File: "elk-*.mjs",
		Find: `              return VD(a) ? ygb(a) : TD(a) ?`,
		// Arrays have no Hb, and strings no Rm.
		Replace: `              if (typeof a === "string") return ygb(a);
              if (a.Rm === udb && a.Hb !== void 0) return a.Hb();
              return TD(a) ?`,
		Count: 1,
	},
	{
		Name: "elk-equals",
		Why:  "as elk-hash",
		File: "elk-*.mjs",
		Find: `              return VD(a) ? vgb(a, b) : TD(a) ?`,
		Replace: `              if (typeof a === "string") return vgb(a, b);
              if (a.Rm === udb && a.Fb !== void 0) return a.Fb(b);
              return TD(a) ?`,
		Count: 1,
	},
	{
		Name: "elk-look-up",
		Why:  "a map that does not find a key looks through an empty array, made for it with its type and all",
		File: "elk-*.mjs",
		Find: `              return wsb(a, b, xsb(a, a.b.Ae(b)));`,
		Replace: `              const map = a.b, list = a.a.get(map.Ae(b));
              if (list == null) return null;
              for (let i = 0, n = list.length; i < n; ++i) {
                const entry = list[i];
                if (map.ze(b, entry.d)) return entry;
              }
              return null;`,
		Count: 1,
	},
	{
		Name:    "elk-store-entry",
		Why:     "as elk-look-up",
		File:    "elk-*.mjs",
		Find:    `VC(e, e.length, new Hkb(b, c));`,
		Replace: `e[e.length] = new Hkb(b, c);`,
		Count:   1,
	},
	{
		Name: "elk-get",
		Why:  "as elk-hash: what a node's options are is asked of maps, by the ten thousand",
		File: "elk-*.mjs",
		Find: `              return VD(b) ? fjb(a, b) : Wd(ysb(a.f, b));`,
		Replace: `              if (typeof b === "string") return fjb(a, b);
              const entry = ysb(a.f, b);
              return entry ? entry.kd() : null;`,
		Count: 1,
	},
	{
		Name: "elk-key",
		Why:  "as elk-hash",
		File: "elk-*.mjs",
		Find: `              if (a == null) {
                return 0;
              }
              b = tb(a);
              return b | 0;`,
		Replace: `              if (a == null) return 0;
              if (typeof a === "object" && a.Rm === udb && a.Hb !== void 0) return a.Hb() | 0;
              b = tb(a);
              return b | 0;`,
		Count: 1,
	},
	{
		Name: "elk-options",
		Why:  "for an option that is written short, ELK looks through all it knows, twice, at every node, and forgets those it does not find",
		File: "elk-*.mjs",
		Find: `            __name(sdd, "sdd");`,
		// Options are registered before layouts; were one to come later, the
		// count of them says so.
		Replace: `            const sddLook = sdd;
            sdd = (a, b) => {
              const count = a.d.gc();
              if (a.looked === void 0 || a.looked.count !== count) {
                a.looked = /* @__PURE__ */ new Map();
                a.looked.count = count;
              }
              let option = a.looked.get(b);
              if (option === void 0) a.looked.set(b, option = sddLook(a, b));
              return option;
            };`,
		Count: 1,
	},
	{
		Name:    "elk-config-sync",
		Why:     "ELK sets mermaid's configuration to a copy of itself, theme and all: it could have come as a module of its own, and does not here",
		File:    "elk-*.mjs",
		Find:    `  setConfig(elkContext.getConfig());`,
		Replace: ``,
		Count:   1,
	},
}
