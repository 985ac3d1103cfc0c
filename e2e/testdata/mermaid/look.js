// pairs(list) fills the page with pictures beside what mermaid draws in this browser,
// with the settings that webodar draws with.
window.pairs = async (list) => {
  const { default: mermaid } = await import("/mermaid/mermaid.esm.min.mjs");
  const tspan = { textPlacement: "tspan" };
  mermaid.initialize({ startOnLoad: false, htmlLabels: false, securityLevel: "strict", deterministicIds: true, suppressErrorRendering: true, handDrawnSeed: 1, journey: tspan, timeline: tspan });
  // Some types are as wide as what they are drawn in; webodar's page has this width.
  const easel = document.createElement("section");
  easel.style = "position: absolute; width: 784px; visibility: hidden";
  document.body.append(easel);
  const shown = [];
  const put = (cell, svg) => {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    cell.append(image);
    shown.push(image.decode().catch(() => cell.append("cannot be shown")));
  };
  for (const [i, { name, code, svg }] of list.entries()) {
    const pair = document.createElement("figure");
    pair.innerHTML = "<figcaption></figcaption><div></div><div></div>";
    pair.firstChild.textContent = name;
    document.body.append(pair);
    put(pair.children[1], svg);
    try {
      const drawn = await mermaid.render("own" + i, code, easel);
      const box = new DOMParser().parseFromString(drawn.svg, "text/html").querySelector("svg");
      put(pair.children[2], new XMLSerializer().serializeToString(box));
    } catch (e) {
      pair.children[2].textContent = String(e);
    }
  }
  easel.remove();
  await Promise.all(shown);
  return list.length;
};
