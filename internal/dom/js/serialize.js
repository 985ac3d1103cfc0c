// serialize.js: trees to text: the HTML fragment algorithm (HTML §13.3) for
// innerHTML, and well-formed XML for XMLSerializer.

const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);
const RAW = new Set(['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript']);

const escapeText = (s) => (/[&<>\u00a0]/.test(s) ? s.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : s);
const escapeAttr = (s) => (/[&<>"\u00a0]/.test(s) ? s.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : s);

function innerHTML(node) {
  let out = '';
  const from = node._content ?? node;
  const raw = node._ns === HTML && RAW.has(node._local);
  for (let c = from._first; c !== null; c = c._next) out += c._type === 3 && raw ? c._data : outerHTML(c);
  return out;
}

function outerHTML(node) {
  switch (node._type) {
    case 1: {
      let out = '<' + node._name;
      for (const [name, v] of node._attrs) out += ` ${name}="${escapeAttr(v)}"`;
      if (node._ns === HTML && VOID.has(node._local)) return out + '>';
      return `${out}>${innerHTML(node)}</${node._name}>`;
    }
    case 3: return escapeText(node._data);
    case 8: return `<!--${node._data}-->`;
    case 7: return `<?${node.target} ${node._data}>`;
    case 10: return `<!DOCTYPE ${node.name}>`;
    default: return innerHTML(node);
  }
}

// XML 1.0 §2.2: characters that may not stand in a document at all.
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const XML_NAME = /^[A-Za-z_\u00c0-\uffff][-.\w\u00b7-\uffff]*(?::[A-Za-z_\u00c0-\uffff][-.\w\u00b7-\uffff]*)?$/;
const xmlText = (s) => s.replace(NOT_XML, '').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const xmlAttr = (s) => xmlText(s).replace(/"/g, '&quot;').replace(/\t/g, '&#9;').replace(/\n/g, '&#10;').replace(/\r/g, '&#13;');
const PREFIXES = { xlink: XLINK };

function toXML(node, ns = null, prefixes = {}) {
  switch (node._type) {
    case 1: return elementXML(node, ns, prefixes);
    case 3: return xmlText(node._data);
    case 8: return `<!--${node._data.replace(NOT_XML, '').replace(/--/g, '- -').replace(/-$/, '- ')}-->`;
    case 7: return `<?${node.target} ${node._data.replace(/\?>/g, '')}?>`;
    case 10: return `<!DOCTYPE ${node.name}>`;
    default: {
      let out = '';
      for (let c = node._first; c !== null; c = c._next) out += toXML(c, ns, prefixes);
      return out;
    }
  }
}

function elementXML(el, ns, prefixes) {
  const name = XML_NAME.test(el._name) && !el._name.includes(':') ? el._name : el._local.replace(/[^-.\w]/g, '_');
  let out = '<' + name;
  if (el._ns !== ns) out += ` xmlns="${xmlAttr(el._ns ?? '')}"`;
  let known = prefixes;
  for (const [key, v] of el._attrs) {
    if (key === 'xmlns' || !XML_NAME.test(key)) continue;
    const colon = key.indexOf(':');
    if (colon > 0) {
      const prefix = key.slice(0, colon);
      const uri = prefix === 'xmlns' ? v : el._spaces?.get(key)?.ns ?? PREFIXES[prefix] ?? (prefix === 'xml' ? XML : null);
      if (uri === null || uri === '') continue;
      const declares = prefix === 'xmlns' ? key.slice(6) : prefix;
      if (declares !== 'xml' && known[declares] !== uri) {
        if (declares !== prefix || !el._attrs.has('xmlns:' + prefix)) out += ` xmlns:${declares}="${xmlAttr(uri)}"`;
        known = { ...known, [declares]: uri };
      }
      if (prefix === 'xmlns') continue;
    }
    out += ` ${key}="${xmlAttr(v)}"`;
  }
  const from = el._content ?? el;
  if (from._first === null) return out + '/>';
  out += '>';
  for (let c = from._first; c !== null; c = c._next) out += toXML(c, el._ns, known);
  return `${out}</${name}>`;
}

class XMLSerializer {
  serializeToString(node) { return toXML(node); }
}
