// style.js: declarations (CSSOM §6.6): parsing "name: value; …" and the object
// behind element.style.

const declarationCache = new Map();
const quirkyCache = new Map();

// UNITLESS properties take a bare number as pixels in the style of an element
// that is not HTML: browsers parse that in quirks mode (Quirks §3.2).
const UNITLESS = new Set(['font-size', 'letter-spacing', 'word-spacing', 'width', 'height', 'max-width', 'max-height', 'min-width', 'min-height', 'top', 'left', 'right', 'bottom', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left', 'text-indent', 'border-top-width', 'border-right-width', 'border-bottom-width', 'border-left-width']);
const withUnit = (name, value) => (UNITLESS.has(name) && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value) ? value + 'px' : value);
const isQuirky = (el) => el !== null && el._ns !== HTML;

// parseDeclarations gives [[name, value, important], …]; what a browser would
// drop as invalid, of the properties that decide geometry, is dropped.
function parseDeclarations(text, quirky = false) {
  const cache = quirky ? quirkyCache : declarationCache;
  let list = cache.get(text);
  if (list !== undefined) return list;
  list = [];
  for (const part of splitTop(stripComments(text), ';')) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    let name = part.slice(0, colon).trim();
    if (!/^-?-?[a-zA-Z_][-\w]*$/.test(name)) continue;
    if (!name.startsWith('--')) name = name.toLowerCase();
    let value = part.slice(colon + 1).trim();
    const bang = /\s*!\s*important$/i.exec(value);
    if (bang) value = value.slice(0, bang.index);
    if (quirky) value = withUnit(name, value);
    if (valid(name, value)) list.push([name, value, bang !== null]);
  }
  if (cache.size > 2000) cache.clear();
  cache.set(text, list);
  return list;
}

const stripComments = (text) => (text.includes('/*') ? text.replace(/\/\*[^]*?(?:\*\/|$)/g, ' ') : text);

// splitTop splits outside of quotes and brackets.
const NESTING = /[\\"'({[\])},;]/g;
function splitTop(text, separator) {
  if (!/["'({[\\]/.test(text)) return text.split(separator);
  const out = [];
  let from = 0;
  let depth = 0;
  for (let i = 0; (i = next(NESTING, text, i)) < text.length; i++) {
    switch (text[i]) {
      case '\\': i++; break;
      case '"': case "'": i = stringEnd(text, i) - 1; break;
      case '(': case '{': case '[': depth++; break;
      case ')': case '}': case ']': depth--; break;
      case separator:
        if (depth <= 0) { out.push(text.slice(from, i)); from = i + 1; }
    }
  }
  out.push(text.slice(from));
  return out;
}

const LENGTH = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:px|em|rem|ex|ch|pt|pc|cm|mm|in|q|vw|vh|vmin|vmax|%)$/i;
const ZERO = /^[+-]?0*\.?0+$/;
const GLOBAL = /^(?:inherit|initial|unset|revert|revert-layer)$/i;
const FUNCTION = /\b(?:calc|var|min|max|clamp|env)\(/i;
const isLength = (v) => LENGTH.test(v) || ZERO.test(v) || FUNCTION.test(v) || GLOBAL.test(v);
const keyword = (...names) => (v) => GLOBAL.test(v) || FUNCTION.test(v) || names.includes(v.toLowerCase());

const FONT_SIZES = { 'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, 'xxx-large': 48 };
// checks holds the grammar of properties where taking a bad value would change
// a measurement: in a style sheet, unlike in an attribute, a bare number is no
// length.
const checks = {
  'font-size': (v) => isLength(v) && !v.startsWith('-') || v in FONT_SIZES || v === 'larger' || v === 'smaller',
  'letter-spacing': (v) => isLength(v) || v === 'normal',
  'word-spacing': (v) => isLength(v) || v === 'normal',
  'font-weight': (v) => /^(?:[1-9]\d{0,2}|1000)(?:\.\d+)?$/.test(v) || keyword('normal', 'bold', 'bolder', 'lighter')(v),
  'font-style': (v) => /^oblique\b/i.test(v) || keyword('normal', 'italic')(v),
  'text-anchor': keyword('start', 'middle', 'end'),
  'dominant-baseline': keyword('auto', 'middle', 'central', 'hanging', 'alphabetic', 'mathematical', 'ideographic', 'text-before-edge', 'text-after-edge', 'use-script', 'no-change', 'reset-size', 'text-top', 'text-bottom'),
  visibility: keyword('visible', 'hidden', 'collapse'),
  width: (v) => isLength(v) || /^(?:auto|[a-z-]+(?:\(.*\))?)$/i.test(v),
  height: (v) => isLength(v) || /^(?:auto|[a-z-]+(?:\(.*\))?)$/i.test(v),
  'max-width': (v) => isLength(v) || /^[a-z-]+(?:\(.*\))?$/i.test(v),
};
function valid(name, value) {
  if (value === '') return name.startsWith('--');
  const check = checks[name];
  return check === undefined ? !/^(?:undefined|NaN.*)$/.test(value) : check(value);
}

const dashed = (name) => (name === 'cssFloat' ? 'float' : name.replace(/[A-Z]/g, (c) => '-' + c.toLowerCase()).replace(/^webkit-/, '-webkit-'));

class CSSStyleDeclaration {
  // owner is an element, whose style attribute this is, or null for a rule.
  constructor(owner, text = '') { this._owner = owner; this._text = text; this._map = null; }
  _reset() { this._map = null; }
  _decls() {
    if (this._map === null) {
      this._map = new Map();
      for (const [n, v, imp] of parseDeclarations(this._owner === null ? this._text : this._owner._attrs.get('style') ?? '', isQuirky(this._owner))) this._map.set(n, [v, imp]);
    }
    return this._map;
  }
  _write() {
    let out = '';
    for (const [n, [v, imp]] of this._map) out += `${out === '' ? '' : ' '}${n}: ${v}${imp ? ' !important' : ''};`;
    this._text = out;
    if (this._owner === null) return;
    const map = this._map;
    setAttr(this._owner, 'style', out);
    this._map = map; // setAttr made it stale, and it is not
  }
  get cssText() { this._decls(); return this._owner === null ? this._text : this._owner._attrs.get('style') ?? ''; }
  set cssText(text) {
    if (this._owner !== null) this._owner.setAttribute('style', text); else this._text = String(text);
    this._map = null;
  }
  get length() { return this._decls().size; }
  item(i) { return [...this._decls().keys()][i] ?? ''; }
  getPropertyValue(name) { return this._decls().get(name.startsWith('--') ? name : name.toLowerCase())?.[0] ?? ''; }
  getPropertyPriority(name) { return this._decls().get(name)?.[1] ? 'important' : ''; }
  setProperty(name, value, priority = '') {
    name = String(name);
    if (!name.startsWith('--')) name = name.toLowerCase();
    value = value === null ? '' : String(value).trim();
    if (value === '') { this.removeProperty(name); return; }
    if (isQuirky(this._owner)) value = withUnit(name, value);
    if (!/^-?-?[a-zA-Z_][-\w]*$/.test(name) || /[;{}]|!\s*important/.test(value) || !valid(name, value)) return;
    this._decls().set(name, [value, priority === 'important']);
    this._write();
  }
  removeProperty(name) {
    const old = this.getPropertyValue(name);
    if (this._decls().delete(name)) this._write();
    return old;
  }
  [Symbol.iterator]() { return this._decls().keys(); }
}

// ComputedStyle is what getComputedStyle gives: read-only, live.
class ComputedStyle {
  constructor(el) { this._el = el; }
  getPropertyValue(name) { return computedText(this._el, String(name)); }
  getPropertyPriority() { return ''; }
  get length() { return 0; }
}

const PROPERTIES = `alignmentBaseline alignItems background backgroundColor border borderBottomWidth borderLeftWidth borderRadius
borderRightWidth borderTopWidth bottom boxSizing clipPath color cssFloat cursor display dominantBaseline fill fillOpacity filter flex
flexDirection flexGrow flexShrink flexWrap font fontFamily fontSize fontStyle fontVariant fontWeight gap height justifyContent left
letterSpacing lineHeight margin marginBottom marginLeft marginRight marginTop markerEnd markerMid markerStart maxHeight maxWidth
minHeight minWidth mixBlendMode opacity order outline overflow overflowWrap padding paddingBottom paddingLeft paddingRight paddingTop
pointerEvents position right stopColor stroke strokeDasharray strokeDashoffset strokeLinecap strokeLinejoin strokeOpacity strokeWidth
textAlign textAnchor textDecoration textOverflow textTransform top transform transformOrigin transition userSelect verticalAlign
visibility webkitTransform whiteSpace width wordBreak wordSpacing wordWrap zIndex`.split(/\s+/);
for (const camel of PROPERTIES) {
  const name = dashed(camel);
  for (const key of new Set([camel, name])) {
    Object.defineProperty(CSSStyleDeclaration.prototype, key, {
      get() { return this.getPropertyValue(name); }, set(v) { this.setProperty(name, v); }, configurable: true,
    });
    Object.defineProperty(ComputedStyle.prototype, key, { get() { return this.getPropertyValue(name); }, configurable: true });
  }
}
