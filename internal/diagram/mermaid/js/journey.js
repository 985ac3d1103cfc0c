// journey's labels are SVG text only where mermaid forgets two things: its style sheet
// gives them the colour of the box that they stand in, and they are not wrapped. Here
// they get what HTML labels have.
const journeyLabels = (svg) => {
  if (!svg) return;
  const sample = svg.appendChild(document.createElementNS(SVG_NS, "g"));
  sample.setAttribute("class", "label");
  const colour = getComputedStyle(sample).color;
  sample.remove();
  for (const label of svg.querySelectorAll("text.task, text.journey-section")) {
    if (colour) label.style.fill = colour;
    const box = label.parentNode.querySelector("rect");
    // With a <br> there are several texts in a box, each in its place already.
    if (!box || label.parentNode.querySelectorAll("text").length > 1) continue;
    const [x, text] = [label.getAttribute("x"), label.textContent];
    label.textContent = "";
    const rows = wrapped([{ text }], parseFloat(box.getAttribute("width")) - 4, label);
    const size = parseFloat(getComputedStyle(label).fontSize) || 14;
    rows.forEach(([run], i) => {
      const span = label.appendChild(document.createElementNS(SVG_NS, "tspan"));
      span.setAttribute("x", x);
      span.setAttribute("dy", String(i > 0 ? size : (-size * (rows.length - 1)) / 2));
      span.textContent = run.text;
    });
  }
};
