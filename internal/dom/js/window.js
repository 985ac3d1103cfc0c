// window.js: the global object as a page would have it, as far as diagrams
// look. Timers, the clock and random numbers are the realm's; fetch,
// XMLHttpRequest, WebSocket, Worker and storage are absent.

const document = new Document(true);
build(document, document, host.document('<!doctype html><html><head></head><body></body></html>'), 0);
for (let n = document._first; n !== null; n = following(n, document)) n._connected = true;
document.defaultView = globalThis;

const location = Object.freeze({
  href: 'http://localhost/', protocol: 'http:', host: 'localhost', hostname: 'localhost', port: '', pathname: '/', search: '', hash: '', origin: 'http://localhost', assign() {}, replace() {}, reload() {}, toString() { return this.href; },
});

// URL is the small part of the URL Standard that link checks use.
class URL {
  constructor(text, base) {
    let s = String(text).trim();
    if (!/^[a-z][-+.a-z0-9]*:/i.test(s) && base !== undefined) s = new URL(base).origin + (s.startsWith('/') ? s : '/' + s);
    const m = /^([a-z][-+.a-z0-9]*:)(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(s);
    const special = m !== null && /^(?:https?|ftp|wss?|file):$/i.test(m[1]);
    if (m === null || (special && !m[3] && m[1].toLowerCase() !== 'file:') || /\s/.test(m[3] ?? '')) throw new TypeError(`Failed to construct 'URL': Invalid URL`);
    this.protocol = m[1].toLowerCase();
    [this.username, this.password] = [...(m[2] ?? '').split(':'), '', ''];
    this.host = (m[3] ?? '').toLowerCase();
    this.pathname = m[4] || (special ? '/' : '');
    this.search = m[5] ?? '';
    this.hash = m[6] ?? '';
    this._slashes = m[3] !== undefined;
  }
  static canParse(text, base) { try { return new URL(text, base) !== null; } catch { return false; } }
  get hostname() { return this.host.replace(/:\d*$/, ''); }
  set hostname(v) { this.host = this.host.replace(/^[^:]*/, v); }
  get port() { return /:(\d*)$/.exec(this.host)?.[1] ?? ''; }
  get origin() { return this._slashes ? `${this.protocol}//${this.host}` : 'null'; }
  get href() {
    const user = this.username ? this.username + (this.password ? ':' + this.password : '') + '@' : '';
    return `${this.protocol}${this._slashes ? '//' + user + this.host : ''}${encodeURI(decodeSafe(this.pathname))}${this.search}${this.hash}`;
  }
  toString() { return this.href; }
  toJSON() { return this.href; }
}
const decodeSafe = (s) => { try { return decodeURI(s); } catch { return s; } };

class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(text = '') {
    const bytes = [];
    for (const ch of String(text)) {
      let c = ch.codePointAt(0);
      if (c >= 0xd800 && c <= 0xdfff) c = 0xfffd;
      if (c < 0x80) bytes.push(c);
      else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
      else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
      else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    }
    return new Uint8Array(bytes);
  }
}
class TextDecoder {
  get encoding() { return 'utf-8'; }
  decode(bytes) {
    let out = '';
    for (const b of new Uint8Array(bytes?.buffer ?? bytes ?? [])) out += `%${b.toString(16).padStart(2, '0')}`;
    try { return decodeURIComponent(out); } catch { return unescape(out); }
  }
}

function btoa(text) {
  const code = host.btoa(String(text));
  if (code === null) throw new DOMException('The string to be encoded contains characters outside of the Latin1 range.', 'InvalidCharacterError');
  return code;
}
function atob(text) {
  const bytes = host.atob(String(text).replace(/[\t\n\f\r ]|=+$/g, ''));
  if (bytes === null) throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  return bytes;
}

function structuredClone(v, seen = new Map()) {
  if (typeof v === 'function' || typeof v === 'symbol' || v instanceof Node) throw new DOMException('The object could not be cloned.', 'DataCloneError');
  if (typeof v !== 'object' || v === null) return v;
  if (seen.has(v)) return seen.get(v);
  const keep = (copy) => { seen.set(v, copy); return copy; };
  if (Array.isArray(v)) { const out = keep(new Array(v.length)); for (const k of Object.keys(v)) out[k] = structuredClone(v[k], seen); return out; }
  if (v instanceof Map) { const out = keep(new Map()); for (const [k, x] of v) out.set(structuredClone(k, seen), structuredClone(x, seen)); return out; }
  if (v instanceof Set) { const out = keep(new Set()); for (const x of v) out.add(structuredClone(x, seen)); return out; }
  if (v instanceof Date) return keep(new Date(v.getTime()));
  if (v instanceof RegExp) return keep(new RegExp(v.source, v.flags));
  if (v instanceof Error) { const out = keep(new v.constructor(v.message)); out.stack = v.stack; return out; }
  if (ArrayBuffer.isView(v)) return keep(v.slice ? v.slice() : new DataView(v.buffer.slice(0)));
  if (v instanceof ArrayBuffer) return keep(v.slice(0));
  const out = keep({});
  for (const k of Object.keys(v)) out[k] = structuredClone(v[k], seen);
  return out;
}

// Graphemes (UAX #29), near enough: marks, joiners, variation selectors, skin
// tones and pairs of regional indicators stay with what they follow.
class Segmenter {
  constructor(locale, options = {}) { this.by = options.granularity ?? 'grapheme'; }
  segment(text) {
    const pattern = this.by === 'word' ? /[\p{L}\p{N}_]+|\s+|[^]/gu : /\r\n|\p{RI}\p{RI}|(?:\P{M}|^)(?:[\p{M}\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]|(?<=\u200d)\p{Extended_Pictographic})*/gu;
    return [...String(text).matchAll(pattern)].map((m) => ({ segment: m[0], index: m.index, input: text }));
  }
}

const COLOR = /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|color-mix|var)a?\(.+\)|transparent|currentcolor)$/i;
const COLOR_NAMES = new Set(`aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen`.split(' '));
const CSS = {
  escape: escapeCSS,
  supports(name, v) {
    if (v === undefined) return true;
    if (/color$|^fill$|^stroke$/.test(name)) return COLOR.test(String(v).trim()) || COLOR_NAMES.has(String(v).trim().toLowerCase()) || GLOBAL.test(v);
    return valid(String(name), String(v));
  },
};

const observer = class { observe() {} unobserve() {} disconnect() {} takeRecords() { return []; } };
const media = (query) => ({ matches: mediaHolds(String(query)), media: String(query), addListener() {}, removeListener() {}, addEventListener() {}, removeEventListener() {} });
const computedStyles = new WeakMap();
function getComputedStyle(el) {
  if (!(el instanceof Element)) throw new TypeError("parameter 1 is not of type 'Element'.");
  let s = computedStyles.get(el);
  if (s === undefined) computedStyles.set(el, s = new ComputedStyle(el));
  return s;
}

const globals = {
  document, location, getComputedStyle, structuredClone, btoa, atob, URL, TextEncoder, TextDecoder, CSS,
  Node, Element, Attr, NamedNodeMap, NodeList, HTMLCollection, DOMTokenList, CharacterData, Text, Comment, ProcessingInstruction, DocumentType, DocumentFragment, Document, DOMException, DOMParser, XMLSerializer, NodeFilter, NodeIterator, TreeWalker,
  EventTarget, Event, CustomEvent, MouseEvent: class MouseEvent extends Event {}, KeyboardEvent: class KeyboardEvent extends Event {},
  HTMLElement, HTMLTemplateElement, HTMLFormElement, HTMLIFrameElement, HTMLStyleElement, HTMLAnchorElement, HTMLImageElement, HTMLCanvasElement, HTMLDivElement: HTMLElement, CanvasRenderingContext2D, SVGElement, SVGGraphicsElement, SVGGeometryElement, SVGTextContentElement, SVGSVGElement, SVGStyleElement, CSSStyleSheet, CSSStyleDeclaration, CSSRule, SVGMatrix, DOMMatrix, DOMPoint, DOMRect, SVGRect,
  MutationObserver: class MutationObserver extends observer {}, ResizeObserver: class ResizeObserver extends observer {},
  Image: class Image extends HTMLImageElement { constructor() { super(document, HTML, 'img'); } },
  navigator: Object.freeze({ userAgent: 'webodar', language: 'en', languages: Object.freeze(['en']), platform: '', vendor: '', onLine: false, hardwareConcurrency: 1 }),
  screen: Object.freeze({ width: 800, height: 600, availWidth: 800, availHeight: 600, colorDepth: 24 }),
  innerWidth: 800, innerHeight: 600, outerWidth: 800, outerHeight: 600, devicePixelRatio: 1, scrollX: 0, scrollY: 0, pageXOffset: 0, pageYOffset: 0,
  matchMedia: media, addEventListener() {}, removeEventListener() {}, dispatchEvent() { return true; }, scrollTo() {}, getSelection: () => null, open: () => null, alert() {}, focus() {},
};
const define = (name, v) => Object.defineProperty(globalThis, name, { value: v, writable: true, configurable: true, enumerable: false });
for (const name of Object.keys(globals)) define(name, globals[name]);
for (const name of ['window', 'self', 'top', 'parent', 'frames']) define(name, globalThis);
if (typeof globalThis.Intl === 'undefined') define('Intl', {});
if (globalThis.Intl.Segmenter === undefined) globalThis.Intl.Segmenter = Segmenter;
if (globalThis.queueMicrotask === undefined) define('queueMicrotask', (fn) => { Promise.resolve().then(fn); });
