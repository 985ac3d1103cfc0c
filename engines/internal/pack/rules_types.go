package pack

// typeRules patch single types of diagrams.
var typeRules = []Rule{
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
}
