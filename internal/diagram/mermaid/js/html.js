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
    const style = getComputedStyle(firstText(box).parentNode);
    const size = parseFloat(style.fontSize) || 16;
    const colour = style.color || "currentColor"; // now: style is a live view
    const label = document.createElementNS(SVG_NS, "text");
    box.replaceWith(label);
    const x = number("x") + number("width") / 2;
    const y = number("y") + number("height") / 2;
    const attributes = { x, y, "text-anchor": "middle", "dominant-baseline": "central", style: `font-size: ${size}px; fill: ${colour}` };
    for (const name of Object.keys(attributes)) label.setAttribute(name, String(attributes[name]));
    const rows = lines.flatMap((line) => wrapped(line, number("width"), label));
    label.setAttribute("y", String(y - ((rows.length - 1) * size * 1.2) / 2));
    rows.forEach((line, i) => {
      const span = document.createElementNS(SVG_NS, "tspan");
      span.setAttribute("x", String(x));
      if (i > 0) span.setAttribute("dy", "1.2em");
      if (line.length === 1) write(span, line[0]);
      else for (const run of line) write(span.appendChild(document.createElementNS(SVG_NS, "tspan")), run);
      label.appendChild(span);
    });
  }
};

const firstText = (node) => {
  for (const child of node.childNodes) {
    const found = child.nodeType === 3 ? child.data.trim() && child : child.nodeType === 1 && firstText(child);
    if (found) return found;
  }
  return undefined;
};

// wrapped breaks a line between words where it is wider than width, as it looks in
// label, a text element without children.
const wrapped = (line, width, label) => {
  if (!(width > 0)) return [line];
  const measure = (run) => {
    const span = label.appendChild(document.createElementNS(SVG_NS, "tspan"));
    write(span, run);
    const length = span.getComputedTextLength();
    span.remove();
    return length;
  };
  const rows = [[]];
  let used = 0;
  for (const run of line) {
    const space = measure({ ...run, text: "n n" }) - measure({ ...run, text: "nn" });
    for (const word of run.text.match(/ ?[^ ]+ ?| /g) ?? []) {
      const text = word.trim();
      const length = text ? measure({ ...run, text }) : 0;
      if (used > 0 && used + (word.startsWith(" ") ? space : 0) + length > width + 1) {
        rows.push([]);
        used = 0;
      }
      const row = rows[rows.length - 1];
      const last = row[row.length - 1];
      if (last && alike(last, run)) last.text += word;
      else row.push({ ...run, text: word });
      used += length + space * (word.length - text.length);
    }
  }
  return rows.map(tidy).filter((row) => row.length > 0);
};

const alike = (a, b) => a.bold === b.bold && a.italic === b.italic && a.code === b.code;

const write = (span, { text, bold, italic, code }) => {
  if (bold) span.setAttribute("font-weight", "bold");
  if (italic) span.setAttribute("font-style", "italic");
  if (code) span.setAttribute("font-family", "monospace");
  span.textContent = text;
};

// htmlLines gives an element's text, cut where its HTML breaks: each line is a list of
// runs that look alike, [{ text, bold, italic, code }, …].
const htmlLines = (element) => {
  const lines = [[]];
  const walk = (node, look) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) {
        const line = lines[lines.length - 1];
        const last = line[line.length - 1];
        if (last && alike(last, look)) last.text += child.data;
        else line.push({ ...look, text: child.data });
      } else if (child.nodeType === 1) {
        const name = child.localName.toLowerCase();
        const breaks = name === "br" || name === "p" || name === "div" || name === "li";
        if (breaks && lines[lines.length - 1].some((run) => run.text.trim())) lines.push([]);
        const { bold, italic, code } = look;
        walk(child, {
          bold: bold || name === "b" || name === "strong",
          italic: italic || name === "i" || name === "em",
          code: code || name === "code" || name === "pre",
        });
      }
    }
  };
  walk(element, { bold: false, italic: false, code: false });
  return lines.map(tidy).filter((line) => line.length > 0);
};

// tidy takes the white space out of a line that HTML does not show.
const tidy = (line) => {
  let open = false; // the line so far ends with something that is no space
  for (const run of line) {
    run.text = run.text.replace(/\s+/g, " ");
    if (!open) run.text = run.text.trimStart();
    if (run.text) open = !run.text.endsWith(" ");
  }
  while (line.length > 0 && !(line[line.length - 1].text = line[line.length - 1].text.trimEnd())) line.pop();
  return line.filter((run) => run.text);
};
