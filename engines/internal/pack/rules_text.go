package pack

// textRules patch the reading of diagrams and of their labels.
var textRules = []Rule{
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
		Name:    "formula-source",
		Why:     "without MathML a message would stand in place of a formula; its source says more, and a warning the rest",
		File:    "chunk-*.mjs",
		Find:    `return text2.replace(katexRegex, "MathML is unsupported in this environment.");`,
		Replace: `return text2.replace(katexRegex, "$1");`,
		Count:   1,
	},
}
