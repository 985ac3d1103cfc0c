// css.js: style sheets (CSS Syntax 3, CSSOM §6): rules out of text, and the
// document's index of them. Selectors and declarations are parsed when a rule
// first concerns an element: of a theme's two hundred rules few ever do.

// parseSheet gives [[selectors, declarations, end], …] of the rules that hold here:
// screen, light, 800 × 600. The end is where what follows the rule, or the rule at the
// top that it is in, begins.
function parseSheet(text, out = []) {
  const s = stripComments(text);
  let i = 0;
  while (i < s.length) {
    const open = blockStart(s, i);
    if (open.end >= s.length) break;
    const head = s.slice(i, open.end).trim();
    if (open.ch === ';') { i = open.end + 1; continue; } // @import, @charset
    const close = blockEnd(s, open.end);
    const body = s.slice(open.end + 1, close);
    const from = out.length;
    if (!head.startsWith('@')) { if (head !== '') out.push([head, body, 0]); } else if (/^@(?:supports|layer|container)\b/i.test(head) || (/^@media\b/i.test(head) && mediaHolds(head.slice(6)))) parseSheet(body, out);
    i = close + 1;
    for (let n = from; n < out.length; n++) out[n][2] = i;
  }
  return out;
}

// next finds the next character of a pattern with the g flag; the text's end if none.
function next(pattern, s, i) {
  pattern.lastIndex = i;
  return pattern.test(s) ? pattern.lastIndex - 1 : s.length;
}

// stringEnd gives the place after the string that begins at i. One that is left open
// ends with the text, or with its line.
const STRING = { '"': /["\\]/g, "'": /['\\]/g, '"\n': /["\\\n]/g, "'\n": /['\\\n]/g };
function stringEnd(s, i, line = '') {
  const pattern = STRING[s[i] + line];
  for (i = next(pattern, s, i + 1); s[i] === '\\'; i = next(pattern, s, i + 2));
  return i + 1;
}

// blockStart finds the "{" or, for a statement, the ";" that ends a prelude.
const PRELUDE = /[\\"'{;]/g;
function blockStart(s, i) {
  for (;;) {
    i = next(PRELUDE, s, i);
    const ch = s[i] ?? '';
    if (ch === '\\') i += 2;
    else if (ch === '"' || ch === "'") i = stringEnd(s, i);
    else return { end: i, ch };
  }
}

// blockEnd finds the "}" of the block that begins at i.
const BLOCK = /[\\"'{}]/g;
function blockEnd(s, i) {
  for (let depth = 0; (i = next(BLOCK, s, i)) < s.length;) {
    const ch = s[i];
    if (ch === '\\') i++;
    else if (ch === '"' || ch === "'") { i = stringEnd(s, i, '\n'); continue; }
    else if (ch === '{') depth++;
    else if (--depth === 0) return i;
    i++;
  }
  return s.length;
}

// mediaHolds judges a media query list for the page described above.
function mediaHolds(list) {
  return list.split(',').some((query) => query.trim().toLowerCase().split(/\s+and\s+/).every((part) => {
    const m = /^\(\s*([-a-z]+)\s*(?::\s*([^)]+?))?\s*\)$/.exec(part);
    if (m === null) return /^(?:only\s+)?(?:all|screen)$|^not\s+print$|^$/.test(part);
    const n = parseFloat(m[2]);
    switch (m[1]) {
      case 'min-width': return 800 >= n;
      case 'max-width': return 800 <= n;
      case 'min-height': return 600 >= n;
      case 'max-height': return 600 <= n;
      case 'prefers-color-scheme': return m[2] === 'light';
      case 'prefers-reduced-motion': return m[2] === 'no-preference';
      case 'orientation': return m[2] === 'landscape';
      default: return false;
    }
  }));
}

class CSSRule {
  constructor(sheet, selector, body) { this.parentStyleSheet = sheet; this.selectorText = selector; this.style = new CSSStyleDeclaration(null, body); }
  get type() { return 1; }
  get cssText() {
    const style = this.style;
    style._decls();
    if (style._map.size > 0) style._write();
    return `${this.selectorText} { ${style._map.size > 0 ? style._text + ' ' : ''}}`;
  }
}

// CSSStyleSheet is the constructible kind; mermaid gathers rules in one and
// prints them.
class CSSStyleSheet {
  constructor() { this.cssRules = []; this.disabled = false; }
  get rules() { return this.cssRules; }
  insertRule(text, index = 0) {
    const rules = parseSheet(String(text));
    if (rules.length !== 1) throw new DOMException(`Failed to parse the rule '${text}'.`, 'SyntaxError');
    parseSelector(rules[0][0]);
    this.cssRules.splice(index, 0, new CSSRule(this, normalSelector(rules[0][0]), rules[0][1]));
    return index;
  }
  deleteRule(index) { this.cssRules.splice(index, 1); }
  replaceSync(text) {
    this.cssRules = [];
    for (const [sel, body] of parseSheet(String(text))) {
      try { parseSelector(sel); } catch { continue; }
      this.cssRules.push(new CSSRule(this, normalSelector(sel), body));
    }
  }
  replace(text) { this.replaceSync(text); return Promise.resolve(this); }
}
const normalSelector = (s) => s.replace(/\s+/g, ' ').replace(/\s*([>+~,])\s*/g, (_, c) => (c === ',' ? ', ' : ` ${c} `)).trim();

// sheetChanged is called when a style element or its text comes, goes or changes.
function sheetChanged(el) {
  el._rules = undefined;
  if (!el._connected && el._doc === null) return;
  styleEpoch++;
  version++;
  kept = true;
}

// sheetOf gives a style sheet's rules, one for each selector, by its text. What a
// diagram's classes add stands behind its type's sheet, so that most of a new sheet's
// rules are copies of those of one seen before.
const sheets = new Map();
function sheetOf(text) {
  let sheet = sheets.get(text);
  if (sheet !== undefined) return sheet.rules;
  sheet = likeSheet(text);
  for (const [selectors, body, end] of parseSheet(text.slice(sheet.end))) {
    const shapes = /(?:^|[;\s])(?:r|cx|cy|x|y)\s*:/.test(body) || (/r[xy]\s*:/.test(body) && selectors.includes('ellipse'));
    const hides = /display\s*:\s*none/i.test(body);
    for (const sel of splitTop(selectors, ',')) sheet.rules.push({ text: sel.trim(), body, shapes, hides, parsed: null, needs: null, spec: 0, decls: null, order: 0, asks: null, last: undefined, end: sheet.end + end });
  }
  sheet.end = text.length;
  sheets.set(text, sheet);
  return sheet.rules;
}

// likeSheet starts a sheet with the rules that it shares with another, up to end.
function likeSheet(text) {
  const sheet = { rules: [], end: 0 };
  if (text.includes('/*')) return sheet; // comments are taken out before places are counted
  let best = null;
  let shared = 0;
  for (const known of sheets.keys()) {
    if (known.includes('/*')) continue;
    let least = shared;
    let most = Math.min(known.length, text.length);
    if (!text.startsWith(known.slice(0, least + 1))) continue;
    while (least < most) {
      const middle = (least + most + 1) >> 1;
      if (text.startsWith(known.slice(0, middle))) least = middle; else most = middle - 1;
    }
    if (least > shared) { shared = least; best = sheets.get(known); }
  }
  if (best === null) return sheet;
  for (const rule of best.rules) {
    if (rule.end > shared) break;
    sheet.rules.push({ ...rule });
    sheet.end = rule.end;
  }
  return sheet;
}

// ruleIndex gives the rules of all connected style elements, by the id, class
// or tag of the last compound selector.
function ruleIndex(doc) {
  if (doc._ruleIndex !== null && doc._ruleEpoch === styleEpoch) return doc._ruleIndex;
  const index = { ids: new Map(), classes: new Map(), tags: new Map(), rest: [], shaped: [], hiding: [], asks: { attributes: new Set(), ids: new Set() }, kinships: new Map() };
  let order = 0;
  for (const el of doc._styleElements()) {
    for (const r of el._rules ??= sheetOf(el.textContent)) {
      r.order = order++;
      if (r.shapes) index.shaped.push(r);
      if (r.hides) index.hiding.push(r);
      addRule(index, r);
      noteAsked(index.asks, r.asks ??= [...r.text.matchAll(ASKED)]);
    }
  }
  doc._ruleIndex = index;
  doc._ruleEpoch = styleEpoch;
  return index;
}

// noteAsked notes what a selector may ask of an element besides its name and class.
const ASKED = /#([-\w]+)|\[\s*([^\s~|^$*=\]]+)|:(?:any-)?link/g;
function noteAsked(asks, found) {
  for (const m of found) {
    if (m[1] !== undefined) asks.ids.add(m[1]);
    else asks.attributes.add(m[2] ?? 'href');
  }
}

// addRule files a rule by its last compound selector, looked at as text; only
// what that cannot tell (brackets) is parsed here, everything else when an
// element with that id, class or tag is styled.
const LAST = /(?:^|[\s>+~])([-\w*]+)?(?:#([-\w]+))?(?:\.([-\w]+))?(?:[.#:][-\w:]*)*$/;
function addRule(index, rule) {
  let m = rule.last;
  if (m === undefined) m = rule.last = LAST.exec(rule.text);
  if (m === null && compile(rule)) {
    const c = rule.parsed.compounds[rule.parsed.compounds.length - 1];
    m = [null, c.tag ?? undefined, c.id ?? undefined, c.classes[0]];
  }
  const put = (map, key) => { const list = map.get(key); if (list === undefined) map.set(key, [rule]); else list.push(rule); };
  if (m === null) return;
  if (m[2] !== undefined) put(index.ids, m[2]);
  else if (m[3] !== undefined) put(index.classes, m[3]);
  else if (m[1] !== undefined && m[1] !== '*') put(index.tags, m[1]);
  else index.rest.push(rule);
}

// compile parses a rule's selector when it is first needed; one that is not
// valid matches nothing.
function compile(rule) {
  if (rule.parsed === null) {
    try { rule.parsed = parseSelector(rule.text).complex[0]; } catch { rule.parsed = false; }
    rule.spec = rule.parsed ? rule.parsed.spec : 0;
    rule.needs = rule.parsed ? needsOf(rule.parsed) : [];
  }
  return rule.parsed !== false;
}

// needsOf gives the classes and attribute values that a selector asks of ancestors.
function needsOf({ compounds, combinators }) {
  const needs = [];
  for (let i = compounds.length - 1; i > 0 && (combinators[i] === ' ' || combinators[i] === '>'); i--) {
    const { classes, attrs } = compounds[i - 1];
    for (const name of classes) needs.push(`.${name}`);
    for (const a of attrs) if (a.op === '=' && !a.fold && a.name === a.lower) needs.push(`${a.name}=${a.value}`);
  }
  return needs;
}

const ruleMatches = (rule, el) => compile(rule) && matchesComplex(el, rule.parsed, el);
