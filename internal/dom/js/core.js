// core.js: what every other part uses: namespaces, host functions, errors and
// the version counters behind the caches.

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

// The Go functions (host.go) leave the global object here: a diagram's script
// could otherwise call them.
const host = {};
for (const name of ['font', 'text', 'path', 'length', 'point', 'document', 'fragment', 'btoa', 'atob']) {
  host[name] = globalThis['__dom_' + name];
  delete globalThis['__dom_' + name];
}

// version counts the changes of any tree: measurements are kept with the version
// they were taken at. Changes between which nothing is measured are one, so whoever
// keeps a version takes it from measuring(). styleEpoch counts changes of style sheets.
let version = 1;
let kept = true; // something was measured at this version
function measuring() { kept = true; return version; }
let styleEpoch = 1;

// touch records a change at a node: its ancestors carry the version of the
// last change anywhere below them. viewEpoch counts changes of what
// percentages and scales refer to.
let viewEpoch = 1;
function touch(node) {
  if (kept) { version++; kept = false; }
  if (node._ns !== SVG) viewEpoch++; // pictures take their size from the page they are in
  // Above a node that carries this version, all do.
  for (let n = node; n !== null && n._changed !== version; n = n._parent) n._changed = version;
}

class DOMException extends Error {
  constructor(message = '', name = 'Error') {
    super(message);
    Object.defineProperty(this, 'name', { value: name, configurable: true });
  }
  get code() {
    return { HierarchyRequestError: 3, NotFoundError: 8, NotSupportedError: 9, InvalidCharacterError: 5, SyntaxError: 12 }[this.name] ?? 0;
  }
}

// Events never happen here; listeners are taken and forgotten.
class EventTarget {
  addEventListener() {}
  removeEventListener() {}
  dispatchEvent() { return true; }
}

class Event {
  constructor(type, init = {}) { this.type = String(type); Object.assign(this, init); }
  preventDefault() {}
  stopPropagation() {}
  stopImmediatePropagation() {}
}
class CustomEvent extends Event {}

const SPACES = /[\t\n\f\r ]+/;
const words = (text) => (text ? text.split(SPACES).filter((w) => w !== '') : []);
