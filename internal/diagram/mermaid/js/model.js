// What was understood of a diagram, as JSON that stays as it is when mermaid's own
// databases change. doc.go describes it. Types without a row here have no more than
// their type and title.
const text = (v) => (v === undefined || v === null ? "" : String(v));
const list = (v) => (v === undefined || v === null ? [] : [...v]);
const values = (v) => (v instanceof Map ? [...v.values()] : list(v));
// nameOf gives the name that an enumeration has for a value, in lower case.
const nameOf = (names, value) =>
  (Object.keys(names ?? {}).find((key) => names[key] === value) ?? text(value)).toLowerCase();
// some drops what is not there, so that a reader tests for presence.
const some = (object) => {
  for (const key of Object.keys(object)) {
    const v = object[key];
    if (v === undefined || v === "" || v === false || (Array.isArray(v) && v.length === 0)) delete object[key];
  }
  return object;
};
const day = (date) => (date instanceof Date && !isNaN(date) ? date.toISOString() : undefined);

const flowchart = (db) => ({
  direction: text(db.getDirection?.()),
  vertices: values(db.getVertices()).map((v) => ({
    id: v.id, text: text(v.text ?? v.id), shape: text(v.type ?? "square"),
    ...some({ classes: list(v.classes), styles: list(v.styles), link: v.link }),
  })),
  edges: list(db.getEdges()).map((e) => ({
    from: e.start, to: e.end, arrow: text(e.type), stroke: text(e.stroke), ...some({ text: text(e.text) }),
  })),
  subgraphs: list(db.getSubGraphs()).map((s) => ({
    id: s.id, title: text(s.title), nodes: list(s.nodes), ...some({ direction: s.dir }),
  })),
});

// Messages of these kinds open, divide and close a block.
const block = /^(loop|alt|opt|par|par_over|rect|critical|break)_(start|else|and|option|end)$/;
const sequence = (db) => ({
  actors: list(db.getActorKeys()).map((key) => {
    const a = db.getActors().get(key);
    return { id: key, name: text(a.description), type: text(a.type) };
  }),
  messages: list(db.getMessages()).map((m) => {
    const kind = nameOf(db.LINETYPE, m.type);
    const parts = block.exec(kind);
    const say = typeof m.message === "string" ? m.message : "";
    if (kind === "note") return { kind: "note", placement: nameOf(db.PLACEMENT, m.placement), from: text(m.from), to: text(m.to), text: say };
    if (parts) return { kind: parts[2] === "start" || parts[2] === "end" ? "block_" + parts[2] : "block_next", block: parts[1], ...some({ text: say }) };
    if (kind === "active_start") return { kind: "activate", actor: text(m.from) };
    if (kind === "active_end") return { kind: "deactivate", actor: text(m.from) };
    if (kind === "autonumber") return { kind: "autonumber", visible: m.message?.visible !== false };
    return { kind: "message", from: text(m.from), to: text(m.to), text: say, arrow: kind };
  }),
  boxes: list(db.getBoxes?.()).map((b) => ({ name: text(b.name), actors: list(b.actorKeys) })),
});

const member = (m) => some({
  name: text(m.id), visibility: text(m.visibility), parameters: m.memberType === "method" ? text(m.parameters) : "",
  type: text(m.returnType), classifier: text(m.classifier),
});
const classes = (db) => ({
  direction: text(db.getDirection?.()),
  classes: values(db.getClasses()).map((c) => ({
    id: c.id, label: text(c.label), ...some({ generic: text(c.type), annotations: list(c.annotations), namespace: text(c.parent) }),
    attributes: list(c.members).map(member), methods: list(c.methods).map(member),
  })),
  relations: list(db.getRelations()).map((r) => ({
    from: r.id1, to: r.id2, fromEnd: nameOf(db.relationType, r.relation?.type1), toEnd: nameOf(db.relationType, r.relation?.type2),
    line: r.relation?.lineType === db.lineType?.DOTTED_LINE ? "dotted" : "solid",
    ...some({ label: text(r.title), fromLabel: r.relationTitle1 === "none" ? "" : text(r.relationTitle1), toLabel: r.relationTitle2 === "none" ? "" : text(r.relationTitle2) }),
  })),
  notes: values(db.getNotes?.()).map((n) => some({ class: text(n.class), text: text(n.text) })),
  namespaces: values(db.getNamespaces?.()).map((n) => ({ id: n.id, classes: [...(n.classes?.keys?.() ?? [])] })),
});

const states = (db) => {
  const out = { direction: text(db.getDirection?.()), states: [], transitions: [] };
  const seenStates = new Set();
  const add = (s, parent) => {
    if (seenStates.has(s.id)) return;
    seenStates.add(s.id);
    const known = db.getStates().get(s.id) ?? s;
    out.states.push({
      id: s.id, type: s.start === true ? "start" : s.start === false ? "end" : text(known.type),
      ...some({ description: list(known.descriptions).join("\n"), note: text(known.note?.text), parent, classes: list(known.classes) }),
    });
  };
  const walk = (doc, parent) => {
    for (const s of list(doc)) {
      if (s.stmt === "relation") {
        add(s.state1, parent);
        add(s.state2, parent);
        out.transitions.push({ from: s.state1.id, to: s.state2.id, ...some({ label: text(s.description) }) });
      } else if (s.stmt === "state" || s.stmt === "default") {
        add(s, parent);
        if (s.doc) {
          out.states.find((o) => o.id === s.id).type = "composite"; // it may have been named before
          walk(s.doc, s.id);
        }
      }
    }
  };
  walk(db.getRootDocV2?.()?.doc ?? [], "");
  return out;
};

const entities = (db) => {
  const nameById = new Map([...db.getEntities()].map(([name, e]) => [e.id, name]));
  return {
    direction: text(db.getDirection?.()),
    entities: [...db.getEntities()].map(([name, e]) => ({
      id: name, name: text(e.alias || e.label || name),
      attributes: list(e.attributes).map((a) => ({ name: text(a.name), type: text(a.type), ...some({ keys: list(a.keys), comment: text(a.comment) }) })),
    })),
    relationships: list(db.getRelationships()).map((r) => ({
      // mermaid's cardB stands at the first entity.
      from: nameById.get(r.entityA) ?? r.entityA, to: nameById.get(r.entityB) ?? r.entityB, label: text(r.roleA),
      fromCardinality: text(r.relSpec?.cardB).toLowerCase(), toCardinality: text(r.relSpec?.cardA).toLowerCase(),
      identifying: r.relSpec?.relType === "IDENTIFYING",
    })),
  };
};

const gantt = (db) => ({
  dateFormat: text(db.getDateFormat?.()),
  excludes: list(db.getExcludes?.()),
  sections: list(db.getSections()).map(text),
  tasks: list(db.getTasks()).map((t) => ({
    id: t.id, name: text(t.task).trim(), section: text(t.section), start: day(t.startTime), end: day(t.endTime),
    ...some({ milestone: t.milestone, done: t.done, active: t.active, critical: t.crit, vertical: t.vert }),
  })),
});

const pie = (db) => ({
  showData: Boolean(db.getShowData?.()),
  slices: [...db.getSections()].map(([label, value]) => ({ label, value })),
});

const journey = (db) => {
  const tasks = tasksOf(db);
  return {
    sections: list(db.getSections()).map(text),
    actors: [...new Set(tasks.flatMap((t) => list(t.people).map(text)))].sort(),
    tasks: tasks.map((t) => ({ name: text(t.task), section: text(t.section), score: Number.isFinite(t.score) ? t.score : null, people: list(t.people).map(text) })),
  };
};

const models = {
  flowchart, "flowchart-v2": flowchart, "flowchart-elk": flowchart, sequence, class: classes, classDiagram: classes,
  state: states, stateDiagram: states, er: entities, gantt, pie, journey,
};
const model = (type, db) => ({ type: publicType(type), title: titleOf(db), ...(models[type]?.(db) ?? {}) });

// tasksOf gives a journey's tasks. Its database adds them to one list at each call, so
// the list is emptied for whoever asks next, which is the renderer.
const tasksOf = (db) => db.getTasks().splice(0);

// publicType is the name that people know a type by.
const publicType = (type) =>
  ({ "flowchart-v2": "flowchart", "flowchart-elk": "flowchart", class: "classDiagram", state: "stateDiagram", er: "erDiagram", sequence: "sequenceDiagram" })[type] ?? type;
