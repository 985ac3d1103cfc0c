// element.js: elements and their attributes (DOM §4.9).

// styleAttributes are those a style may depend on: presentation attributes
// here, and whatever attribute selectors name (selectors.js adds those).
const styleAttributes = new Set(['class', 'id', 'style', 'xml:space']);

// sound are names of attributes that were found to be valid.
const sound = new Set();

class Element extends Node {
  constructor(doc, ns, name) {
    super(doc);
    this._ns = ns;
    this._name = name;
    const colon = name.indexOf(':');
    this._local = colon < 0 ? name : name.slice(colon + 1);
    this._attrs = new Map(); // qualified name → value, in order
    this._spaces = null; // qualified name → {ns, prefix, local}, of namespaced ones
    this._map = null; // NamedNodeMap of the present attributes
    this._classes = null; // tokens of class
    this._style = null; // CSSStyleDeclaration
    this._computed = null; // cascade.js
    this._box = null; // geometry.js
    this._boxVersion = 0;
    this._boxBasis = null;
    this._scale = 1;
    this._scaleVersion = 0;
    this._view = null; // of an outermost svg, what its view box does
  }
  _nodeName() { return this.tagName; }
  get tagName() { return this._ns === HTML && this._doc._isHTML ? this._name.toUpperCase() : this._name; }
  get namespaceURI() { return this._ns; }
  get localName() { return this._local; }
  get prefix() { const i = this._name.indexOf(':'); return i < 0 ? null : this._name.slice(0, i); }
  get shadowRoot() { return null; }
  // Redefined here, for DOMPurify looks them up from Element.prototype.
  get id() { return this._attrs.get('id') ?? ''; }
  set id(v) { this.setAttribute('id', v); }
  get classList() { return this._tokens ??= new DOMTokenList(this, 'class'); }
  set classList(v) { this.setAttribute('class', v); }
  get attributes() {
    if (this._map === null) {
      this._map = new NamedNodeMap();
      this._map._element = this;
      for (const name of this._attrs.keys()) this._map.push(new Attr(this, name));
    }
    return this._map;
  }
  hasAttributes() { return this._attrs.size > 0; }
  getAttributeNames() { return [...this._attrs.keys()]; }
  getAttribute(name) { return this._attrs.get(sound.has(name) && this._ns !== HTML ? name : this._key(name)) ?? null; }
  getAttributeNS(ns, local) {
    const key = this._find(ns || null, String(local));
    return key === null ? null : this._attrs.get(key);
  }
  hasAttribute(name) { return this._attrs.has(this._key(name)); }
  hasAttributeNS(ns, local) { return this._find(ns || null, String(local)) !== null; }
  setAttribute(name, value) {
    if (!sound.has(name) || this._ns === HTML) {
      name = this._key(name);
      if (name === '' || /[\s"'<>/=\u0000]/.test(name)) throw new DOMException(`'${name}' is not a valid attribute name.`, 'InvalidCharacterError');
      if (this._ns !== HTML && sound.size < 1000) sound.add(name);
    }
    setAttr(this, name, `${value}`);
  }
  setAttributeNS(ns, name, value) {
    name = String(name);
    // d3 sets ("…/xlink", "href"): written out it is "xlink:href" in any case.
    if (!name.includes(':')) name = ns === XLINK ? 'xlink:' + name : ns === XML ? 'xml:' + name : name;
    const i = name.indexOf(':');
    if (ns && (i >= 0 || ns === XMLNS)) {
      const local = name.slice(i + 1);
      const key = this._find(ns, local) ?? name;
      (this._spaces ??= new Map()).set(key, { ns, prefix: i < 0 ? null : name.slice(0, i), local });
      name = key;
    }
    setAttr(this, name, `${value}`);
  }
  removeAttribute(name) { removeAttr(this, this._key(name)); }
  removeAttributeNS(ns, local) {
    const key = this._find(ns || null, String(local));
    if (key !== null) removeAttr(this, key);
  }
  toggleAttribute(name, force) {
    const on = force ?? !this.hasAttribute(name);
    if (!on) this.removeAttribute(name);
    else if (!this.hasAttribute(name)) this.setAttribute(name, '');
    return on;
  }
  getAttributeNode(name) { return this.attributes.getNamedItem(this._key(name)); }
  setAttributeNode(attr) { this.setAttribute(attr.name, attr.value); return null; }
  removeAttributeNode(attr) {
    if (attr._owner !== this || !this._attrs.has(attr._name)) throw new DOMException('The node provided is not an attribute of this element.', 'NotFoundError');
    attr._value = attr.value;
    const name = attr._name;
    removeAttr(this, name);
    attr._owner = null;
    return attr;
  }
  // _key lower-cases names on HTML elements of HTML documents.
  _key(name) {
    name = `${name}`;
    return this._ns === HTML && this._doc._isHTML ? name.toLowerCase() : name;
  }
  _find(ns, local) {
    if (ns === null) return this._attrs.has(local) ? local : null;
    if (this._spaces !== null) for (const [key, s] of this._spaces) if (s.ns === ns && s.local === local && this._attrs.has(key)) return key;
    return null;
  }
  matches(selector) { return matches(this, selector); }
  closest(selector) {
    for (let e = this; e !== null && e._type === 1; e = e._parent) if (matches(e, selector)) return e;
    return null;
  }
  remove() { detach(this); }
  before(...nodes) { insertAll(this._parent, nodes, this); }
  after(...nodes) { insertAll(this._parent, nodes, this._next); }
  replaceWith(...nodes) { replaceWith(this, nodes); }
  get nextElementSibling() { return nextElement(this); }
  get previousElementSibling() { return previousElement(this); }
  insertAdjacentElement(where, el) { insertAdjacent(this, where, el); return el; }
  insertAdjacentText(where, text) { insertAdjacent(this, where, new Text(String(text), this._doc)); }
  insertAdjacentHTML(where, text) { insertAdjacent(this, where, parseInto(this, String(text))); }
  get innerHTML() { return innerHTML(this); }
  set innerHTML(text) {
    const target = this._content ?? this; // a template's children live in its content
    const fragment = parseInto(this, text === null ? '' : String(text));
    replaceAll(target, null);
    insert(target, fragment, null);
  }
  get outerHTML() { return outerHTML(this); }
  set outerHTML(text) { replaceWith(this, [parseInto(this._parent, String(text))]); }
  getBoundingClientRect() { return clientRect(this); }
  getClientRects() { return [clientRect(this)]; }
  get clientWidth() { return clientSize(this).width; }
  get clientHeight() { return clientSize(this).height; }
  get clientTop() { return 0; }
  get clientLeft() { return 0; }
  get scrollWidth() { return this.clientWidth; }
  get scrollHeight() { return this.clientHeight; }
  get scrollTop() { return 0; }
  set scrollTop(_) {}
  get scrollLeft() { return 0; }
  set scrollLeft(_) {}
  scrollIntoView() {}
  focus() {}
  blur() {}
  click() {}
  _copy(doc) {
    const copy = createElement(doc, this._ns, this._name);
    for (const [k, v] of this._attrs) copy._attrs.set(k, v);
    if (this._spaces !== null) copy._spaces = new Map(this._spaces);
    return copy;
  }
}
mixin(Element, parentNodeMixin);
Element.prototype._type = 1;

function setAttr(el, name, value) {
  const old = el._attrs.get(name);
  el._attrs.set(name, value);
  if (old === undefined) el._map = null;
  else if (old === value) return;
  attrChanged(el, name, old ?? null, value);
}

function removeAttr(el, name) {
  const old = el._attrs.get(name);
  if (old === undefined) return;
  el._attrs.delete(name);
  el._spaces?.delete(name);
  el._map = null;
  attrChanged(el, name, old, null);
}

function attrChanged(el, name, old, value) {
  touch(el);
  if (el._local === 'svg') viewEpoch++;
  if (styleAttributes.has(name)) el._computed = null;
  if (name === 'class') el._classes = null;
  else if (name === 'style') el._style?._reset();
  else if (name === 'id' && el._connected) el._doc._idChanged(el, old, value);
}

// classesOf gives the tokens of class, of which nobody changes the list.
const classLists = new Map();
function classesOf(el) {
  const text = el._attrs.get('class');
  let list = classLists.get(text);
  if (list === undefined) {
    if (classLists.size > 2000) classLists.clear();
    classLists.set(text, list = words(text));
  }
  return el._classes = list;
}

function insertAdjacent(el, where, node) {
  switch (String(where).toLowerCase()) {
    case 'beforebegin': return insert(el._parent, node, el);
    case 'afterbegin': return insert(el, node, el._first);
    case 'beforeend': return insert(el, node, null);
    case 'afterend': return insert(el._parent, node, el._next);
  }
  throw new DOMException(`The value provided ('${where}') is not one of 'beforebegin', 'afterbegin', 'beforeend', or 'afterend'.`, 'SyntaxError');
}
