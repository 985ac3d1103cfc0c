// parse.js: text to trees. The HTML algorithm itself is Go (html.go), which
// gives a tree as JSON; here it becomes nodes.

const PARSED_SPACES = [HTML, SVG, MATHML];
const ATTR_SPACES = { xlink: XLINK, xml: XML, xmlns: XMLNS };

function build(doc, parent, items, from) {
  for (let i = from; i < items.length; i++) {
    const it = items[i];
    if (typeof it === 'string') link(parent, new Text(it, doc), null);
    else if (it[0] === 0) link(parent, new Comment(it[1], doc), null);
    else if (it[0] === 1) link(parent, new DocumentType(it[1], doc), null);
    else {
      const el = createElement(doc, PARSED_SPACES[it[1]], it[0]);
      const attrs = it[2];
      for (let a = 0; a < attrs.length; a += 2) {
        const name = attrs[a];
        if (el._attrs.has(name)) continue;
        el._attrs.set(name, attrs[a + 1]);
        const colon = it[1] === 0 ? -1 : name.indexOf(':');
        const ns = colon > 0 ? ATTR_SPACES[name.slice(0, colon)] : it[1] !== 0 && name === 'xmlns' ? XMLNS : undefined;
        if (ns) (el._spaces ??= new Map()).set(name, { ns, prefix: colon > 0 ? name.slice(0, colon) : null, local: name.slice(colon + 1) });
      }
      link(parent, el, null);
      build(doc, it[0] === 'template' && it[1] === 0 ? el.content : el, it, 3);
    }
  }
}

// parseInto parses as innerHTML of context does, and gives a fragment.
function parseInto(context, text) {
  const doc = context._doc ?? context;
  const fragment = new DocumentFragment(doc);
  if (text === '') return fragment;
  if (!/[<&\r\0]/.test(text) && context._local !== 'table') {
    link(fragment, new Text(text, doc), null);
    return fragment;
  }
  if (!doc._isHTML) { parseXML(doc, fragment, text, context); return fragment; }
  const ns = context._ns === SVG ? 'svg' : context._ns === MATHML ? 'math' : '';
  build(doc, fragment, host.fragment(text, context._local ?? 'body', ns), 0);
  return fragment;
}

class DOMParser {
  parseFromString(text, type) {
    type = String(type);
    const doc = new Document(type === 'text/html');
    if (type === 'text/html') build(doc, doc, host.document(String(text)), 0);
    else {
      try { parseXML(doc, doc, String(text), null); } catch (e) {
        replaceAll(doc, null);
        const error = createElement(doc, HTML, 'parsererror');
        link(error, new Text(e.message, doc), null);
        link(doc, error, null);
      }
    }
    for (let n = doc._first; n !== null; n = following(n, doc)) n._connected = true;
    return doc;
  }
}

// parseXML reads well-formed XML without a DTD. It throws on anything else.
function parseXML(doc, into, text, context) {
  const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  const fail = () => { throw new DOMException('not well-formed XML', 'SyntaxError'); };
  const decode = (s) => s.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));?/g, (_, hex, dec, name) => (name ? ENTITIES[name] ?? fail() : String.fromCodePoint(parseInt(hex ?? dec, hex ? 16 : 10))));
  const TOKEN = /<!--([^]*?)-->|<!\[CDATA\[([^]*?)\]\]>|<\?([-\w]+)\s*([^]*?)\?>|<!DOCTYPE[^>[]*>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)|[^]/g;
  let at = into;
  const outer = (prefix) => (context ? context.lookupNamespaceURI(prefix) ?? (prefix ? null : context._ns) : null);
  for (const m of text.matchAll(TOKEN)) {
    if (m[1] !== undefined) link(at, new Comment(m[1], doc), null);
    else if (m[2] !== undefined) link(at, new Text(m[2], doc), null);
    else if (m[3] !== undefined) { if (m[3] !== 'xml') link(at, new ProcessingInstruction(m[3], m[4], doc), null); } else if (m[5] !== undefined) {
      if (at === into || at._name !== m[5]) fail();
      at = at._parent;
    } else if (m[6] !== undefined) {
      const attrs = [...m[7].matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map((a) => [a[1], decode(a[2] ?? a[3])]);
      const declared = new Map(attrs.filter(([n]) => n === 'xmlns' || n.startsWith('xmlns:')));
      const space = (prefix) => declared.get(prefix ? 'xmlns:' + prefix : 'xmlns') ?? (at._type === 1 ? at.lookupNamespaceURI(prefix) : null) ?? outer(prefix);
      const colon = m[6].indexOf(':');
      const el = createElement(doc, space(colon > 0 ? m[6].slice(0, colon) : null), m[6]);
      for (const [name, v] of attrs) {
        const i = name.indexOf(':');
        const ns = name === 'xmlns' || name.startsWith('xmlns:') ? XMLNS : i > 0 ? ATTR_SPACES[name.slice(0, i)] ?? space(name.slice(0, i)) : null;
        el.setAttributeNS(ns, name, v);
      }
      link(at, el, null);
      if (m[8] === '') at = el;
    } else if (m[9] !== undefined) { if (at._type !== 9) link(at, new Text(decode(m[9]), doc), null); else if (m[9].trim() !== '') fail(); } else if (!m[0].startsWith('<!DOCTYPE')) fail();
  }
  if (at !== into || (into._type === 9 && !into.documentElement)) fail();
}
