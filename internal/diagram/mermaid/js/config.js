// The configuration that a diagram brings along, in directives and front matter, and
// the settings that are ours and not mermaid's.

const take = (name) => {
  const f = globalThis[name];
  delete globalThis[name];
  return f;
};
// refusals(json) gives [path, reason, name]... of what may not be set; guard.go.
const refusals = take("__mermaid_refusals");

// guardDirective deletes from a directive what a diagram may not set.
const guardDirective = (directive, notes) => {
  if (directive === null || typeof directive !== "object") return;
  for (const { path, reason } of JSON.parse(refusals(JSON.stringify(directive)))) {
    let holder = directive;
    for (const key of path.slice(0, -1)) holder = holder?.[key];
    const last = path[path.length - 1];
    if (holder !== null && typeof holder === "object" && Object.hasOwn(holder, last)) delete holder[last];
    const note = `the diagram's own configuration sets ${path.join(".")}, which was ignored: ${reason}`;
    if (!notes.includes(note)) notes.push(note);
  }
  // mermaid counts maxEdges among what a diagram may not set; here it may.
  if (Object.hasOwn(directive, "maxEdges")) {
    core.updateSiteConfig({ maxEdges: Number(directive.maxEdges) });
    delete directive.maxEdges;
  }
};

// oddSettings lists what of a configuration mermaid does not know or has another type
// for: it would take the one for nothing and the other for anything, without a word.
// Only two levels are looked at, and no settings that have no default. Go makes
// sentences of them (settings.go).
const oddSettings = (config, where) => {
  const odd = [];
  const look = (values, defaults, path) => {
    for (const [key, value] of Object.entries(values)) {
      const at = [...path, key], standard = defaults[key];
      if (!Object.hasOwn(defaults, key)) odd.push({ where, path: at, known: Object.keys(defaults) });
      else if (value === null || standard === null || standard === undefined) continue;
      else if (Array.isArray(value) !== Array.isArray(standard) || typeof value !== typeof standard) {
        odd.push({ where, path: at, value: JSON.stringify(value)?.slice(0, 60), want: Array.isArray(standard) ? "array" : typeof standard });
      } else if (typeof standard === "object" && !Array.isArray(standard) && path.length === 0 && key !== "themeVariables") look(value, standard, at);
    }
  };
  if (config !== null && typeof config === "object" && !Array.isArray(config)) look(config, mermaid.mermaidAPI.defaultConfig, []);
  return odd.slice(0, 20);
};

// leftFence warns of the end of a Markdown fence, which some types take for a node.
const leftFence = (code, notes) => {
  const m = /^[ \t]*(?:```|~~~)/m.exec(code);
  if (m) notes.push(`line ${place(code, m.index).line} is a Markdown fence, which is not part of the diagram; remove it`);
};

// brokenDirectives warns of directives that mermaid leaves out without a word.
const brokenDirectives = (code, notes) => {
  if (!code.includes("%%{")) return;
  for (const m of code.matchAll(/%%\{\s*init(?:ialize)?\s*:([\s\S]*?)\}%%/g)) {
    try {
      JSON.parse(m[1].trim().replace(/'/g, '"'));
    } catch {
      notes.push(`the directive on line ${place(code, m.index).line} was ignored: what stands in %%{init: … }%% is not valid JSON`);
    }
  }
};

// withDirection has a flowchart whose header names no direction take the caller's.
const headerDirection = /^\s*(?:graph|flowchart(?:-elk)?)[ \t]+(TB|TD|BT|RL|LR|>|<|\^|v)(?=[\s;]|$)/;
const withDirection = (diagram, direction, notes) => ({
  ...diagram,
  parser: Object.create(diagram.parser, {
    parse: {
      value: async (code) => {
        const result = await diagram.parser.parse(code);
        const named = headerDirection.exec(code);
        if (!named) diagram.db.setDirection(direction);
        else if (named[1].replace("TD", "TB") !== direction.replace("TD", "TB")) {
          notes.push(`flowchart.direction ${direction} was ignored: the diagram's header says ${named[1]}`);
        }
        return result;
      },
    },
  }),
});

// withToday draws gantt's marker of the present day at a given date, or not at all:
// the same diagram gives the same picture on every day.
const withToday = (diagram, today, notes) => ({
  ...diagram,
  renderer: Object.create(diagram.renderer, {
    draw: {
      value: async (...args) => {
        const { db } = args[3] ?? diagram;
        const asked = db.getTodayMarker();
        if (today === undefined && asked !== "off") {
          if (asked) notes.push('gantt: the today marker was left out, since a picture does not depend on the day it is drawn; give a date with config_json {"gantt":{"today":"YYYY-MM-DD"}}');
          db.setTodayMarker("off");
        }
        if (today === undefined) return diagram.renderer.draw(...args);
        const Clock = globalThis.Date;
        globalThis.Date = class Date extends Clock {
          constructor(...parts) {
            parts.length === 0 ? super(today) : super(...parts);
          }
          static now() {
            return Clock.parse(today);
          }
        };
        try {
          return await diagram.renderer.draw(...args);
        } finally {
          globalThis.Date = Clock;
        }
      },
    },
  }),
});
