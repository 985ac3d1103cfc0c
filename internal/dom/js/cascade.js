// cascade.js: computed values (CSS Cascade 4) of the properties asked for.
//
// A Computed is kept on its element and holds while the sheets, the parent's
// Computed and the element's own style attributes are what they were; a new
// parent object makes every descendant's stale without walking the tree.

const INHERITED = new Set(['color', 'fill', 'fill-opacity', 'font-family', 'font-size', 'font-style', 'font-weight', 'font-kerning', 'letter-spacing', 'line-height', 'stroke', 'stroke-width', 'text-align', 'text-anchor', 'text-transform', 'dominant-baseline', 'visibility', 'white-space', 'word-spacing', 'cursor', 'pointer-events', 'direction', 'writing-mode', 'word-break', 'overflow-wrap']);
const INITIAL = {
  display: 'inline', visibility: 'visible', 'font-family': '"Times New Roman"', 'font-weight': '400', 'font-style': 'normal', 'letter-spacing': 'normal', 'word-spacing': 'normal', 'line-height': 'normal', 'text-anchor': 'start', 'dominant-baseline': 'auto', 'alignment-baseline': 'auto', 'baseline-shift': 'baseline', 'white-space': 'normal', fill: 'rgb(0, 0, 0)', stroke: 'none', 'stroke-width': '1px', color: 'rgb(0, 0, 0)', opacity: '1', 'fill-opacity': '1', position: 'static', transform: 'none', 'text-transform': 'none',
  'padding-left': '0px', 'padding-right': '0px', 'padding-top': '0px', 'padding-bottom': '0px', 'border-left-width': '0px', 'border-right-width': '0px', 'border-top-width': '0px', 'border-bottom-width': '0px', 'margin-left': '0px', 'margin-right': '0px', 'margin-top': '0px', 'margin-bottom': '0px',
};
const PRESENTATION = new Set(['alignment-baseline', 'baseline-shift', 'color', 'direction', 'display', 'dominant-baseline', 'fill', 'fill-opacity', 'font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'opacity', 'stroke', 'stroke-width', 'text-anchor', 'visibility', 'word-spacing', 'writing-mode']);
for (const name of PRESENTATION) styleAttributes.add(name);

const BLOCKS = new Set(['html', 'body', 'div', 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'section', 'article', 'header', 'footer', 'table', 'form', 'blockquote', 'hr', 'figure']);
const NO_DISPLAY = new Set(['head', 'style', 'script', 'title', 'template', 'link', 'meta', 'base', 'noscript']);
const UA = {
  b: ['font-weight', 'bolder'], strong: ['font-weight', 'bolder'], th: ['font-weight', 'bold'], i: ['font-style', 'italic'], em: ['font-style', 'italic'], cite: ['font-style', 'italic'],
  code: ['font-family', 'monospace'], pre: ['font-family', 'monospace'], kbd: ['font-family', 'monospace'], samp: ['font-family', 'monospace'],
  h1: ['font-size', '2em', 'font-weight', 'bold'], h2: ['font-size', '1.5em', 'font-weight', 'bold'], h3: ['font-size', '1.17em', 'font-weight', 'bold'], h4: ['font-weight', 'bold'], small: ['font-size', 'smaller'], sub: ['font-size', 'smaller'], sup: ['font-size', 'smaller'],
};

class Computed {
  constructor(parent) {
    this.parent = parent;
    this.epoch = styleEpoch;
    this.version = measuring();
    this.structural = false; // siblings were asked: not kept when the tree changes
    this.own = null; // name → specified value
    this.size = -1; // font-size in px
    this.font = null; // key for the host's text functions
    this.memo = null;
    this.values = null; // inherited properties, once a child has asked
    this.kin = null; // what is shared with elements that no selector tells apart
  }
}

function computed(el) {
  const old = el._computed;
  if (old !== null && old.version === version && old.epoch === styleEpoch) return old;
  const up = el._parent;
  const parent = up !== null && up._type === 1 ? computed(up) : null;
  if (old !== null && old.parent === parent && old.epoch === styleEpoch && !old.structural) {
    old.version = measuring();
    return old;
  }
  const c = new Computed(parent);
  structureAsked = false;
  c.own = specified(el, c);
  c.structural = structureAsked;
  el._computed = c;
  return c;
}

const EMPTY = new Map();

function specified(el, c) {
  let own = null;
  const set = (name, value) => {
    own ??= new Map();
    if (name === 'font') expandFont(value, own);
    else if (name === 'padding' || name === 'margin') expandSides(name, value, own);
    else own.set(name, value);
  };
  if (el._ns === HTML) {
    if (BLOCKS.has(el._local)) set('display', 'block');
    else if (NO_DISPLAY.has(el._local)) set('display', 'none');
    const ua = UA[el._local];
    if (ua) for (let i = 0; i < ua.length; i += 2) set(ua[i], ua[i + 1]);
  } else {
    for (const name of el._attrs.keys()) { // a pair for each entry would have to be made
      if (!PRESENTATION.has(name) && name !== 'xml:space') continue;
      const value = el._attrs.get(name);
      if (name === 'xml:space') { if (value === 'preserve') set('white-space', 'preserve-spaces'); } else if (value !== '') set(name, name === 'font-size' && /^[\d.]+$/.test(value) ? value + 'px' : value.trim());
    }
  }
  const rules = rulesFor(el, c);
  let important = null;
  const apply = (decls) => {
    for (let i = 0; i < decls.length; i++) {
      const d = decls[i];
      if (d[2]) (important ??= []).push(d); else set(d[0], d[1]);
    }
  };
  if (rules !== null) for (const r of rules) apply(r.decls ??= parseDeclarations(r.body));
  const style = el._attrs.get('style');
  if (style !== undefined && style !== '') apply(parseDeclarations(style, isQuirky(el)));
  if (important !== null) for (const d of important) set(d[0], d[1]);
  return own ?? EMPTY;
}

// Kin is what elements share that are alike in all that a selector may ask of them and
// of what they stand in. Its lineage is the set of what rules ask of ancestors, as
// needsOf writes it: of the element and all it stands in.
class Kin {
  constructor(el, index, parent) {
    this.number = index.kinships.size;
    this.lineage = parent === null ? new Set() : parent.lineage;
    const own = [];
    const classes = el._classes ?? classesOf(el);
    for (let i = 0; i < classes.length; i++) own.push(`.${classes[i]}`);
    for (const name of index.asks.attributes) {
      const v = el._attrs.get(name);
      if (v !== undefined) own.push(`${name}=${v}`);
    }
    if (own.length > 0) this.lineage = new Set([...this.lineage, ...own]);
    this.rules = null;
  }
}

// rulesFor gives the rules for an element, weakest first. Elements that are alike in
// all that a selector may ask of them and of what they stand in have the same rules;
// only siblings and children, which some selectors ask for, are not looked at, and what
// did depend on those is not shared.
function rulesFor(el, c) {
  const doc = el._doc;
  const index = doc._ruleIndex !== null && doc._ruleEpoch === styleEpoch ? doc._ruleIndex : ruleIndex(doc);
  if (c.parent !== null && c.parent.kin === null) return matchedRules(el, index, null);
  const key = kinshipKey(el, c.parent, index.asks);
  let kin = index.kinships.get(key);
  if (kin === undefined) {
    kin = new Kin(el, index, c.parent && c.parent.kin);
    kin.rules = matchedRules(el, index, c.parent && c.parent.kin.lineage);
    if (structureAsked) return kin.rules;
    index.kinships.set(key, kin);
  }
  c.kin = kin;
  return kin.rules;
}

function kinshipKey(el, parent, asks) {
  let key = `${parent === null ? el._parent?._type : `${parent.kin.number}<`} ${el._ns === HTML ? '' : ':'}${el._local} ${el._attrs.get('class') ?? ''}`;
  const id = el._attrs.get('id');
  if (id !== undefined && asks.ids.has(id)) key += `#${id}`;
  for (const name of asks.attributes) {
    const v = el._attrs.get(name);
    if (v !== undefined) key += `\u0000${name}=${v}`;
  }
  return key;
}

// matchedRules tries the rules that an element may fall under, and of those the ones
// whose needs lineage, where it is known, has.
function matchedRules(el, index, lineage) {
  let out = null;
  const consider = (list) => {
    if (list === undefined) return;
    for (let i = 0; i < list.length; i++) {
      const r = list[i];
      if (lineage !== null && compile(r) && !hasAll(lineage, r.needs)) continue;
      if (ruleMatches(r, el)) (out ??= []).push(r);
    }
  };
  const id = el._attrs.get('id');
  if (id !== undefined) consider(index.ids.get(id));
  const classes = el._classes ?? classesOf(el);
  for (let i = 0; i < classes.length; i++) consider(index.classes.get(classes[i]));
  consider(index.tags.get(el._local));
  consider(index.rest);
  if (out !== null && out.length > 1) out.sort((a, b) => a.spec - b.spec || a.order - b.order);
  return out;
}

function hasAll(lineage, needs) {
  for (let i = 0; i < needs.length; i++) if (!lineage.has(needs[i])) return false;
  return true;
}

// expandFont takes the "font" shorthand apart (CSS Fonts 4 §2.7).
function expandFont(value, own) {
  const m = /^(.*?)\s*\b((?:[\d.]+(?:px|em|rem|pt|%))|xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger)(?:\s*\/\s*([^\s]+))?\s+(.+)$/i.exec(value);
  if (m === null) { if (GLOBAL.test(value)) for (const n of ['font-size', 'font-family', 'font-weight', 'font-style', 'line-height']) own.set(n, value); return; }
  own.set('font-style', /italic|oblique/i.exec(m[1])?.[0] ?? 'normal');
  own.set('font-weight', /bolder|bold|lighter|\b[1-9]00\b/i.exec(m[1])?.[0] ?? 'normal');
  own.set('font-size', m[2]);
  own.set('line-height', m[3] ?? 'normal');
  own.set('font-family', m[4]);
}

function expandSides(name, value, own) {
  const v = value.split(/\s+/);
  [['top', 0], ['right', 1], ['bottom', 2], ['left', 3]].forEach(([side, i]) => own.set(`${name}-${side}`, v[i] ?? v[i - 2] ?? v[0]));
}

// value gives the cascaded and inherited value of one property, as text.
function value(c, name) {
  const inherits = INHERITED.has(name) || name.startsWith('--');
  let v = c.own.get(name);
  if (v !== undefined) {
    if (v.includes('var(')) v = substitute(c, v, 0);
    const word = v.length < 13 ? v.toLowerCase() : v;
    if (word === 'inherit' || ((word === 'unset' || word === 'revert') && inherits)) return inherited(c.parent, name);
    if (word === 'initial' || word === 'unset' || word === 'revert') return INITIAL[name] ?? '';
    if (v !== '') return v;
  }
  return inherits ? inherited(c.parent, name) : INITIAL[name] ?? '';
}

// inherited is value for a parent, which its children ask for the same.
function inherited(c, name) {
  if (c === null) return INITIAL[name] ?? '';
  let v = c.values === null ? undefined : c.values.get(name);
  if (v === undefined) (c.values ??= new Map()).set(name, v = value(c, name));
  return v;
}

// substitute resolves var() (CSS Variables 1 §3).
let substitutions = 0;
function substitute(c, text, depth) {
  if (depth === 0) substitutions = 0;
  if (depth > 8 || ++substitutions > 200) return ''; // a cycle, or one that multiplies
  return text.replace(/var\(\s*(--[-\w]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g, (_, name, fallback) => {
    for (let at = c; at !== null; at = at.parent) {
      const v = at.own.get(name);
      if (v !== undefined) return v.includes('var(') ? substitute(at, v, depth + 1) : v;
    }
    return (fallback ?? '').trim();
  });
}

const UNITS = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54, q: 2.4 / 2.54, vw: 8, vh: 6, vmin: 6, vmax: 8, rem: 16 };

// toPx resolves a length; em is the font size it is relative to, percent what
// 100% is. Anything else gives NaN.
function toPx(text, em, percent) {
  const m = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*|%)\s*$/i.exec(text);
  if (m === null) return calc(text, em, percent);
  const n = parseFloat(m[1]);
  const unit = m[2].toLowerCase();
  if (unit === '' || unit === 'px') return n;
  if (unit === '%') return n * percent / 100;
  if (unit === 'em') return n * em;
  if (unit === 'ex') return n * em * 0.52832; // Liberation Sans's x and 0
  if (unit === 'ch') return n * em * 0.55615;
  return unit in UNITS ? n * UNITS[unit] : NaN;
}

// calc does sums and products without inner brackets.
function calc(text, em, percent) {
  const m = /^\s*calc\(([^()]*)\)\s*$/i.exec(text);
  if (m === null) return NaN;
  let sum = 0;
  let sign = 1;
  for (const term of m[1].trim().split(/\s+([+-])\s+/)) {
    if (term === '+' || term === '-') { sign = term === '-' ? -1 : 1; continue; }
    let product = NaN;
    let op = '*';
    for (const f of term.split(/\s*([*/])\s*/)) {
      if (f === '*' || f === '/') op = f;
      else { const n = toPx(f, em, percent); product = Number.isNaN(product) ? n : op === '*' ? product * n : product / n; }
    }
    sum += sign * product;
  }
  return sum;
}

function fontSize(c) {
  if (c.size >= 0) return c.size;
  if (c.parent !== null && !c.own.has('font-size')) return c.size = fontSize(c.parent);
  const inherited = c.parent === null ? 16 : fontSize(c.parent);
  let v = c.own.get('font-size');
  if (v !== undefined && v.includes('var(')) v = substitute(c, v, 0);
  let px = inherited;
  if (v !== undefined && !GLOBAL.test(v)) {
    const word = v.toLowerCase();
    if (word in FONT_SIZES) px = FONT_SIZES[word];
    else if (word === 'larger') px = inherited * 1.2;
    else if (word === 'smaller') px = inherited / 1.2;
    else px = toPx(word, inherited, inherited);
    if (!(px >= 0)) px = inherited;
  } else if (v !== undefined && /^initial$/i.test(v)) px = 16;
  return c.size = px;
}

function fontWeight(c) {
  const v = value(c, 'font-weight').toLowerCase();
  switch (v) {
    case 'normal': return 400;
    case 'bold': case 'bolder': return 700;
    case 'lighter': return 400;
  }
  const n = parseFloat(v);
  return n > 0 ? n : 400;
}

function setsNone(c, names) {
  if (c.own.size === 0) return true;
  for (let i = 0; i < names.length; i++) if (c.own.has(names[i])) return false;
  return true;
}

const FONT_PROPERTIES = ['font-size', 'font-weight', 'font-style', 'font-family'];

// fontKey names a font at a size for the host (fonts.go).
function fontKey(c, scale) {
  if (scale === 1 && c.font !== null) return c.font;
  if (c.parent !== null && setsNone(c, FONT_PROPERTIES)) {
    const key = fontKey(c.parent, scale);
    if (scale === 1) c.font = key;
    return key;
  }
  const style = /^(?:italic|oblique)/i.test(value(c, 'font-style')) ? 'italic' : 'normal';
  const key = `${fontSize(c) * scale} ${fontWeight(c)} ${style} ${value(c, 'font-family')}`;
  if (scale === 1) c.font = key;
  return key;
}

// computedText answers getComputedStyle.
function computedText(el, name) {
  const c = computed(el);
  switch (name) {
    case 'font-size': return `${fontSize(c)}px`;
    case 'font-weight': return String(fontWeight(c));
    case 'width': return el._ns === HTML || el._local === 'svg' ? `${clientRect(el).width}px` : 'auto';
    case 'height': return el._ns === HTML || el._local === 'svg' ? `${clientRect(el).height}px` : 'auto';
    case 'letter-spacing': case 'line-height': case 'stroke-width': {
      const v = value(c, name);
      const px = toPx(v, fontSize(c), fontSize(c));
      return Number.isNaN(px) ? v : `${name === 'line-height' && /^[\d.]+$/.test(v) ? px * fontSize(c) : px}px`;
    }
    default: return value(c, name);
  }
}
