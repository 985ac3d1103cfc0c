// shapes.js: boxes of the basic shapes and paths (SVG 2 §10, §9). A shape that
// draws nothing gives null and does not count in its container's box.

// attrLength reads a length attribute; percentages are of the viewport.
function attrLength(el, name, fallback = 0, axis = 0) {
  let text = el._attrs.get(name);
  const { shaped } = ruleIndex(el._doc);
  if ((text === undefined && el._attrs.has('style')) || (shaped.length > 0 && shaped.some((r) => ruleMatches(r, el)))) {
    const own = computed(el).own.get(name); // in SVG 2 geometry is a style property too
    if (own !== undefined && own !== 'auto') text = own;
  }
  if (text === undefined || text === '') return fallback;
  const n = Number(text);
  if (!Number.isNaN(n)) return n;
  const px = toPx(text, /e[mx]|ch/i.test(text) ? fontSize(computed(el)) : 16, /%/.test(text) ? viewport(el)[axis] : 0);
  return Number.isNaN(px) ? fallback : px;
}

// viewport gives the size percentages refer to: of the nearest svg's viewBox,
// or of its box.
function viewport(el) {
  let svg = el._parent;
  while (svg !== null && svg._local !== 'svg') svg = svg._parent;
  if (svg === null) return [800, 600];
  const vb = viewBox(svg);
  if (vb !== null) return [vb[2], vb[3]];
  const size = svgSize(svg);
  return [size.width, size.height];
}

function viewBox(svg) {
  const text = svg._attrs.get('viewBox');
  if (text === undefined) return null;
  const n = text.trim().split(/[\s,]+/).map(Number);
  return n.length === 4 && n.every((v) => !Number.isNaN(v)) && n[2] >= 0 && n[3] >= 0 ? n : null;
}

const pathCache = new Map();
function pathBox(d) {
  let box = pathCache.get(d);
  if (box === undefined) {
    box = host.path(d);
    if (pathCache.size > 5000) pathCache.clear();
    pathCache.set(d, box);
  }
  return box;
}

function points(el) {
  const n = (el._attrs.get('points') ?? '').match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
  const out = [];
  for (let i = 0; i + 1 < n.length; i += 2) out.push([Number(n[i]), Number(n[i + 1])]);
  return out;
}

function shapeBox(el) {
  switch (el._local) {
    case 'rect': case 'image': case 'foreignObject': {
      const w = attrLength(el, 'width', 0, 0);
      const h = attrLength(el, 'height', 0, 1);
      return w > 0 && h > 0 ? [attrLength(el, 'x', 0, 0), attrLength(el, 'y', 0, 1), w, h] : null;
    }
    case 'circle': {
      const r = attrLength(el, 'r');
      return r > 0 ? [attrLength(el, 'cx', 0, 0) - r, attrLength(el, 'cy', 0, 1) - r, 2 * r, 2 * r] : null;
    }
    case 'ellipse': {
      const rx = attrLength(el, 'rx');
      const ry = attrLength(el, 'ry');
      return rx > 0 && ry > 0 ? [attrLength(el, 'cx', 0, 0) - rx, attrLength(el, 'cy', 0, 1) - ry, 2 * rx, 2 * ry] : null;
    }
    case 'line': {
      const x1 = attrLength(el, 'x1', 0, 0);
      const x2 = attrLength(el, 'x2', 0, 0);
      const y1 = attrLength(el, 'y1', 0, 1);
      const y2 = attrLength(el, 'y2', 0, 1);
      return [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)];
    }
    case 'polyline': case 'polygon': {
      const list = points(el);
      if (list.length === 0) return null;
      let [x0, y0] = list[0];
      let [x1, y1] = list[0];
      for (const [x, y] of list) { x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x); y1 = Math.max(y1, y); }
      return [x0, y0, x1 - x0, y1 - y0];
    }
    case 'path': {
      const d = el._attrs.get('d');
      return d === undefined || d === '' ? null : pathBox(d);
    }
    default: return null;
  }
}

// pathData gives any shape as path data, for lengths along it.
function pathData(el) {
  switch (el._local) {
    case 'path': return el._attrs.get('d') ?? '';
    case 'line': return `M${attrLength(el, 'x1')},${attrLength(el, 'y1')}L${attrLength(el, 'x2')},${attrLength(el, 'y2')}`;
    case 'polyline': case 'polygon': {
      const list = points(el);
      return list.length === 0 ? '' : 'M' + list.map((p) => p.join(',')).join('L') + (el._local === 'polygon' ? 'z' : '');
    }
    case 'rect': {
      const w = attrLength(el, 'width');
      const h = attrLength(el, 'height');
      return w > 0 && h > 0 ? `M${attrLength(el, 'x')},${attrLength(el, 'y')}h${w}v${h}h${-w}z` : '';
    }
    case 'circle': case 'ellipse': {
      const rx = attrLength(el, el._local === 'circle' ? 'r' : 'rx');
      const ry = attrLength(el, el._local === 'circle' ? 'r' : 'ry');
      if (!(rx > 0 && ry > 0)) return '';
      const cx = attrLength(el, 'cx');
      const cy = attrLength(el, 'cy');
      return `M${cx + rx},${cy}A${rx},${ry} 0 1 1 ${cx - rx},${cy}A${rx},${ry} 0 1 1 ${cx + rx},${cy}z`;
    }
    default: return '';
  }
}
