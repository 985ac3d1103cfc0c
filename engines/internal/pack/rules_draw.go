package pack

// drawRules patch what all pictures go through: settings, style sheets, d3, paths.
var drawRules = []Rule{
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
}
