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
		Replace: `for (let m3; "" !== t3; ) if (m3 = t3.match(/^([ \t\r\n,]+)/)) t3 = t3.substr(m3[1].length);
    else if (m3 = t3.match(/^([aAcChHlLmMqQsStTvVzZ])/)) e3[e3.length] = { type: f, text: m3[1] }, t3 = t3.substr(m3[1].length);
    else {
      if (!(m3 = t3.match(/^(([-+]?[0-9]+(\.[0-9]*)?|[-+]?\.[0-9]+)([eE][-+]?[0-9]+)?)/))) return [];
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
		// assignWithDepth would have.
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
var lazySource, lazyHandler;
var getConfig = /* @__PURE__ */ __name(() => {
  const source = currentConfig;
  if (lazySource !== source) {
    lazySource = source;
    lazyHandler = {
      get(target, key) {
        const value = target[key];
        if (typeof value !== "object" || value === null || value !== source[key]) return value;
        return target[key] = copySection(value, 1);
      }
    };
  }
  return new Proxy({ ...source }, lazyHandler);
}, "getConfig");`,
		Count: 1,
	},
}

// MermaidForbidden must not be left in any file after the rules.
var MermaidForbidden = []string{"RegExp.$"}

// MermaidSettled are exports that are assigned twice, but only while their module
// runs; importers may copy them.
var MermaidSettled = []string{
	"format", "timeFormat", // set by d3's defaultLocale, which nothing calls again
}
