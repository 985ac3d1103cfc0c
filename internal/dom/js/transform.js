// transform.js: matrices [a, b, c, d, e, f] and the transform attribute
// (CSS Transforms 1, SVG 2 §8.5).

const IDENTITY = [1, 0, 0, 1, 0, 0];

function multiply(m, n) {
  if (m === IDENTITY) return n;
  if (n === IDENTITY) return m;
  return [
    m[0] * n[0] + m[2] * n[1], m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3], m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4], m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

// mapBox gives the upright box around a box [x, y, w, h] after a transform.
function mapBox(m, box) {
  if (m === IDENTITY) return box;
  const [x, y, w, h] = box;
  if (m[1] === 0 && m[2] === 0 && m[0] === 1 && m[3] === 1) return [x + m[4], y + m[5], w, h];
  const xs = [m[0] * x + m[2] * y, m[0] * (x + w) + m[2] * y, m[0] * x + m[2] * (y + h), m[0] * (x + w) + m[2] * (y + h)];
  const ys = [m[1] * x + m[3] * y, m[1] * (x + w) + m[3] * y, m[1] * x + m[3] * (y + h), m[1] * (x + w) + m[3] * (y + h)];
  const x0 = Math.min(...xs);
  const y0 = Math.min(...ys);
  return [x0 + m[4], y0 + m[5], Math.max(...xs) - x0, Math.max(...ys) - y0];
}

const ANGLES = { deg: Math.PI / 180, '': Math.PI / 180, rad: 1, grad: Math.PI / 200, turn: 2 * Math.PI };
const transformCache = new Map();

function parseTransform(text) {
  let m = transformCache.get(text);
  if (m !== undefined) return m;
  m = IDENTITY;
  // As SVG asks, a list with anything wrong in it is no transform at all.
  if (/^(?:[\s,]*[a-zA-Z0-9]+\s*\([^()]*\))*[\s,]*$/.test(text)) {
    for (const [, name, args] of text.matchAll(/([a-zA-Z0-9]+)\s*\(([^()]*)\)/g)) {
      const step = transformStep(name, args);
      if (step === null) { m = IDENTITY; break; }
      m = multiply(m, step);
    }
  }
  if (transformCache.size > 5000) transformCache.clear();
  transformCache.set(text, m);
  return m;
}

function transformStep(name, args) {
  const n = [];
  const units = [];
  for (const part of args.trim().split(/\s*,\s*|\s+/)) {
    const m = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$/i.exec(part);
    if (m === null) return null;
    n.push(parseFloat(m[1]));
    units.push(m[2]);
  }
  const angle = (i) => n[i] * (ANGLES[units[i]] ?? ANGLES.deg);
  switch (name) {
    case 'translate': return [1, 0, 0, 1, n[0], n[1] ?? 0];
    case 'translateX': return [1, 0, 0, 1, n[0], 0];
    case 'translateY': return [1, 0, 0, 1, 0, n[0]];
    case 'scale': return [n[0], 0, 0, n[1] ?? n[0], 0, 0];
    case 'scaleX': return [n[0], 0, 0, 1, 0, 0];
    case 'scaleY': return [1, 0, 0, n[0], 0, 0];
    case 'skewX': return [1, 0, Math.tan(angle(0)), 1, 0, 0];
    case 'skewY': return [1, Math.tan(angle(0)), 0, 1, 0, 0];
    case 'matrix': return n.length === 6 ? n : null;
    case 'rotate': {
      const cos = Math.cos(angle(0));
      const sin = Math.sin(angle(0));
      const r = [cos, sin, -sin, cos, 0, 0];
      return n.length < 3 ? r : multiply(multiply([1, 0, 0, 1, n[1], n[2]], r), [1, 0, 0, 1, -n[1], -n[2]]);
    }
    default: return null;
  }
}

class SVGMatrix {
  constructor(m = IDENTITY) { [this.a, this.b, this.c, this.d, this.e, this.f] = m; }
  get _m() { return [this.a, this.b, this.c, this.d, this.e, this.f]; }
  multiply(o) { return new this.constructor(multiply(this._m, o._m)); }
  translate(x, y = 0) { return new this.constructor(multiply(this._m, [1, 0, 0, 1, x, y])); }
  scale(x, y = x) { return new this.constructor(multiply(this._m, [x, 0, 0, y, 0, 0])); }
  rotate(deg) { return new this.constructor(multiply(this._m, transformStep('rotate', String(deg)))); }
  inverse() {
    const { a, b, c, d, e, f } = this;
    const det = a * d - b * c;
    return new this.constructor([d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det]);
  }
}
class DOMMatrix extends SVGMatrix {
  constructor(init) { super(typeof init === 'string' ? parseTransform(init) : init ?? IDENTITY); }
}

class DOMPoint {
  constructor(x = 0, y = 0) { this.x = x; this.y = y; this.z = 0; this.w = 1; }
  matrixTransform(m) { return new DOMPoint(m.a * this.x + m.c * this.y + m.e, m.b * this.x + m.d * this.y + m.f); }
}

// SVGRect is what getBBox gives: unlike a DOMRect it has no left or top, and
// mermaid asks for them to tell the two apart.
class SVGRect {
  constructor(x, y, width, height) { this.x = Math.fround(x); this.y = Math.fround(y); this.width = Math.fround(width); this.height = Math.fround(height); }
}

class DOMRect {
  constructor(x = 0, y = 0, width = 0, height = 0) { this.x = x; this.y = y; this.width = width; this.height = height; }
  get left() { return Math.min(this.x, this.x + this.width); }
  get top() { return Math.min(this.y, this.y + this.height); }
  get right() { return Math.max(this.x, this.x + this.width); }
  get bottom() { return Math.max(this.y, this.y + this.height); }
  toJSON() { const { x, y, width, height, top, right, bottom, left } = this; return { x, y, width, height, top, right, bottom, left }; }
}
