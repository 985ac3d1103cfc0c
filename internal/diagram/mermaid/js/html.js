// Some renderers draw labels as HTML whatever the configuration says (eventmodeling,
// venn, architecture's iconText, class notes). SVG 1.1 has none, so their text is
// drawn as text, in the middle of the box that the HTML had.
const SVG_NS = "http://www.w3.org/2000/svg";
const textForHTML = (svg) => {
  if (!svg) return;
  for (const box of [...svg.querySelectorAll("foreignObject")]) {
    const number = (name) => parseFloat(box.getAttribute(name)) || 0;
    const lines = htmlLines(box);
    if (lines.length === 0) {
      box.remove();
      continue;
    }
    const inner = box.querySelector("span, p, div") ?? box;
    const style = getComputedStyle(inner);
    const size = parseFloat(style.fontSize) || 16;
    const label = document.createElementNS(SVG_NS, "text");
    const x = number("x") + number("width") / 2;
    const y = number("y") + number("height") / 2 - ((lines.length - 1) * size * 1.2) / 2;
    const attributes = { x, y, "text-anchor": "middle", "dominant-baseline": "central", style: `font-size: ${size}px; fill: ${style.color || "currentColor"}` };
    for (const name of Object.keys(attributes)) label.setAttribute(name, String(attributes[name]));
    lines.forEach((line, i) => {
      const span = document.createElementNS(SVG_NS, "tspan");
      span.setAttribute("x", String(x));
      if (i > 0) span.setAttribute("dy", "1.2em");
      span.textContent = line;
      label.appendChild(span);
    });
    box.replaceWith(label);
  }
};

// htmlLines gives an element's text, cut where its HTML breaks.
const htmlLines = (element) => {
  const lines = [""];
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) lines[lines.length - 1] += child.data;
      else if (child.nodeType === 1) {
        const name = child.localName.toLowerCase();
        const breaks = name === "br" || name === "p" || name === "div" || name === "li";
        if (breaks && lines[lines.length - 1].trim()) lines.push("");
        walk(child);
      }
    }
  };
  walk(element);
  return lines.map((s) => s.replace(/\s+/g, " ").trim()).filter(Boolean);
};
