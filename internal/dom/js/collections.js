// collections.js: lists of nodes, attributes and tokens (DOM §4.2.10, §4.9, §7.1).

class NodeList extends Array {
  static get [Symbol.species]() { return Array; }
  item(i) { return this[i] ?? null; }
}
class HTMLCollection extends NodeList {
  namedItem(name) { return this.find((e) => e.id === name || e.getAttribute('name') === name) ?? null; }
}

// An element keeps its attributes as strings; an Attr is made when asked for.
class Attr extends Node {
  constructor(owner, name) { super(owner ? owner._doc : null); this._owner = owner; this._name = name; this._value = ''; }
  _nodeName() { return this._name; }
  get name() { return this._name; }
  get localName() { return this._owner?._spaces?.get(this._name)?.local ?? this._name; }
  get prefix() { return this._owner?._spaces?.get(this._name)?.prefix ?? null; }
  get namespaceURI() { return this._owner?._spaces?.get(this._name)?.ns ?? null; }
  get ownerElement() { return this._owner; }
  get specified() { return true; }
  get value() { return this._owner === null ? this._value : this._owner.getAttribute(this._name) ?? this._value; }
  set value(v) { if (this._owner === null) this._value = String(v); else this._owner.setAttribute(this._name, v); }
  get nodeValue() { return this.value; }
  set nodeValue(v) { this.value = v; }
  get textContent() { return this.value; }
  set textContent(v) { this.value = v; }
}

Attr.prototype._type = 2;

// NamedNodeMap is made for one state of an element; element.js drops it when
// an attribute comes or goes.
class NamedNodeMap extends Array {
  static get [Symbol.species]() { return Array; }
  item(i) { return this[i] ?? null; }
  getNamedItem(name) { return this.find((a) => a.name === name) ?? null; }
  getNamedItemNS(ns, local) { return this.find((a) => a.namespaceURI === ns && a.localName === local) ?? null; }
  removeNamedItem(name) { const a = this.getNamedItem(name); if (a) a.ownerElement.removeAttribute(name); return a; }
  setNamedItem(attr) { this._element.setAttribute(attr.name, attr.value); return attr; }
}

class DOMTokenList {
  constructor(el, attr) { this._el = el; this._attr = attr; }
  _tokens() { return [...new Set(words(this._el.getAttribute(this._attr)))]; }
  _set(tokens) { this._el.setAttribute(this._attr, tokens.join(' ')); }
  get length() { return this._tokens().length; }
  get value() { return this._el.getAttribute(this._attr) ?? ''; }
  set value(v) { this._el.setAttribute(this._attr, v); }
  item(i) { return this._tokens()[i] ?? null; }
  contains(token) { return words(this._el.getAttribute(this._attr)).includes(String(token)); }
  add(...tokens) { this._set([...new Set([...this._tokens(), ...tokens.map(String)])]); }
  remove(...tokens) {
    if (this._el.hasAttribute(this._attr)) this._set(this._tokens().filter((t) => !tokens.includes(t)));
  }
  toggle(token, force) {
    const on = force ?? !this.contains(token);
    if (on) this.add(token); else this.remove(token);
    return on;
  }
  replace(from, to) {
    const tokens = this._tokens();
    const i = tokens.indexOf(from);
    if (i < 0) return false;
    tokens[i] = to;
    this._set(tokens);
    return true;
  }
  forEach(fn, self) { this._tokens().forEach((t, i) => fn.call(self, t, i, this)); }
  keys() { return this._tokens().keys(); }
  values() { return this._tokens().values(); }
  [Symbol.iterator]() { return this._tokens().values(); }
  toString() { return this.value; }
}
