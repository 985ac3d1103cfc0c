// selectors.js: Selectors Level 4, as far as style sheets and queries of
// diagrams go. A selector list is parsed once and kept by its text.

const selectorCache = new Map();

// parseSelector gives {complex: […], id}: id is set when the whole list is one
// compound selector with an id, which an index can answer.
function parseSelector(text) {
  let list = selectorCache.get(text);
  if (list === undefined) {
    list = { complex: new SelectorParser(text).list(), id: null };
    if (list.complex.length === 1 && list.complex[0].compounds.length === 1) list.id = list.complex[0].compounds[0].id;
    selectorCache.set(text, list);
  }
  return list;
}

const IDENT = /(?:[-_a-zA-Z0-9\u0080-\uffff]|\\[0-9a-fA-F]{1,6}[ \t\n]?|\\[^\n])+/y;
const unescapeCSS = (s) => (s.includes('\\') ? s.replace(/\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|([^\n]))/g, (_, hex, ch) => (hex ? String.fromCodePoint(Math.min(parseInt(hex, 16) || 0xfffd, 0x10ffff)) : ch)) : s);

class SelectorParser {
  constructor(text) { this.s = text; this.i = 0; }
  fail() { throw new DOMException(`'${this.s}' is not a valid selector.`, 'SyntaxError'); }
  space() { const from = this.i; while (/[\t\n\f\r ]/.test(this.s[this.i] ?? '')) this.i++; return this.i > from; }
  ident() {
    IDENT.lastIndex = this.i;
    const m = IDENT.exec(this.s);
    if (m === null) this.fail();
    this.i = IDENT.lastIndex;
    return unescapeCSS(m[0]);
  }
  list(relative = false) {
    const out = [];
    do {
      this.space();
      out.push(this.complex(relative));
      this.space();
    } while (this.s[this.i] === ',' && ++this.i);
    if (this.i < this.s.length) this.fail();
    return out;
  }
  // complex gives compounds left to right with the combinator before each.
  complex(relative) {
    const compounds = [];
    const combinators = [];
    let spec = 0;
    if (relative && '>+~'.includes(this.s[this.i] || '?')) { combinators.push(this.s[this.i++]); this.space(); } else combinators.push(' ');
    for (;;) {
      const c = this.compound();
      compounds.push(c);
      spec += c.spec;
      const spaced = this.space();
      const ch = this.s[this.i];
      if (ch === '>' || ch === '+' || ch === '~') { combinators.push(ch); this.i++; this.space(); } else if (spaced && ch !== undefined && ch !== ',') combinators.push(' ');
      else break;
    }
    return { compounds, combinators, spec };
  }
  compound() {
    const c = { tag: null, lower: null, id: null, classes: [], attrs: [], pseudos: [], late: [], never: false, spec: 0, onlyId: false };
    const from = this.i;
    for (let first = true; this.i < this.s.length; first = false) {
      const ch = this.s[this.i];
      if (ch === '*' || ch === '|') { this.i++; } else if (ch === '#') { this.i++; c.id = this.ident(); c.spec += 10000; } else if (ch === '.') { this.i++; c.classes.push(this.ident()); c.spec += 100; } else if (ch === '[') this.attribute(c);
      else if (ch === ':') this.pseudo(c);
      else if (first || this.s[this.i - 1] === '|') { c.tag = this.ident(); c.lower = c.tag.toLowerCase(); c.spec += 1; } else break;
      if (/[\t\n\f\r ,>+~)]/.test(this.s[this.i] ?? ' ')) break;
    }
    if (this.i === from) this.fail();
    c.onlyId = c.id !== null && c.spec === 10000 && c.tag === null && c.pseudos.length + c.late.length === 0 && !c.never;
    return c;
  }
  attribute(c) {
    this.i++;
    this.space();
    const name = this.s[this.i] === '*' ? (this.i += 2, this.ident()) : this.ident().replace(/^\|/, '');
    this.space();
    const m = /^(?:([~|^$*]?=)\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|([^\]\s]+))\s*([iIsS]?)\s*)?\]/.exec(this.s.slice(this.i));
    if (m === null) this.fail();
    this.i += m[0].length;
    const value = m[1] ? unescapeCSS(m[2] ?? m[3] ?? m[4]) : null;
    c.attrs.push({ name, lower: name.toLowerCase(), op: m[1] ?? '', value, fold: /i/i.test(m[5] ?? '') });
    styleAttributes.add(name);
    c.spec += 100;
  }
  pseudo(c) {
    this.i++;
    const element = this.s[this.i] === ':';
    if (element) this.i++;
    const name = this.ident().toLowerCase();
    let arg = null;
    if (this.s[this.i] === '(') arg = this.parens();
    if (element || name === 'before' || name === 'after' || name === 'first-line' || name === 'first-letter') { c.never = true; c.spec += 1; return; }
    let list = null;
    if (name === 'not' || name === 'is' || name === 'where' || name === 'matches' || name === 'has' || name === '-webkit-any') {
      list = new SelectorParser(arg ?? this.fail()).list(name === 'has');
      if (name !== 'where') c.spec += Math.max(...list.map((s) => s.spec));
    } else c.spec += 100;
    const late = STRUCTURAL.has(name) || (list !== null && (name === 'has' || /[+~]|:(?:[-a-z]+-(?:child|of-type)|empty)/.test(arg)));
    (late ? c.late : c.pseudos).push({ name, list, nth: name.startsWith('nth-') ? parseNth(arg ?? this.fail()) : null });
  }
  parens() {
    const from = ++this.i;
    for (let depth = 1; this.i < this.s.length; this.i++) {
      const ch = this.s[this.i];
      if (ch === '(') depth++;
      else if (ch === ')' && --depth === 0) return this.s.slice(from, this.i++);
    }
    return this.fail();
  }
}

// STRUCTURAL pseudo-classes look at siblings and are tried last, when all else
// matches: what they say may change with the tree, and structureAsked tells the
// cascade that it did depend on it.
let structureAsked = false;
const STRUCTURAL = new Set(['first-child', 'last-child', 'only-child', 'nth-child', 'nth-last-child', 'first-of-type', 'last-of-type', 'only-of-type', 'nth-of-type', 'nth-last-of-type', 'empty']);

function parseNth(text) {
  const t = text.trim().toLowerCase();
  if (t === 'odd') return [2, 1];
  if (t === 'even') return [2, 0];
  const m = /^([+-]?\d*)n\s*(?:([+-])\s*(\d+))?$/.exec(t);
  if (m) return [m[1] === '' || m[1] === '+' ? 1 : m[1] === '-' ? -1 : parseInt(m[1], 10), m[3] ? parseInt(m[2] + m[3], 10) : 0];
  return [0, parseInt(t, 10) || 0];
}

function matchesList(el, parsed, scope) {
  const list = parsed.complex;
  for (let i = 0; i < list.length; i++) if (matchesComplex(el, list[i], scope)) return true;
  return false;
}

function matchesComplex(el, sel, scope) {
  return matchesFrom(el, sel, sel.compounds.length - 1, scope);
}

function matchesFrom(el, sel, i, scope) {
  const c = sel.compounds[i];
  if (!matchesCompound(el, c, scope) || (i > 0 && !matchesBefore(el, sel, i, scope))) return false;
  if (c.late.length === 0) return true;
  structureAsked = true;
  return c.late.every((p) => matchesPseudo(el, p, scope));
}

function matchesBefore(el, sel, i, scope) {
  switch (sel.combinators[i]) {
    case ' ':
      if (i === 1 && sel.compounds[0].onlyId) return isInside(el, sel.compounds[0].id);
      for (let p = el._parent; p !== null && p._type === 1; p = p._parent) if (matchesFrom(p, sel, i - 1, scope)) return true;
      return false;
    case '>':
      return el._parent !== null && el._parent._type === 1 && matchesFrom(el._parent, sel, i - 1, scope);
    case '+': {
      structureAsked = true;
      const p = previousElement(el);
      return p !== null && matchesFrom(p, sel, i - 1, scope);
    }
    default:
      structureAsked = true;
      for (let p = previousElement(el); p !== null; p = previousElement(p)) if (matchesFrom(p, sel, i - 1, scope)) return true;
      return false;
  }
}

// isInside is the test of nearly every rule of a picture's sheet: "#picture .thing".
function isInside(el, id) {
  for (let p = el._parent; p !== null && p._type === 1; p = p._parent) if (p._attrs.get('id') === id) return true;
  return false;
}

function matchesCompound(el, c, scope) {
  if (c.never) return false;
  if (c.id !== null && el._attrs.get('id') !== c.id) return false;
  if (c.tag !== null && el._local !== (el._ns === HTML ? c.lower : c.tag)) return false;
  if (c.classes.length > 0) {
    const own = el._classes ?? classesOf(el);
    for (let i = 0; i < c.classes.length; i++) if (!own.includes(c.classes[i])) return false;
  }
  for (let i = 0; i < c.attrs.length; i++) if (!matchesAttr(el, c.attrs[i])) return false;
  for (let i = 0; i < c.pseudos.length; i++) if (!matchesPseudo(el, c.pseudos[i], scope)) return false;
  return true;
}

function matchesAttr(el, a) {
  let v = el._attrs.get(a.name) ?? (el._ns === HTML ? el._attrs.get(a.lower) : undefined);
  if (v === undefined) return false;
  if (a.op === '') return true;
  let want = a.value;
  if (a.fold) { v = v.toLowerCase(); want = want.toLowerCase(); }
  switch (a.op) {
    case '=': return v === want;
    case '~=': return want !== '' && words(v).includes(want);
    case '|=': return v === want || v.startsWith(want + '-');
    case '^=': return want !== '' && v.startsWith(want);
    case '$=': return want !== '' && v.endsWith(want);
    default: return want !== '' && v.includes(want);
  }
}

function nthMatches([a, b], index) { return a === 0 ? index === b : (index - b) % a === 0 && (index - b) / a >= 0; }

// indexOf counts an element among its siblings from 1, from either end.
function siblingIndex(el, fromEnd, sameType) {
  let n = 1;
  for (let s = fromEnd ? nextElement(el) : previousElement(el); s !== null; s = fromEnd ? nextElement(s) : previousElement(s)) {
    if (!sameType || s._name === el._name) n++;
  }
  return n;
}

function matchesPseudo(el, p, scope) {
  switch (p.name) {
    case 'not': return !p.list.some((s) => matchesComplex(el, s, scope));
    case 'is': case 'where': case 'matches': case '-webkit-any': return p.list.some((s) => matchesComplex(el, s, scope));
    case 'has': return p.list.some((s) => hasMatch(el, s));
    case 'first-child': return previousElement(el) === null;
    case 'last-child': return nextElement(el) === null;
    case 'only-child': return previousElement(el) === null && nextElement(el) === null;
    case 'nth-child': return nthMatches(p.nth, siblingIndex(el, false, false));
    case 'nth-last-child': return nthMatches(p.nth, siblingIndex(el, true, false));
    case 'first-of-type': return siblingIndex(el, false, true) === 1;
    case 'last-of-type': return siblingIndex(el, true, true) === 1;
    case 'only-of-type': return siblingIndex(el, false, true) === 1 && siblingIndex(el, true, true) === 1;
    case 'nth-of-type': return nthMatches(p.nth, siblingIndex(el, false, true));
    case 'nth-last-of-type': return nthMatches(p.nth, siblingIndex(el, true, true));
    case 'empty': return el._first === null;
    case 'root': return el._parent !== null && el._parent._type === 9;
    case 'scope': return el === scope || (scope._type === 9 && el === scope.documentElement);
    case 'link': case 'any-link': return el._local === 'a' && el._attrs.has('href');
    default: return false; // :hover, :focus and the like: nobody is here
  }
}

function hasMatch(el, sel) {
  const anchored = (x) => {
    const first = sel.combinators[0];
    return matchesComplex(x, sel, el) && (first !== '>' || sel.compounds.length > 1 || x._parent === el);
  };
  if (sel.combinators[0] === '+') { const n = nextElement(el); return n !== null && anchored(n); }
  if (sel.combinators[0] === '~') { for (let n = nextElement(el); n !== null; n = nextElement(n)) if (anchored(n)) return true; return false; }
  for (const x of elementsIn(el)) if (anchored(x)) return true;
  return false;
}

// escapeCSS is CSS.escape (CSSOM §2.1).
function escapeCSS(value) {
  let out = '';
  const s = String(value);
  for (let i = 0; i < s.length; i++) {
    const code = s.charCodeAt(i);
    if (code === 0) out += '\ufffd';
    else if (code < 0x20 || code === 0x7f || (code >= 0x30 && code <= 0x39 && (i === 0 || (i === 1 && s[0] === '-')))) out += '\\' + code.toString(16) + ' ';
    else if (i === 0 && s.length === 1 && s === '-') out += '\\-';
    else if (code >= 0x80 || /[-_0-9a-zA-Z]/.test(s[i])) out += s[i];
    else out += '\\' + s[i];
  }
  return out;
}
