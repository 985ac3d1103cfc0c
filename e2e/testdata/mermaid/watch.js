// watch() looks at a page, or an SVG document, that a picture is in, and gives what it
// found: complaints, and what must be the same with and without the picture.
window.watch = async (slotSelector) => {
  const complaints = [];
  const say = (...words) => complaints.push(words.join(" ").slice(0, 300));
  const slot = document.querySelector(slotSelector);
  const frame = () => new Promise(requestAnimationFrame);
  await frame();

  const SVG = "http://www.w3.org/2000/svg";
  const root = slot.localName === "svg" ? slot : slot.firstElementChild;
  const drawn = root?.localName === "svg" && root.namespaceURI === SVG;
  if (!drawn) say("there is no svg element in", slotSelector, "but", slot.innerHTML);
  if (document.querySelector("parsererror")) say("it is not well-formed");
  if (root !== slot && slot.childNodes.length !== 1) say("beside the svg there is", slot.lastChild.nodeName);

  const acting = new Set("script foreignobject iframe image img audio video animate animatetransform animatemotion set discard handler listener embed object link meta base form input body html template math".split(" "));
  const inside = drawn ? [root, ...root.querySelectorAll("*")] : [];
  for (const element of inside) {
    const name = element.localName;
    if (element.namespaceURI !== SVG) say("an element of another namespace:", element.outerHTML);
    if (acting.has(name.toLowerCase())) say("an element that acts:", element.outerHTML);
    for (const { name: attribute, value } of element.attributes) {
      const lower = attribute.toLowerCase();
      if (lower.startsWith("on")) say("a handler:", attribute, value);
      if (lower === "src" || lower === "srcset") say("a source:", attribute, value);
      if (lower === "href" || lower === "xlink:href") {
        const where = new URL(value, "relative://to.the/page");
        const fine = value.startsWith("#") || (name === "a" && ["http:", "https:", "mailto:"].includes(where.protocol));
        if (!fine) say("a link to", where.href, "on", name);
      }
    }
  }

  // What an event would start, starts now. Links are not followed.
  const stay = (event) => event.preventDefault();
  addEventListener("click", stay, true);
  for (const element of inside) {
    for (const type of ["click", "mouseover", "mouseenter", "pointerover", "focus", "focusin", "load", "error", "begin", "end", "animationstart", "toggle", "scroll", "wheel", "keydown"]) {
      element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    }
  }
  removeEventListener("click", stay, true);

  // Serialised and parsed again, as editors and sanitisers do, it is what it was.
  if (drawn && root !== slot) {
    const again = document.createElement("div");
    again.innerHTML = root.outerHTML;
    if (again.childNodes.length !== 1 || !again.firstChild.isEqualNode(root)) say("parsed again, it is another picture");
    const [place, box] = [slot.getBoundingClientRect(), root.getBoundingClientRect()];
    if (box.left !== place.left || box.top !== place.top || box.width > place.width || box.height > 3 * place.height) {
      say("it stands at", JSON.stringify(box), "in a place at", JSON.stringify(place));
    }
    for (let x = 5; x < innerWidth; x += 90) {
      for (let y = 5; y < innerHeight; y += 60) {
        if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) continue;
        if (root.contains(document.elementFromPoint(x, y))) say("it covers", x, y, "outside its place");
      }
    }
  }
  const ids = new Set();
  for (const { id } of document.querySelectorAll("[id]")) {
    if (ids.has(id)) say("twice in the page: id", id);
    ids.add(id);
  }
  await frame();

  const described = (element) => {
    const style = getComputedStyle(element);
    return [...style].map((p) => p + ": " + style.getPropertyValue(p)).join("\n");
  };
  if (root !== slot) {
    // The first page of a tab has a harmless picture, and says what is right.
    const probes = [...document.querySelectorAll("[data-probe]"), ...[...document.querySelectorAll(".beside svg, .beside svg *")].filter((_, i) => i % 10 === 0)];
    const styles = probes.map(described);
    const right = JSON.parse(sessionStorage.getItem("styles")) ?? styles;
    sessionStorage.setItem("styles", JSON.stringify(right));
    probes.forEach((probe, i) => {
      if (styles[i] === right[i]) return;
      const known = new Set(right[i]?.split("\n"));
      say("the style of", probe.nodeName, "is changed:", styles[i].split("\n").filter((line) => !known.has(line)).join("; "));
    });
  }
  const globals = Object.getOwnPropertyNames(window).sort();
  const prototypes = [Object, Array, Function, String, Element, Promise].map((c) => Object.getOwnPropertyNames(c.prototype).length);
  return { complaints, same: { globals, prototypes, canary: String(window.canary), title: document.title, at: location.href.replace(/\d+/g, "N"), body: document.body?.childElementCount ?? 0, cookie: document.contentType === "text/html" ? document.cookie : "" } };
};
