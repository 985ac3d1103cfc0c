// layout.js: as much HTML layout as diagrams ask for: block widths from the
// page down, text in lines, the size of an svg element. The page is 800 × 600
// with the body's margin of 8.

const PAGE = { width: 800, height: 600, margin: 8 };

const pxOf = (c, name, percent) => { const v = value(c, name); return v === '' || v === 'auto' || v === 'none' ? NaN : toPx(v, fontSize(c), percent); };
const box = (c, side) => (pxOf(c, 'padding-' + side, 0) || 0) + (pxOf(c, `border-${side}-width`, 0) || 0);

// htmlWidth is the width of an element's content box.
function htmlWidth(el) {
  if (el === null || el._type !== 1 || el._local === 'html') return PAGE.width;
  const c = computed(el);
  const outer = el._local === 'body' ? PAGE.width - 2 * PAGE.margin : htmlWidth(el._parent);
  const width = pxOf(c, 'width', outer);
  const most = pxOf(c, 'max-width', outer);
  const least = pxOf(c, 'min-width', outer);
  let w = width;
  if (Number.isNaN(w)) {
    const fits = value(c, 'position') === 'absolute' || value(c, 'position') === 'fixed' || /^(?:inline|table-cell|inline-block|inline-flex|table)$/.test(value(c, 'display')) || el._parent?._local === 'foreignObject';
    w = fits ? Math.min(lines(el, Infinity).width, outer) : outer - box(c, 'left') - box(c, 'right');
  }
  if (most < w) w = most;
  if (least > w) w = least;
  return w;
}

function lineHeight(c) {
  const v = value(c, 'line-height');
  if (v === 'normal') { const m = metricsOf(fontKey(c, 1)); return m.ascent + m.descent; }
  const px = toPx(v, fontSize(c), fontSize(c));
  return /^[\d.]+$/.test(v) ? px * fontSize(c) : px || 0;
}

// lines sets the inline content of an element: its widest line and its height.
function lines(el, width) {
  const c = computed(el);
  const tall = lineHeight(c);
  let widest = 0;
  let height = 0;
  let x = 0;
  let open = false;
  let gap = 0;
  const flush = () => { if (open) { widest = Math.max(widest, x); height += tall; } x = 0; open = false; gap = 0; };
  const wraps = !/^(?:nowrap|pre)$/.test(value(c, 'white-space'));
  const walk = (node) => {
    for (let n = node._first; n !== null; n = n._next) {
      if (n._type === 3) {
        const nc = computed(n._parent);
        const key = fontKey(nc, 1);
        for (const part of n._data.split(/([ \n\t\r]+)/)) {
          if (part === '') continue;
          if (/^[ \n\t\r]/.test(part)) { if (open) gap = measureText(key, textStyle(nc).spacing, ' ')[0]; continue; }
          const w = measureText(key, textStyle(nc).spacing, part)[0];
          if (open && wraps && x + gap + w > width + 0.01) flush();
          x += (open ? gap : 0) + w;
          gap = 0;
          open = true;
        }
      } else if (n._type === 1) {
        const nc = computed(n);
        const display = value(nc, 'display');
        if (display === 'none') continue;
        if (n._local === 'br') { if (!open) height += tall; flush(); } else if (n._local === 'svg') { const s = svgSize(n); x += s.width; open = true; height = Math.max(height, s.height - tall); } else if (display === 'block' || display === 'flex') {
          flush();
          const inner = lines(n, width);
          widest = Math.max(widest, inner.width);
          height += inner.height;
        } else walk(n);
      }
    }
  };
  walk(el);
  flush();
  return { width: widest, height };
}

function htmlSize(el) {
  if (el._local === 'html') return { width: PAGE.width, height: PAGE.height };
  const c = computed(el);
  const width = htmlWidth(el);
  const fixed = pxOf(c, 'height', PAGE.height);
  let height = Number.isNaN(fixed) ? lines(el, width).height : fixed;
  if (Number.isNaN(fixed)) {
    height = Math.max(height, pxOf(c, 'min-height', PAGE.height) || 0);
  }
  return { width: width + box(c, 'left') + box(c, 'right'), height: height + box(c, 'top') + box(c, 'bottom') };
}

// htmlPosition is good enough for what asks: only differences are used.
function htmlPosition(el) {
  let y = el._local === 'html' ? 0 : PAGE.margin;
  const x = el._local === 'html' ? 0 : PAGE.margin;
  for (let n = el; n !== null && n._type === 1 && n._local !== 'body'; n = n._parent) {
    for (let p = n._prev; p !== null; p = p._prev) {
      if (p._type === 1 && p._ns === HTML && value(computed(p), 'display') === 'block' && n._parent?._local !== 'html') y += htmlSize(p).height;
    }
  }
  return { x, y };
}

// svgSize is the box of an outermost svg (CSS 2 §10.3.2: replaced elements).
function svgSize(svg) {
  const c = computed(svg);
  const outer = htmlWidth(svg._parent);
  const vb = viewBox(svg);
  const ask = (name, percent) => {
    const own = c.own.get(name);
    const v = own ?? svg._attrs.get(name);
    return v === undefined || v === 'auto' ? NaN : toPx(v, fontSize(c), percent);
  };
  let width = ask('width', outer);
  let height = ask('height', NaN);
  const ratio = vb !== null && vb[2] > 0 && vb[3] > 0 ? vb[3] / vb[2] : NaN;
  const most = pxOf(c, 'max-width', outer);
  if (Number.isNaN(width)) width = Number.isNaN(height) || Number.isNaN(ratio) ? (Number.isNaN(ratio) ? 300 : outer) : height / ratio;
  if (most < width) width = most;
  if (Number.isNaN(height)) height = Number.isNaN(ratio) ? 150 : width * ratio;
  return { width, height };
}

function clientSize(el) {
  const r = clientRect(el);
  return { width: Math.round(r.width), height: Math.round(r.height) };
}
