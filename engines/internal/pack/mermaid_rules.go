package pack

// MermaidRules are the patches to mermaid's build, by name. "go run ./cmd/assets
// -without NAME" builds without one, to compare.
var MermaidRules = []Rule{
	{
		Name: "regexp-statics",
		Why:  "QuickJS has no RegExp.$1; path-data-parser reads paths with it",
		File: "chunk-*.mjs",
		Find: `for (; "" !== t3; ) if (t3.match(/^([ \t\r\n,]+)/)) t3 = t3.substr(RegExp.$1.length);
    else if (t3.match(/^([aAcChHlLmMqQsStTvVzZ])/)) e3[e3.length] = { type: f, text: RegExp.$1 }, t3 = t3.substr(RegExp.$1.length);
    else {
      if (!t3.match(/^(([-+]?[0-9]+(\.[0-9]*)?|[-+]?\.[0-9]+)([eE][-+]?[0-9]+)?)/)) return [];
      e3[e3.length] = { type: d, text: ` + "`${parseFloat(RegExp.$1)}`" + ` }, t3 = t3.substr(RegExp.$1.length);
    }`,
		Replace: `for (let m3; "" !== t3; ) if (m3 = /^([ \t\r\n,]+)/.exec(t3)) t3 = t3.substr(m3[1].length);
    else if (m3 = /^([aAcChHlLmMqQsStTvVzZ])/.exec(t3)) e3[e3.length] = { type: f, text: m3[1] }, t3 = t3.substr(m3[1].length);
    else {
      if (!(m3 = /^(([-+]?[0-9]+(\.[0-9]*)?|[-+]?\.[0-9]+)([eE][-+]?[0-9]+)?)/.exec(t3))) return [];
      e3[e3.length] = { type: d, text: ` + "`${parseFloat(m3[1])}`" + ` }, t3 = t3.substr(m3[1].length);
    }`,
		Count: 1,
	},
	{
		Name: "config-copy",
		Why:  "getConfig() copies the whole configuration, and drawing calls it for every node",
		File: "chunk-*.mjs",
		Find: `var getConfig = /* @__PURE__ */ __name(() => {
  return assignWithDepth_default({}, currentConfig);
}, "getConfig");`,
		// Callers change what they get (er, kanban, mindmap, c4, journey), so
		// it stays a copy: each section is copied when it is first read, as
		// assignWithDepth would have. Nobody changes the theme, which is the
		// largest and asked for by every node: it is copied once.
		Replace: `var copySection = (value, depth) => {
  if (Array.isArray(value)) return [...new Set(value)];
  const copy = { ...value };
  if (depth > 0) {
    for (const key in copy) {
      const inner = copy[key];
      if (inner === null) delete copy[key];
      else if (typeof inner === "object") copy[key] = copySection(inner, depth - 1);
    }
  }
  return copy;
};
var lazySource, lazyTheme, lazyHandler;
var getConfig = /* @__PURE__ */ __name(() => {
  const source = currentConfig;
  if (lazySource !== source) {
    lazySource = source;
    lazyTheme = void 0;
    lazyHandler = {
      get(target, key) {
        const value = target[key];
        if (typeof value !== "object" || value === null || value !== source[key]) return value;
        if (key !== "themeVariables") return target[key] = copySection(value, 1);
        return target[key] = lazyTheme ??= copySection(value, 1);
      }
    };
  }
  return new Proxy({ ...source }, lazyHandler);
}, "getConfig");`,
		Count: 1,
	},
	{
		Name: "config-assign",
		Why:  "assignWithDepth copies the configuration a dozen times a picture, by a closure and a property descriptor for every member",
		File: "chunk-*.mjs",
		Find: `    const dstWithKeys = dst;
    Object.entries(src).forEach(([key, srcValue]) => {
      if (typeof srcValue === "object") {
        if (srcValue === null) {
          return;
        }
        if (!Object.hasOwn(dst, key)) {
          Object.defineProperty(dst, key, {
            value: void 0,
            writable: true,
            enumerable: true,
            configurable: true
          });
        }
        if (dstWithKeys[key] === void 0) {
          dstWithKeys[key] = Array.isArray(srcValue) ? [] : {};
        }
        if (typeof dstWithKeys[key] === "object") {
          dstWithKeys[key] = assignWithDepth(dstWithKeys[key], srcValue, { depth: depth - 1 });
        }
      } else if (typeof dstWithKeys[key] !== "object") {
        if (Object.hasOwn(dst, key)) {
          dstWithKeys[key] = srcValue;
        } else {
          Object.defineProperty(dst, key, {
            value: srcValue,
            writable: true,
            enumerable: true,
            configurable: true
          });
        }
      }
    });`,
		// Defining and setting differ for what the prototype has, which is
		// where the name is in dst without being its own.
		Replace: `    const deeper = { depth: depth - 1 };
    for (const key of Object.keys(src)) {
      const srcValue = src[key];
      if (srcValue === null) continue;
      const nested = typeof srcValue === "object";
      if (key in dst && !Object.hasOwn(dst, key) && (nested || typeof dst[key] !== "object")) {
        Object.defineProperty(dst, key, { value: nested ? void 0 : srcValue, writable: true, enumerable: true, configurable: true });
      }
      const dstValue = dst[key];
      if (nested) {
        if (dstValue === void 0) {
          dst[key] = assignWithDepth(Array.isArray(srcValue) ? [] : {}, srcValue, deeper);
        } else if (typeof dstValue === "object") {
          dst[key] = assignWithDepth(dstValue, srcValue, deeper);
        }
      } else if (typeof dstValue !== "object") {
        dst[key] = srcValue;
      }
    }`,
		Count: 1,
	},
	{
		Name: "lexer-sticky",
		Why:  "QuickJS looks for /^…/ at every place of the input; sticky patterns look at the first, and exec is nearer than String.match. Of eight rules at a time one pattern says whether any of them matches",
		File: "*.mjs",
		Find: `        for (var i = 0; i < rules.length; i++) {
          tempMatch = this._input.match(this.rules[rules[i]]);`,
		Replace: `        const all = this.rules, sticky = (list) => list.every((r) => r.source.startsWith("^(?:") && r.flags === list[0].flags && !/\\[1-9k]/.test(r.source)) ? new RegExp(list.map((r) => r.source).join("|"), list[0].flags + "y") : void 0;
        all.sticky ??= all.map((r) => sticky([r]) ?? r);
        rules.eights ??= Array.from({ length: Math.ceil(rules.length / 8) }, (_, n) => sticky(rules.slice(8 * n, 8 * n + 8).map((r) => all[r])));
        for (var i = 0; i < rules.length; i++) {
          if (i % 8 === 0) {
            for (let any; any = rules.eights[i / 8]; i += 8) {
              any.lastIndex = 0;
              if (any.test(this._input)) break;
            }
            if (i >= rules.length) break;
          }
          tempMatch = all.sticky[rules[i]];
          tempMatch.lastIndex = 0;
          tempMatch = tempMatch.exec(this._input);`,
		Count: 19,
	},
	{
		Name:    "lexer-lines",
		Why:     "every token is looked through for line ends, by a global match",
		File:    "*.mjs",
		Find:    `lines = match[0].match(/(?:\r\n?|\n).*/g);`,
		Replace: `lines = /[\r\n]/.test(match[0]) ? match[0].match(/(?:\r\n?|\n).*/g) : null;`,
		Count:   19,
	},
	{
		Name: "final-sanitise",
		Why:  "what is drawn goes through the scrubber in Go, which has a list of its own and trusts nothing; DOMPurify's last look is a third of a small picture's time",
		File: "mermaid.esm.mjs",
		Find: `code2 = purify_default.sanitize(code2, {
        ADD_TAGS: DOMPURIFY_TAGS,
        ADD_ATTR: DOMPURIFY_ATTR,
        HTML_INTEGRATION_POINTS: { foreignobject: true }
      });`,
		Replace: ``,
		Count:   1,
	},
	{
		Name:    "label-script",
		Why:     "DOMPurify reads its settings anew for every label, before it finds that there is no markup in it",
		File:    "chunk-*.mjs",
		Find:    `  const sanitizedText = purify_default.sanitize(txt);`,
		Replace: `  const sanitizedText = isPlain(txt) ? txt : purify_default.sanitize(txt);`,
		Count:   1,
	},
	{
		Name: "label-markup",
		Why:  "as label-script",
		File: "chunk-*.mjs",
		Find: `    text2 = purify_default.sanitize(sanitizeMore(text2, config2), {
      FORBID_TAGS: ["style"]
    }).toString();
  }
  return text2;
}, "sanitizeText");`,
		Replace: `    text2 = sanitizeMore(text2, config2);
    if (!isPlain(text2)) text2 = purify_default.sanitize(text2, {
      FORBID_TAGS: ["style"]
    }).toString();
  }
  return text2;
}, "sanitizeText");
var isPlain = (text2) => typeof text2 === "string" && text2 !== "" && !text2.includes("<");`,
		Count: 1,
	},
	{
		Name: "config-plain",
		Why:  "the configuration of a picture without directives is put together four times, and is the same each time",
		File: "chunk-*.mjs",
		Find: `var updateCurrentConfig = /* @__PURE__ */ __name((siteCfg, _directives) => {
  let cfg = assignWithDepth_default({}, siteCfg);
  let sumOfDirectives = {};
  for (const d of _directives) {
    sanitize(d);
    sumOfDirectives = assignWithDepth_default(sumOfDirectives, d);
  }`,
		// currentConfig is only ever replaced, and handed out as a copy.
		Replace: `var plainConfigs = /* @__PURE__ */ new Map(), plainSite;
var saysNothing = (directive) => Object.keys(directive).length === 0;
var updateCurrentConfig = /* @__PURE__ */ __name((siteCfg, _directives) => {
  for (const d of _directives) sanitize(d);
  const isPlain = siteCfg === siteConfig && _directives.every(saysNothing) && directives.every(saysNothing);
  if (isPlain) {
    if (plainSite !== siteCfg) {
      plainSite = siteCfg;
      plainConfigs.clear();
    }
    const known = plainConfigs.get(diagramConfigKey);
    if (known !== void 0) return currentConfig = known;
  }
  const cfg = combineConfig(siteCfg, _directives);
  if (isPlain) plainConfigs.set(diagramConfigKey, cfg);
  return cfg;
}, "updateCurrentConfig");
var combineConfig = /* @__PURE__ */ __name((siteCfg, _directives) => {
  let cfg = assignWithDepth_default({}, siteCfg);
  let sumOfDirectives = {};
  for (const d of _directives) {
    sumOfDirectives = assignWithDepth_default(sumOfDirectives, d);
  }`,
		Count: 1,
	},
	{
		Name: "config-plain-forget",
		Why:  "updateSiteConfig changes the configuration in place",
		File: "chunk-*.mjs",
		Find: `  siteConfig = assignWithDepth_default(siteConfig, conf);
  siteConfigDelta = assignWithDepth_default(siteConfigDelta, conf);`,
		Replace: `  siteConfig = assignWithDepth_default(siteConfig, conf);
  plainSite = void 0;
  siteConfigDelta = assignWithDepth_default(siteConfigDelta, conf);`,
		Count: 1,
	},
	{
		Name: "styles-memo",
		Why:  "a type's style sheet is compiled for every picture, and differs from the last by what the diagram's classes add at its end",
		File: "mermaid.esm.mjs",
		Find: `  return compileCSS(svgId, allStyles);
}, "createUserStyles");`,
		// What is added consists of whole rules, so that compiling the two
		// parts is compiling the whole.
		Replace: `  const added = userCSSstyles + "\n";
  if (!allStyles.endsWith(added)) return compileCSS(svgId, allStyles);
  const own = allStyles.slice(0, allStyles.length - added.length), key = svgId + own;
  let compiled = compiledStyles.get(key);
  if (compiled === void 0) compiledStyles.set(key, compiled = compileCSS(svgId, own));
  return compiled + compileCSS(svgId, added);
}, "createUserStyles");
var compiledStyles = /* @__PURE__ */ new Map();`,
		Count: 1,
	},
	{
		Name: "d3-names",
		Why:  "every name of an attribute or an element is looked through for a namespace, each time",
		File: "chunk-*.mjs",
		Find: `function namespace_default(name) {
  var prefix = name += "", i = prefix.indexOf(":");
  if (i >= 0 && (prefix = name.slice(0, i)) !== "xmlns") name = name.slice(i + 1);
  return namespaces_default.hasOwnProperty(prefix) ? { space: namespaces_default[prefix], local: name } : name;
}`,
		Replace: `var plainNames = /* @__PURE__ */ new Set();
function namespace_default(name) {
  if (plainNames.has(name)) return name;
  var prefix = name += "", i = prefix.indexOf(":");
  if (i >= 0 && (prefix = name.slice(0, i)) !== "xmlns") name = name.slice(i + 1);
  if (namespaces_default.hasOwnProperty(prefix)) return { space: namespaces_default[prefix], local: name };
  if (i < 0 && plainNames.size < 1e3) plainNames.add(name);
  return name;
}`,
		Count: 1,
	},
	{
		Name: "d3-attr",
		Why:  "setting an attribute takes four calls and a closure",
		File: "chunk-*.mjs",
		Find: `    return fullname.local ? node.getAttributeNS(fullname.space, fullname.local) : node.getAttribute(fullname);
  }
  return this.each(`,
		Replace: `    return fullname.local ? node.getAttributeNS(fullname.space, fullname.local) : node.getAttribute(fullname);
  }
  if (typeof fullname === "string" && (typeof value === "string" || typeof value === "number")) {
    for (var groups = this._groups, j = 0, m = groups.length; j < m; ++j) {
      for (var group = groups[j], i = 0, n = group.length; i < n; ++i) {
        if (node = group[i]) node.setAttribute(fullname, value);
      }
    }
    return this;
  }
  return this.each(`,
		Count: 1,
	},
	{
		Name: "d3-append",
		Why:  "an object of arguments is made, which are three",
		File: "chunk-*.mjs",
		Find: `return this.select(function() {
    return this.appendChild(create2.apply(this, arguments));`,
		Replace: `return this.select(function(d, i, group) {
    return this.appendChild(create2.call(this, d, i, group));`,
		Count: 1,
	},
	{
		Name: "gantt-excluded-days",
		Why:  "every day of every task is written out in three formats to be looked for in lists that are mostly empty",
		File: "ganttDiagram-*.mjs",
		Find: `  const formattedDate = date.format(dateFormat2.trim());
  const dateOnly = date.format("YYYY-MM-DD");
  if (includes2.includes(formattedDate) || includes2.includes(dateOnly)) {
    return false;
  }`,
		Replace: `  if (includes2.length === 0 && excludes2.length === 0) return false;
  if (includes2.length > 0 && (includes2.includes(date.format(dateFormat2.trim())) || includes2.includes(date.format("YYYY-MM-DD")))) {
    return false;
  }`,
		Count: 1,
	},
	{
		Name: "gantt-excluded-dates",
		Why:  "as gantt-excluded-days; weekends are the usual list",
		File: "ganttDiagram-*.mjs",
		Find: `  if (excludes2.includes(date.format("dddd").toLowerCase())) {
    return true;
  }
  return excludes2.includes(formattedDate) || excludes2.includes(dateOnly);`,
		Replace: `  if (excludes2.length === 1 && excludes2[0] === "weekends") return false;
  if (excludes2.includes(date.format("dddd").toLowerCase())) {
    return true;
  }
  return excludes2.includes(date.format(dateFormat2.trim())) || excludes2.includes(date.format("YYYY-MM-DD"));`,
		Count: 1,
	},
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
		Name: "edge-crossings",
		Why:  "every piece of every edge is tried against all of all others, which are listed anew for it",
		File: "chunk-*.mjs",
		Find: `  for (let i = 0; i < edges.length; i++) {
    const edgeA = edges[i];
    const segmentsA = buildSegmentList(edgeA.points);
    for (let j = i + 1; j < edges.length; j++) {
      const edgeB = edges[j];
      const segmentsB = buildSegmentList(edgeB.points);
      for (const [si, segA] of segmentsA.entries()) {
        for (const [sj, segB] of segmentsB.entries()) {`,
		// What does not come near cannot cross; the pixel is for rounding.
		Replace: `  const around = (points) => {
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (const { x, y } of points) {
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
    return { x0, y0, x1, y1 };
  };
  const apart = (a, b) => a.x1 + 1 < b.x0 || b.x1 + 1 < a.x0 || a.y1 + 1 < b.y0 || b.y1 + 1 < a.y0;
  const lists = edges.map((edge) => buildSegmentList(edge.points)), boxes = edges.map((edge) => around(edge.points));
  for (const list of lists) for (const segment of list) segment.box = around([segment.a, segment.b]);
  for (let i = 0; i < edges.length; i++) {
    const edgeA = edges[i];
    const segmentsA = lists[i];
    for (let j = i + 1; j < edges.length; j++) {
      if (apart(boxes[i], boxes[j])) continue;
      const edgeB = edges[j];
      const segmentsB = lists[j];
      for (const [si, segA] of segmentsA.entries()) {
        if (apart(segA.box, boxes[j])) continue;
        for (const [sj, segB] of segmentsB.entries()) {`,
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
	{
		Name: "sequence-counter",
		Why:  "actors are numbered for as long as a page lives; here every picture has a page of its own",
		File: "sequenceDiagram-*.mjs",
		Find: `  const { securityLevel, sequence, look, themeVariables } = getConfig2();
  conf = sequence;`,
		Replace: `  const { securityLevel, sequence, look, themeVariables } = getConfig2();
  actorCnt = -1;
  conf = sequence;`,
		Count: 1,
	},
	{
		Name: "class-counter",
		Why:  "as sequence-counter, for classes",
		File: "classDiagram-*.mjs",
		Find: `    this.classes = /* @__PURE__ */ new Map();
    this.notes = /* @__PURE__ */ new Map();
    this.interfaces = [];
    this.functions = [];
    this.functions.push`,
		Replace: `    this.classes = /* @__PURE__ */ new Map();
    classCounter = 0;
    this.notes = /* @__PURE__ */ new Map();
    this.interfaces = [];
    this.functions = [];
    this.functions.push`,
		Count: 1,
	},
	{
		Name:    "formula-source",
		Why:     "without MathML a message would stand in place of a formula; its source says more, and a warning the rest",
		File:    "chunk-*.mjs",
		Find:    `return text2.replace(katexRegex, "MathML is unsupported in this environment.");`,
		Replace: `return text2.replace(katexRegex, "$1");`,
		Count:   1,
	},
}

// MermaidForbidden must not be left in any file after the rules.
var MermaidForbidden = []string{"RegExp.$"}

// MermaidSettled are exports that are assigned twice, but only while their module
// runs; importers may copy them.
var MermaidSettled = []string{
	"format", "timeFormat", // set by d3's defaultLocale, which nothing calls again
}

// MermaidRoles are the modules that internal/diagram/mermaid reaches into, by what it
// takes from each.
var MermaidRoles = map[string][]string{
	"core":  {"addDirective", "detectors", "directiveRegex", "getDiagram", "matchFrontMatter", "setDiagramConfigScope", "themes_default", "updateSiteConfig"},
	"utils": {"encodeEntities"},
	"yaml":  {"load", "JSON_SCHEMA"},
}
