// text.js: SVG text layout (SVG 2 §11.5, as Blink does it): white space is
// collapsed over the whole text element, x, y, dx and dy place characters,
// and each text-anchor chunk is shifted. The result is a list of runs.

const measured = new Map(); // font key and spacing → Map of text → extent
const fontMetrics = new Map(); // font key → {ascent, descent, xHeight}

function metricsOf(key) {
  let m = fontMetrics.get(key);
  if (m === undefined) {
    const [ascent, descent, xHeight] = host.font(key);
    fontMetrics.set(key, m = { ascent, descent, xHeight });
  }
  return m;
}

// measureText gives [advance, left, right, top, bottom] in the font at scale.
function measureText(key, spacing, text) {
  const at = spacing === 0 ? key : `${spacing}|${key}`;
  let texts = measured.get(at);
  if (texts === undefined) measured.set(at, texts = new Map());
  let m = texts.get(text);
  if (m === undefined) texts.set(text, m = host.text(key, spacing, text));
  return m;
}

// textStyle gathers what setting text needs of a Computed, once.
const TEXT_PROPERTIES = ['letter-spacing', 'white-space', 'text-transform', 'text-anchor'];
function textStyle(c) {
  if (c.memo !== null) return c.memo;
  if (c.parent !== null && setsNone(c, TEXT_PROPERTIES)) return c.memo = textStyle(c.parent); // all are inherited
  const spacing = toPx(value(c, 'letter-spacing'), fontSize(c), fontSize(c));
  const space = value(c, 'white-space').toLowerCase();
  return c.memo = {
    spacing: Number.isNaN(spacing) ? 0 : spacing,
    keep: space === 'pre' || space === 'pre-wrap' || space === 'break-spaces' || space === 'preserve-spaces',
    transform: value(c, 'text-transform').toLowerCase(),
    anchor: value(c, 'text-anchor').toLowerCase(),
  };
}

function transformText(text, how) {
  switch (how) {
    case 'uppercase': return text.toUpperCase();
    case 'lowercase': return text.toLowerCase();
    case 'capitalize': return text.replace(/(^|\s)(\p{L})/gu, (_, s, ch) => s + ch.toUpperCase());
    default: return text;
  }
}

// gather walks a text element into pieces of text, each of one element, and
// the ranges of characters the elements cover.
function gather(root) {
  const out = { pieces: [], ranges: [], length: 0, inline: false };
  let spaced = true; // the last character was a collapsible space, or none yet
  const walk = (el) => {
    const c = computed(el);
    if (value(c, 'display') === 'none') return;
    const style = textStyle(c);
    const range = { el, start: out.length, end: 0 };
    out.ranges.push(range);
    for (let n = el._first; n !== null; n = n._next) {
      if (n._type === 3) {
        let text = style.keep ? n._data.replace(/[\n\r\t]/g, ' ') : n._data.replace(/[ \n\r\t\f]+/g, ' ');
        if (!style.keep && spaced && text.startsWith(' ')) text = text.slice(1);
        if (text === '') continue;
        spaced = !style.keep && text.endsWith(' ');
        text = transformText(text, style.transform);
        out.pieces.push({ el, c, style, text, start: out.length, keep: style.keep });
        out.length += text.length;
      } else if (n._type === 1 && (n._local === 'tspan' || n._local === 'a' || n._local === 'textPath')) {
        out.inline = true;
        walk(n);
      }
    }
    range.end = out.length;
  };
  walk(root);
  const last = out.pieces[out.pieces.length - 1];
  if (last !== undefined && !last.keep && last.text.endsWith(' ')) {
    last.text = last.text.slice(0, -1);
    out.length--;
    for (const r of out.ranges) r.end = Math.min(r.end, out.length);
    if (last.text === '') out.pieces.pop();
  }
  return out;
}

// positions gives character index → {x, y, dx, dy} out of the attribute lists;
// an inner element's win.
function positions(ranges) {
  let out = null;
  for (const { el, start, end } of ranges) {
    if (start >= end) continue;
    for (const name of ['x', 'y', 'dx', 'dy']) {
      const text = el._attrs.get(name);
      if (text === undefined) continue;
      const axis = name === 'x' || name === 'dx' ? 0 : 1;
      const list = /[\s,]/.test(text) ? text.trim().split(/[\s,]+/) : [text];
      for (let i = 0; i < list.length && start + i < end; i++) {
        let px = Number(list[i]);
        if (Number.isNaN(px)) px = list[i].endsWith('em') ? Math.fround(parseFloat(list[i])) * fontSize(computed(el)) : toPx(list[i], fontSize(computed(el)), list[i].endsWith('%') ? viewport(el)[axis] : 0);
        if (Number.isNaN(px) || list[i] === '') continue;
        px = Math.fround(px);
        out ??= new Map();
        let p = out.get(start + i);
        if (p === undefined) out.set(start + i, p = {});
        p[name] = px;
      }
    }
  }
  return out;
}

// baselineShift gives how far below its y an element's alphabetic baseline is.
function baselineShift(c, isText, m) {
  let b = isText ? 'auto' : (c.own.get('alignment-baseline') ?? 'auto').toLowerCase();
  if (b === 'auto' || b === 'baseline') b = value(c, 'dominant-baseline').toLowerCase();
  let shift = 0;
  switch (b) {
    case 'middle': shift = m.xHeight / 2; break;
    case 'central': shift = (m.ascent - m.descent) / 2; break;
    case 'hanging': shift = m.ascent * 0.8; break;
    case 'mathematical': shift = m.ascent / 2; break;
    case 'text-before-edge': case 'before-edge': case 'text-top': shift = m.ascent; break;
    case 'text-after-edge': case 'after-edge': case 'text-bottom': case 'ideographic': shift = -m.descent; break;
  }
  const up = isText ? undefined : c.own.get('baseline-shift');
  if (up !== undefined && up !== 'baseline') {
    const size = c.parent === null ? 16 : fontSize(c.parent);
    shift -= up === 'super' ? size / 3 + 1 : up === 'sub' ? -(size / 5 + 1) : toPx(up, fontSize(c), fontSize(c)) || 0;
  }
  return shift;
}

// snap rounds to whole 64ths, halves away from zero.
const snap = (v) => Math.sign(v) * Math.round(Math.abs(v)) / 64;

// kernWith narrows a run by its last character's kerning with the next run's
// first: text of one font is shaped across element boundaries.
function kernWith(prev, next, spacing) {
  const a = prev.text[prev.text.length - 1];
  const b = next.text[0];
  const adv = (text) => measureText(prev.key, spacing, text)[0];
  if (Math.abs(adv(a + b) - adv(a) - adv(b)) < 0.04) return 0;
  const by = prev.advance - (adv(prev.text + next.text) - adv(next.text)) / prev.scale;
  prev.advance -= by;
  prev.w -= by;
  return by;
}

// layoutText gives {runs, inline} of a text element, kept while it holds.
function layoutText(root) {
  const old = root._layout;
  if (old !== undefined && old.version === version) return old;
  const basis = basisOf(root);
  if (old !== undefined && holds(root, old.version, old.basis, basis)) {
    old.version = measuring();
    return old;
  }
  const { pieces, ranges, inline } = gather(root);
  const placed = positions(ranges);
  const { scale } = basis;
  const runs = [];
  const chunks = [];
  let x = 0;
  let y = 0;
  let chunk = null;
  for (const p of pieces) {
    const key = fontKey(p.c, scale);
    const m = metricsOf(key);
    // From the baseline to the top of the line, in the 64ths Blink lays out in.
    const lift = (m.ascent - baselineShift(p.c, p.el === root, m)) * 64;
    const top = -snap(lift) / scale;
    const bottom = snap((m.ascent + m.descent) * 64 - lift) / scale;
    for (let from = 0, to; from < p.text.length; from = to) {
      const at = placed === null ? undefined : placed.get(p.start + from);
      if (at !== undefined) {
        if (at.x !== undefined) x = at.x;
        if (at.y !== undefined) y = at.y;
        if (at.x !== undefined || at.y !== undefined) chunk = null;
        if (at.dx !== undefined) x = Math.fround(x + at.dx);
        if (at.dy !== undefined) y = Math.fround(y + at.dy);
      }
      to = p.text.length;
      if (placed !== null) for (let i = from + 1; i < to; i++) if (placed.has(p.start + i)) to = i;
      if (chunk === null) chunks.push(chunk = { runs: [], anchor: p.style.anchor });
      const text = p.text.slice(from, to);
      const e = measureText(key, p.style.spacing * scale, text);
      const run = { el: p.el, c: p.c, key, text, start: p.start + from, x, y, top, bottom, w: e[0] / scale, advance: e[0] / scale, ink: e, scale, m };
      const prev = chunk.runs[chunk.runs.length - 1];
      if (prev !== undefined && prev.key === key && at === undefined) x -= kernWith(prev, run, p.style.spacing * scale);
      run.x = x;
      runs.push(run);
      chunk.runs.push(run);
      x += run.w;
    }
  }
  const wanted = parseFloat(root._attrs.get('textLength'));
  for (const { runs: list, anchor } of chunks) {
    let x0 = Infinity;
    let x1 = -Infinity;
    for (const r of list) { x0 = Math.min(x0, r.x); x1 = Math.max(x1, r.x + r.w); }
    if (wanted > 0 && chunks.length === 1 && x1 > x0) {
      const k = wanted / (x1 - x0);
      for (const r of list) { r.x = x0 + (r.x - x0) * k; r.w *= k; }
      x1 = x0 + wanted;
    }
    const by = anchor === 'middle' ? (x1 - x0) / 2 : anchor === 'end' ? x1 - x0 : 0;
    if (by !== 0) for (const r of list) r.x -= by;
  }
  return root._layout = { version: measuring(), basis, runs, inline };
}

function textRoot(el) {
  while (el !== null && el._local !== 'text') el = el._parent;
  return el;
}

// runsOf gives the runs inside a text element or one of its spans.
function runsOf(el) {
  const root = textRoot(el);
  if (root === null) return [];
  const { runs } = layoutText(root);
  return el === root ? runs : runs.filter((r) => el.contains(r.el));
}

// textBox unites line boxes and ink; text with only empty spans has an empty
// box at the origin, and without even those none.
function textBox(el) {
  const runs = runsOf(el);
  if (runs.length === 0) {
    const root = textRoot(el);
    return root !== null && layoutText(root).inline ? [0, 0, 0, 0] : null;
  }
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (const r of runs) {
    const s = r.scale;
    const top = r.y + r.top;
    x0 = Math.min(x0, r.x, r.x + r.ink[1] / s);
    x1 = Math.max(x1, r.x + r.w, r.x + r.ink[2] / s);
    y0 = Math.min(y0, top, top + (r.m.ascent + r.ink[3]) / s);
    y1 = Math.max(y1, r.y + r.bottom, top + (r.m.ascent + r.ink[4]) / s);
  }
  return [x0, y0, x1 - x0, y1 - y0];
}

const textContent = {
  getComputedTextLength() { return Math.fround(runsOf(this).reduce((sum, r) => sum + r.advance, 0)); },
  getNumberOfChars() { return runsOf(this).reduce((sum, r) => sum + r.text.length, 0); },
  getSubStringLength(from, count) {
    let sum = 0;
    let at = 0;
    for (const r of runsOf(this)) {
      const a = Math.max(from - at, 0);
      const b = Math.min(from + count - at, r.text.length);
      if (b > a) sum += runAdvance(r, b) - runAdvance(r, a);
      at += r.text.length;
    }
    return sum;
  },
  getStartPositionOfChar(i) { const [r, at] = this._char(i); return new DOMPoint(Math.fround(r.x + runAdvance(r, at)), Math.fround(r.y)); },
  getEndPositionOfChar(i) { const [r, at] = this._char(i); return new DOMPoint(Math.fround(r.x + runAdvance(r, at + 1)), Math.fround(r.y)); },
  getExtentOfChar(i) {
    const [r, at] = this._char(i);
    const x = r.x + runAdvance(r, at);
    return new DOMRect(x, r.y + r.top, r.x + runAdvance(r, at + 1) - x, (r.m.ascent + r.m.descent) / r.scale);
  },
  getRotationOfChar() { return 0; },
  _char(i) {
    let at = i;
    for (const r of runsOf(this)) {
      if (at < r.text.length) return [r, at];
      at -= r.text.length;
    }
    throw new DOMException('The charnum provided is outside the text.', 'IndexSizeError');
  },
};

function runAdvance(r, count) {
  if (count <= 0) return 0;
  if (count >= r.text.length) return r.w;
  return measureText(r.key, textStyle(r.c).spacing * r.scale, r.text.slice(0, count))[0] / r.scale;
}
