// The way in: webodar.run(job) is what Go calls for a job.
//
// mermaid's modules copy what they import when they run. So a module's exports can
// be wrapped before those that import it are loaded, and no patch of mermaid is
// needed to learn of its database, its lexer and its directives.
// Which modules those are is settled when the bundle is made (engines/internal/pack).
const roles = JSON.parse(take("__mermaid_roles")());
const core = requireChunk(roles.core);
const utils = requireChunk(roles.utils);
const yaml = requireChunk(roles.yaml);

// What a job leaves here for whoever reports on it.
const nothingSeen = () => ({
  job: undefined,
  diagram: undefined, // { type, db }, once mermaid has chosen
  parsed: false,
  lexer: undefined, // Jison's, of the latest parse
  input: undefined, // what it was given
  model: undefined,
  remarks: [],
  notes: [], // warnings
  odd: [], // settings, see oddSettings
});
let seen = nothingSeen();

const getDiagram = core.getDiagram;
core.getDiagram = (type) => {
  const known = getDiagram(type);
  watchLexer(known.parser?.parser?.lexer ?? known.parser?.lexer);
  // db is a getter for most types, and gives a new one each time.
  let diagram = { db: known.db, parser: known.parser, renderer: known.renderer, init: known.init };
  seen.diagram = { type, db: diagram.db };
  const { direction, today } = seen.job.ours;
  if (direction && diagram.db.setDirection && /^flowchart/.test(type)) diagram = withDirection(diagram, direction, seen.notes);
  if (type === "gantt") {
    // Tasks are computed anew each time they are asked for.
    let tasks;
    const { getTasks } = diagram.db;
    diagram.db = { ...diagram.db, getTasks: () => (tasks ??= getTasks()) };
    seen.diagram.db = diagram.db;
    diagram = withToday(diagram, today, seen.notes);
  }
  return drawing(diagram);
};

const watched = new WeakSet();
const watchLexer = (lexer) => {
  if (!lexer?.setInput || watched.has(lexer)) return;
  watched.add(lexer);
  const setInput = lexer.setInput;
  lexer.setInput = function (input, yy) {
    seen.lexer = this;
    seen.input = input;
    return setInput.call(this, input, yy);
  };
};

// drawing notes when parsing is over, and leaves no HTML in what was drawn.
const drawing = (diagram) => ({
  ...diagram,
  renderer: Object.create(diagram.renderer, {
    draw: {
      value: async (...args) => {
        seen.parsed = true;
        const again = computeOnce(diagram);
        keepModel(); // drawing writes into some databases
        const result = await diagram.renderer.draw(...args);
        again();
        const svg = document.getElementById(seen.job.id);
        textForHTML(svg);
        if (seen.diagram.type === "journey") journeyLabels(svg);
        return result;
      },
    },
  }),
});

const addDirective = core.addDirective;
core.addDirective = (directive) => {
  guardDirective(directive, seen.notes);
  seen.odd.push(...oddSettings(directive, "the diagram's own configuration"));
  addDirective(directive);
};

const mermaid = requireChunk(roles.entry).default;

// What initialize was last given, as JSON: a job that wants the same is spared it.
let initialized;
const prepare = (config) => {
  mermaid.mermaidAPI.initialize(config);
  initialized = JSON.stringify(config);
};

const run = async (job) => {
  seen = nothingSeen();
  seen.job = job;
  try {
    if (JSON.stringify(job.config) !== initialized) mermaid.mermaidAPI.initialize(job.config);
  } catch (e) {
    if (e?.name === "InternalError") throw e;
    return { problem: { kind: "config", message: String(e?.message ?? e) }, warnings: [] };
  }
  seen.odd.push(...oddSettings(job.own, "config_json"));
  try {
    brokenDirectives(job.code, seen.notes);
    leftFence(job.code, seen.notes);
    const answer = job.draw ? await draw(job) : await check(job);
    return { ...answer, odd: seen.odd, warnings: [...seen.notes, ...seen.remarks] };
  } catch (e) {
    return { problem: await explain(e, job.code), warnings: seen.notes };
  }
};

const draw = async (job) => {
  const { svg } = await mermaid.mermaidAPI.render(job.id, job.code);
  seen.notes.push(...missing(job.code, svg));
  return { ...describe(), svg };
};

const check = async (job) => {
  await mermaid.mermaidAPI.parse(job.code);
  keepModel();
  return describe();
};

const keepModel = () => {
  const { type, db } = seen.diagram;
  if (seen.job.ast) seen.model = model(type, db);
  seen.remarks = remarks(seen.diagram);
};

// computeOnce has what a diagram's database computes anew at each call computed once, for
// the remarks and the drawing, until the function that it returns is called.
const COSTLY = { gantt: "getTasks" };
const computeOnce = ({ type, db }) => {
  const name = COSTLY[type];
  if (name === undefined) return () => {};
  const compute = db[name];
  let result;
  db[name] = () => (result ??= compute());
  return () => (db[name] = compute);
};

const describe = () => {
  const { type, db } = seen.diagram;
  return { type: publicType(type), title: titleOf(db), ast: seen.model };
};

const titleOf = (db) => {
  const title = db?.getDiagramTitle?.() || db?.getTitle?.() || db?.getAccTitle?.();
  return typeof title === "string" && title !== "" ? title : frontTitle(seen.job.code);
};

// frontTitle is the front matter's title: types that draw none do not keep it, and
// none does when a diagram is only checked. That the YAML is sound is known by then.
const frontTitle = (code) => {
  const front = core.matchFrontMatter(code.replace(/\r\n?/g, "\n"));
  if (!front) return "";
  const body = front.body.split("\n").map((line) => (line.startsWith(front.indent) ? line.slice(front.indent.length) : line));
  return text(yaml.load(body.join("\n"), { schema: yaml.JSON_SCHEMA })?.title);
};

Object.defineProperty(globalThis, "webodar", {
  value: Object.freeze({ prepare, run, about: () => ({ themes: Object.keys(core.themes_default), types: Object.keys(core.detectors).map(publicType) }) }),
});
