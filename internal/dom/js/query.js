// query.js: finding elements: by id through the document's index, otherwise by
// one walk of the subtree.

function* elementsIn(root) {
  for (let n = root._first; n !== null; n = following(n, root)) if (n._type === 1) yield n;
}

function byTagName(root, name) {
  const list = new HTMLCollection();
  const lower = String(name).toLowerCase();
  for (let n = root._first; n !== null; n = following(n, root)) {
    if (n._type === 1 && (name === '*' || (n._ns === HTML ? n._name === lower : n._name === name))) list.push(n);
  }
  return list;
}

function byClassName(root, names) {
  const wanted = words(String(names));
  const list = new HTMLCollection();
  for (let n = root._first; n !== null; n = following(n, root)) {
    if (n._type === 1 && wanted.every((w) => classesOf(n).includes(w))) list.push(n);
  }
  return list;
}

// queryAll and queryOne take the common single "#id" by the index.
function queryOne(root, selector) {
  const parsed = parseSelector(`${selector}`);
  if (parsed.id !== null && root._connected) {
    const hits = (root._doc ?? root)._byId(parsed.id);
    for (const el of hits) if (el !== root && root.contains(el) && matchesList(el, parsed, root)) return el;
    return null;
  }
  for (let n = root._first; n !== null; n = following(n, root)) {
    if (n._type === 1 && matchesList(n, parsed, root)) return n;
  }
  return null;
}

function queryAll(root, selector) {
  const parsed = parseSelector(`${selector}`);
  const list = new NodeList();
  if (parsed.id !== null && root._connected) {
    for (const el of (root._doc ?? root)._byId(parsed.id)) if (el !== root && root.contains(el) && matchesList(el, parsed, root)) list.push(el);
    return list;
  }
  for (let n = root._first; n !== null; n = following(n, root)) {
    if (n._type === 1 && matchesList(n, parsed, root)) list.push(n);
  }
  return list;
}

function matches(el, selector) { return matchesList(el, parseSelector(`${selector}`), el); }
