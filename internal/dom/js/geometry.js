// geometry.js: getBBox, transforms to the screen, client rectangles (SVG 2
// §8.10, CSSOM View §6). Numbers leave as 32-bit floats, as a browser's do.

const NOT_RENDERED = new Set(['defs', 'clipPath', 'mask', 'marker', 'symbol', 'pattern', 'linearGradient', 'radialGradient', 'filter', 'style', 'title', 'desc', 'metadata', 'script', 'animate', 'animateTransform', 'animateMotion', 'set', 'view', 'stop']);
const CONTAINERS = new Set(['g', 'a', 'switch', 'svg', 'defs', 'symbol', 'clipPath', 'mask', 'marker', 'pattern']);

// boxOf gives [x, y, w, h] in the element's own coordinates, or null. A box is
// kept until something changes; a container's or a text's also past changes
// elsewhere, while what it rests on is the same.
function boxOf(el) {
  if (el._boxVersion === version) return el._box;
  if (CONTAINERS.has(el._local)) {
    const basis = basisOf(el);
    if (!holds(el, el._boxVersion, el._boxBasis, basis)) el._box = containerBox(el);
    el._boxBasis = basis;
  } else if (el._local === 'text' || el._local === 'tspan' || el._local === 'textPath') el._box = textBox(el);
  else if (el._local === 'use') el._box = useBox(el);
  else el._box = shapeBox(el);
  el._boxVersion = measuring();
  return el._box;
}

// basisOf is what, beside its own subtree, an element's geometry rests on: its
// computed style (which stands for its ancestors' too), the scale it is drawn
// at, and the view.
const basisOf = (el) => ({ style: computed(el), scale: textScale(el), view: viewEpoch });
function holds(el, at, old, now) {
  return old !== null && !usesSeen && el._changed <= at && old.style === now.style && old.scale === now.scale && old.view === now.view;
}
let usesSeen = false; // a use element: boxes may then rest on anything

function containerBox(el) {
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  const hidden = ruleIndex(el._doc).hiding;
  for (let c = el._first; c !== null; c = c._next) {
    if (c._type !== 1 || NOT_RENDERED.has(c._local) || isHidden(c, hidden)) continue;
    let b = boxOf(c);
    if (b === null) continue;
    b = mapBox(localTransform(c), b);
    if (b[0] < x0) x0 = b[0];
    if (b[1] < y0) y0 = b[1];
    if (b[0] + b[2] > x1) x1 = b[0] + b[2];
    if (b[1] + b[3] > y1) y1 = b[1] + b[3];
  }
  return x0 === Infinity ? null : [x0, y0, x1 - x0, y1 - y0];
}

// isHidden asks the rules that hide something, not the whole cascade.
function isHidden(el, rules) {
  const attr = el._attrs.get('display');
  const style = el._attrs.get('style');
  if (attr === undefined && (style === undefined || !style.includes('display')) && !rules.some((r) => ruleMatches(r, el))) return false;
  return value(computed(el), 'display') === 'none';
}

function useBox(el) {
  usesSeen = true;
  const ref = el._attrs.get('href') ?? el._attrs.get('xlink:href') ?? '';
  const target = ref.startsWith('#') ? el._doc.getElementById(ref.slice(1)) : null;
  if (target === null || target.contains(el)) return null;
  const box = boxOf(target);
  return box && mapBox([1, 0, 0, 1, attrLength(el, 'x'), attrLength(el, 'y')], mapBox(localTransform(target), box));
}

// localTransform takes an element's coordinates to its parent's.
function localTransform(el) {
  const style = el._attrs.get('style');
  let m = IDENTITY;
  if (style !== undefined && style.includes('transform')) {
    const v = computed(el).own.get('transform');
    if (v !== undefined) m = v === 'none' ? IDENTITY : parseTransform(v);
    else m = parseTransform(el._attrs.get('transform') ?? '');
  } else {
    const t = el._attrs.get('transform');
    if (t !== undefined) m = parseTransform(t);
  }
  if (el._local !== 'svg') return m;
  return multiply(m, isOuterSVG(el) ? IDENTITY : multiply([1, 0, 0, 1, attrLength(el, 'x'), attrLength(el, 'y')], viewBoxTransform(el, attrLength(el, 'width', viewport(el)[0]), attrLength(el, 'height', viewport(el)[1], 1))));
}

const isOuterSVG = (el) => el._local === 'svg' && (el._parent === null || el._parent._ns !== SVG || el._parent._local === 'foreignObject');

// viewBoxTransform fits the viewBox into a box (SVG 2 §8.2).
function viewBoxTransform(svg, width, height) {
  const vb = viewBox(svg);
  if (vb === null || vb[2] === 0 || vb[3] === 0) return IDENTITY;
  let sx = width / vb[2];
  let sy = height / vb[3];
  const [align = 'xMidYMid', fit = 'meet'] = (svg._attrs.get('preserveAspectRatio') ?? '').trim().split(/\s+/).filter(Boolean);
  let dx = 0;
  let dy = 0;
  if (align !== 'none') {
    sx = sy = fit === 'slice' ? Math.max(sx, sy) : Math.min(sx, sy);
    dx = (width - vb[2] * sx) * (align.includes('xMin') ? 0 : align.includes('xMax') ? 1 : 0.5);
    dy = (height - vb[3] * sy) * (align.includes('YMin') ? 0 : align.includes('YMax') ? 1 : 0.5);
  }
  return sx === 1 && sy === 1 && dx === vb[0] && dy === vb[1] ? IDENTITY : [sx, 0, 0, sy, dx - vb[0] * sx, dy - vb[1] * sy];
}

// toSVG takes an element's coordinates to its outermost svg's box.
function toSVG(el) {
  let m = IDENTITY;
  for (let n = el; n !== null && n._ns === SVG; n = n._parent) {
    if (isOuterSVG(n)) {
      if (n._attrs.has('viewBox')) { const s = svgSize(n); m = multiply(viewBoxTransform(n, s.width, s.height), m); }
      return { m, svg: n };
    }
    m = multiply(localTransform(n), m);
  }
  return { m, svg: null };
}

// viewOf is toSVG of an outermost svg, kept until something in the page around changes.
function viewOf(svg) {
  const old = svg._view;
  if (old !== null && old.view === viewEpoch && old.style === styleEpoch) return old.m;
  const { m } = toSVG(svg);
  svg._view = { m, view: viewEpoch, style: styleEpoch };
  return m;
}

function toScreen(el) {
  const { m, svg } = toSVG(el);
  if (svg === null) return m;
  const at = htmlPosition(svg);
  return multiply([1, 0, 0, 1, at.x, at.y], m);
}

// textScale is how much larger than its font size text comes out on screen;
// Blink sets and rounds it at that size.
function textScale(el) {
  if (el._scaleVersion === version) return el._scale;
  const up = el._parent;
  let scale = ownScale(el);
  if (scale === 1) scale = up !== null && up._ns === SVG ? textScale(up) : 1;
  else for (let n = up; n !== null && n._ns === SVG; n = n._parent) scale *= ownScale(n);
  el._scaleVersion = measuring();
  return el._scale = scale > 0 && Math.abs(scale - 1) > 1e-6 ? scale : 1;
}

// ownScale is what an element adds to the scale of those above it.
function ownScale(el) {
  if (el._ns !== SVG) return 1;
  const t = el._attrs.get('transform');
  if ((t === undefined || t === '') && el._local !== 'svg') return 1;
  let m = IDENTITY;
  if (el._local !== 'svg') m = parseTransform(t);
  else if (el._attrs.has('viewBox')) m = isOuterSVG(el) ? viewOf(el) : localTransform(el);
  if (m[0] === 1 && m[3] === 1 && m[1] === 0) return 1;
  return Math.sqrt((m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3]) / 2);
}

// getBBox and clientRect skip what is not displayed.
function notDisplayed(el) {
  for (let n = el; n !== null && n._type === 1; n = n._parent) if (isHidden(n, ruleIndex(n._doc).hiding)) return true;
  return false;
}

function getBBox(el) {
  const b = el._connected && notDisplayed(el) ? null : boxOf(el);
  return b === null ? new SVGRect(0, 0, 0, 0) : new SVGRect(b[0], b[1], b[2], b[3]);
}

function clientRect(el) {
  if (!el._connected || notDisplayed(el)) return new DOMRect(0, 0, 0, 0);
  if (el._ns !== SVG || isOuterSVG(el)) {
    const at = htmlPosition(el);
    const size = el._ns === SVG ? svgSize(el) : htmlSize(el);
    return new DOMRect(at.x, at.y, size.width, size.height);
  }
  const b = mapBox(toScreen(el), boxOf(el) ?? [0, 0, 0, 0]);
  return new DOMRect(Math.fround(b[0]), Math.fround(b[1]), Math.fround(b[2]), Math.fround(b[3]));
}
