// elements.js: the element classes: HTML's few, SVG's by what they can measure,
// and a canvas that can only measure text.

class HTMLElement extends Element {
  get style() { return this._style ??= new CSSStyleDeclaration(this); }
  set style(text) { this.setAttribute('style', text); }
  get dataset() { return dataset(this); }
  get className() { return this._attrs.get('class') ?? ''; }
  set className(v) { this.setAttribute('class', v); }
  get innerText() { return this.textContent; }
  set innerText(v) { this.textContent = v; }
  get hidden() { return this._attrs.has('hidden'); }
  get offsetWidth() { return Math.round(this._connected ? clientRect(this).width : 0); }
  get offsetHeight() { return Math.round(this._connected ? clientRect(this).height : 0); }
  get offsetTop() { return 0; }
  get offsetLeft() { return 0; }
  get offsetParent() { return this._doc.body; }
}
for (const name of ['title', 'lang', 'dir', 'href', 'src', 'alt', 'rel', 'target', 'name', 'type', 'value']) {
  Object.defineProperty(HTMLElement.prototype, name, {
    get() { return this._attrs.get(name) ?? ''; }, set(v) { this.setAttribute(name, v); }, configurable: true,
  });
}

function dataset(el) {
  const attr = (key) => 'data-' + String(key).replace(/[A-Z]/g, (c) => '-' + c.toLowerCase());
  return new Proxy({}, {
    get: (_, key) => (typeof key === 'string' ? el._attrs.get(attr(key)) : undefined),
    set: (_, key, v) => { el.setAttribute(attr(key), v); return true; },
    has: (_, key) => typeof key === 'string' && el._attrs.has(attr(key)),
    deleteProperty: (_, key) => { el.removeAttribute(attr(key)); return true; },
    ownKeys: () => [...el._attrs.keys()].filter((n) => n.startsWith('data-')).map((n) => n.slice(5).replace(/-([a-z])/g, (_, c) => c.toUpperCase())),
    getOwnPropertyDescriptor: (_, key) => ({ value: el._attrs.get(attr(key)), enumerable: true, configurable: true, writable: true }),
  });
}

class HTMLTemplateElement extends HTMLElement {
  get content() { return this._content ??= new DocumentFragment(this._doc); }
}
class HTMLFormElement extends HTMLElement {}
class HTMLIFrameElement extends HTMLElement {
  get contentDocument() { return null; }
  get contentWindow() { return null; }
}
class HTMLStyleElement extends HTMLElement {}
class HTMLAnchorElement extends HTMLElement {}

// An image never loads: there is no network. It claims to be complete and
// square, so that what waits for it goes on.
class HTMLImageElement extends HTMLElement {
  get complete() { return true; }
  get naturalWidth() { return 64; }
  get naturalHeight() { return 64; }
  decode() { return Promise.resolve(); }
}

class HTMLCanvasElement extends HTMLElement {
  get width() { return Number(this._attrs.get('width') ?? 300); }
  set width(v) { this.setAttribute('width', v); }
  get height() { return Number(this._attrs.get('height') ?? 150); }
  set height(v) { this.setAttribute('height', v); }
  getContext(kind) { return kind === '2d' ? this._context ??= new CanvasRenderingContext2D(this) : null; }
  toDataURL() { return 'data:,'; }
}
class CanvasRenderingContext2D {
  constructor(canvas) { this.canvas = canvas; this.font = '10px sans-serif'; }
  measureText(text) {
    const own = new Map();
    expandFont(this.font, own);
    const c = new Computed(null);
    c.own = own;
    const key = fontKey(c, 1);
    const m = metricsOf(key);
    const [width, left, right, top, bottom] = measureText(key, 0, String(text));
    return { width, actualBoundingBoxLeft: -left, actualBoundingBoxRight: right, actualBoundingBoxAscent: -top, actualBoundingBoxDescent: bottom, fontBoundingBoxAscent: m.ascent, fontBoundingBoxDescent: m.descent };
  }
}
for (const name of ['arc', 'arcTo', 'beginPath', 'bezierCurveTo', 'clearRect', 'clip', 'closePath', 'drawImage', 'ellipse', 'fill', 'fillRect', 'fillText', 'lineTo', 'moveTo', 'putImageData', 'quadraticCurveTo', 'rect', 'resetTransform', 'restore', 'rotate', 'save', 'scale', 'setLineDash', 'setTransform', 'stroke', 'strokeRect', 'strokeText', 'transform', 'translate']) {
  CanvasRenderingContext2D.prototype[name] = function () {};
}

class SVGElement extends Element {
  get style() { return this._style ??= new CSSStyleDeclaration(this); }
  set style(text) { this.setAttribute('style', text); }
  get dataset() { return dataset(this); }
  get className() {
    const el = this;
    return { get baseVal() { return el._attrs.get('class') ?? ''; }, set baseVal(v) { el.setAttribute('class', v); }, get animVal() { return this.baseVal; } };
  }
  get ownerSVGElement() {
    let n = this._parent;
    while (n !== null && n._ns === SVG && n._local !== 'svg') n = n._parent;
    return n !== null && n._ns === SVG ? n : null;
  }
  get viewportElement() { return this.ownerSVGElement; }
}

// animated wraps a length attribute as SVGAnimatedLength.
function animated(el, name, axis) {
  const length = { get value() { return attrLength(el, name, 0, axis); }, set value(v) { el.setAttribute(name, v); }, get valueAsString() { return el._attrs.get(name) ?? '0'; } };
  return { baseVal: length, animVal: length };
}

class SVGGraphicsElement extends SVGElement {
  getBBox() { return getBBox(this); }
  getCTM() { return new SVGMatrix(toSVG(this).m); }
  getScreenCTM() { return new SVGMatrix(toScreen(this)); }
  get transform() {
    const el = this;
    const list = {
      get numberOfItems() { return el._attrs.has('transform') ? 1 : 0; },
      consolidate() { const t = el._attrs.get('transform'); return t ? { matrix: new SVGMatrix(parseTransform(t)) } : null; },
      getItem() { return this.consolidate(); },
    };
    return { baseVal: list, animVal: list };
  }
}
class SVGGeometryElement extends SVGGraphicsElement {
  getTotalLength() { return Math.fround(host.length(pathData(this))); }
  getPointAtLength(distance) {
    const [x, y] = host.point(pathData(this), Number(distance) || 0);
    return new DOMPoint(Math.fround(x), Math.fround(y));
  }
}
for (const [i, names] of [['x', 'cx', 'x1', 'x2', 'width', 'rx', 'r'], ['y', 'cy', 'y1', 'y2', 'height', 'ry']].entries()) {
  for (const name of names) Object.defineProperty(SVGGraphicsElement.prototype, name, { get() { return animated(this, name, i); }, configurable: true });
}
class SVGTextContentElement extends SVGGraphicsElement {}
mixin(SVGTextContentElement, textContent);
for (const name of ['x', 'y']) Object.defineProperty(SVGTextContentElement.prototype, name, { get() { return animated(this, name, name === 'x' ? 0 : 1); }, configurable: true });

class SVGSVGElement extends SVGGraphicsElement {
  get viewBox() {
    const [x, y, width, height] = viewBox(this) ?? [0, 0, 0, 0];
    return { baseVal: { x, y, width, height }, animVal: { x, y, width, height } };
  }
  createSVGPoint() { return new DOMPoint(); }
  createSVGMatrix() { return new SVGMatrix(); }
  createSVGRect() { return new SVGRect(0, 0, 0, 0); }
  getElementById(id) { return this.querySelector('#' + escapeCSS(id)); }
}
class SVGStyleElement extends SVGElement {}

const GEOMETRY = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);
const GRAPHICS = new Set(['g', 'a', 'switch', 'use', 'image', 'foreignObject', 'defs', 'symbol', 'marker', 'clipPath', 'mask', 'pattern']);
const TEXTS = new Set(['text', 'tspan', 'textPath']);
const HTML_CLASSES = { template: HTMLTemplateElement, form: HTMLFormElement, iframe: HTMLIFrameElement, style: HTMLStyleElement, a: HTMLAnchorElement, img: HTMLImageElement, canvas: HTMLCanvasElement };

function createElement(doc, ns, name) {
  if (ns === SVG) {
    if (GEOMETRY.has(name)) return new SVGGeometryElement(doc, ns, name);
    if (TEXTS.has(name)) return new SVGTextContentElement(doc, ns, name);
    if (GRAPHICS.has(name)) return new SVGGraphicsElement(doc, ns, name);
    if (name === 'svg') return new SVGSVGElement(doc, ns, name);
    return name === 'style' ? new SVGStyleElement(doc, ns, name) : new SVGElement(doc, ns, name);
  }
  if (ns === HTML) return new (Object.hasOwn(HTML_CLASSES, name) ? HTML_CLASSES[name] : HTMLElement)(doc, ns, name);
  return new Element(doc, ns, name);
}
