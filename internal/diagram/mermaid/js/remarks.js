// Things that mermaid draws although they are hardly meant: warnings.
const MAX_REMARKS = 10;

const dateText = /^(\d{4})-(\d\d)-(\d\d)$/;
const realDate = (s) => {
  const m = dateText.exec(s);
  if (!m) return false;
  const date = new Date(Date.UTC(+m[1], m[2] - 1, +m[3]));
  return date.getUTCMonth() === m[2] - 1 && date.getUTCDate() === +m[3];
};

const ganttRemarks = function* (db) {
  const format = db.getDateFormat();
  for (const t of db.getTasks()) {
    const name = JSON.stringify(text(t.task).trim());
    if (format === "YYYY-MM-DD") {
      for (const [what, said, taken] of [
        ["start", t.raw?.startTime?.type === "getStartDate" ? t.raw.startTime.startData : undefined, t.startTime],
        ["end", t.raw?.endTime?.data, t.endTime],
      ]) {
        const s = text(said).trim();
        if (/^\d/.test(s) && !/^\d+(\.\d+)?\s*(ms|[Mdhmswy])$/.test(s) && !realDate(s)) {
          yield `gantt: the ${what} ${JSON.stringify(s)} of task ${name} is no date of the form YYYY-MM-DD; it was drawn as ${day(taken)?.slice(0, 10) ?? "nothing"}`;
        }
      }
    }
    if (!(t.startTime <= t.endTime)) yield `gantt: task ${name} ends before it starts`;
  }
};

const journeyRemarks = function* (db) {
  for (const t of tasksOf(db)) {
    if (!(t.score >= 0 && t.score <= 5)) yield `journey: the score of task ${JSON.stringify(text(t.task))} is ${Number.isNaN(t.score) ? "not a number" : t.score}; scores go from 1 to 5`;
  }
};

const pieRemarks = function* (db) {
  const slices = [...db.getSections()];
  if (slices.length === 0) yield "pie: there is no slice to draw; write one as \"label\" : number";
  else if (slices.every(([, v]) => v === 0)) yield "pie: every slice is 0, so nothing is drawn";
};

// missing warns of what a browser would fetch or typeset, and a picture of ours lacks.
const missing = (code, svg) => {
  const out = [];
  if (/\$\$[^$]+\$\$/.test(code)) out.push("formulas ($$…$$) are not typeset; they are written as plain text");
  if (/\bfa[bklrs]?:fa-[-\w]+/.test(code)) out.push("Font Awesome icons (fa:fa-…) are not in this binary; their names are written as text. Remove them from the labels");
  if (/^\s*::icon\(/m.test(code)) out.push("icons (::icon(…)) come from a font that is not in this binary; they are not drawn");
  // What mermaid draws for an icon that it does not have.
  if (svg.includes('"translate(21.16 64.67)"')) out.push("icons of packs are not in this binary, and are drawn as a question mark; architecture diagrams have cloud, database, disk, internet and server");
  return out;
};

const remarkers = { gantt: ganttRemarks, journey: journeyRemarks, pie: pieRemarks };
const remarks = (diagram) => {
  const out = [];
  if (remarkers[diagram?.type] === undefined) return out;
  for (const remark of remarkers[diagram.type](diagram.db)) {
    if (out.length === MAX_REMARKS) {
      out.push(`${diagram.type}: and more of the like`);
      break;
    }
    out.push(remark);
  }
  return out;
};
