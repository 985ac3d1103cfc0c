// node.js: the tree (DOM Standard §4.2 to §4.10). Children are a linked list;
// `childNodes` is made on first use and then kept in step, so it is live.

class Node extends EventTarget {
  constructor(doc) {
    super();
    this._doc = doc;
    this._parent = null;
    this._first = null;
    this._last = null;
    this._prev = null;
    this._next = null;
    this._list = null; // live childNodes, once asked for
    this._connected = false;
    this._changed = 0; // version of the last change here or below
  }
  // Getters on this very prototype, not fields: DOMPurify takes them from here.
  get nodeType() { return this._type; }
  get nodeName() { return this._nodeName(); }
  get nodeValue() { return null; }
  set nodeValue(_) {}
  get ownerDocument() { return this._doc; }
  get parentNode() { return this._parent; }
  get parentElement() { return this._parent !== null && this._parent._type === 1 ? this._parent : null; }
  get firstChild() { return this._first; }
  get lastChild() { return this._last; }
  get nextSibling() { return this._next; }
  get previousSibling() { return this._prev; }
  get isConnected() { return this._connected; }
  get baseURI() { return 'about:blank'; }
  get childNodes() {
    if (this._list === null) {
      this._list = new NodeList();
      for (let c = this._first; c !== null; c = c._next) this._list.push(c);
    }
    return this._list;
  }
  toJSON() { return {}; } // a browser's node has no own properties to write
  hasChildNodes() { return this._first !== null; }
  getRootNode() {
    let n = this;
    while (n._parent !== null) n = n._parent;
    return n;
  }
  contains(other) {
    for (let n = other; n; n = n._parent) if (n === this) return true;
    return false;
  }
  appendChild(node) { return insert(this, node, null); }
  insertBefore(node, ref) {
    if (ref != null && ref._parent !== this) throw new DOMException('The node before which the new node is to be inserted is not a child of this node.', 'NotFoundError');
    return insert(this, node, ref ?? null);
  }
  removeChild(node) {
    if (!node || node._parent !== this) throw new DOMException('The node to be removed is not a child of this node.', 'NotFoundError');
    detach(node);
    return node;
  }
  replaceChild(node, old) {
    if (!old || old._parent !== this) throw new DOMException('The node to be replaced is not a child of this node.', 'NotFoundError');
    const ref = old._next === node ? node._next : old._next;
    detach(old);
    insert(this, node, ref);
    return old;
  }
  cloneNode(deep = false) {
    const copy = this._copy(this._doc);
    if (deep) {
      for (let c = this._first; c !== null; c = c._next) link(copy, c.cloneNode(true), null);
      if (this._content) for (let c = this._content._first; c !== null; c = c._next) link(copy.content, c.cloneNode(true), null);
    }
    return copy;
  }
  normalize() {
    for (let c = this._first, next; c !== null; c = next) {
      next = c._next;
      if (c._type === 3) {
        if (c._data === '') detach(c);
        else for (; next !== null && next._type === 3; next = c._next) { c.data += next._data; detach(next); }
      } else c.normalize();
    }
  }
  get textContent() {
    let text = '';
    for (let n = this._first; n !== null; n = following(n, this)) if (n._type === 3 || n._type === 4) text += n._data;
    return text;
  }
  set textContent(text) { replaceAll(this, text === null || text === undefined || text === '' ? null : new Text(String(text), this._doc)); }
  isSameNode(other) { return this === other; }
  isEqualNode(other) { return !!other && this._type === other._type && toXML(this) === toXML(other); }
  compareDocumentPosition(other) {
    if (this === other) return 0;
    if (this.getRootNode() !== other.getRootNode()) return 1 | 32 | 4;
    if (this.contains(other)) return 16 | 4;
    if (other.contains(this)) return 8 | 2;
    for (let n = this.getRootNode(); n !== null; n = following(n, null)) {
      if (n === this) return 4;
      if (n === other) return 2;
    }
    return 1;
  }
  lookupNamespaceURI(prefix) {
    for (let n = this; n !== null; n = n._parent) {
      const uri = n._type === 1 ? n.getAttribute(prefix ? 'xmlns:' + prefix : 'xmlns') : null;
      if (uri !== null) return uri;
    }
    return null;
  }
  getElementsByTagName(name) { return byTagName(this, name); }
  getElementsByTagNameNS(_, name) { return byTagName(this, name); }
  getElementsByClassName(names) { return byClassName(this, names); }
}
const NODE_TYPES = {
  ELEMENT_NODE: 1, ATTRIBUTE_NODE: 2, TEXT_NODE: 3, CDATA_SECTION_NODE: 4, PROCESSING_INSTRUCTION_NODE: 7, COMMENT_NODE: 8,
  DOCUMENT_NODE: 9, DOCUMENT_TYPE_NODE: 10, DOCUMENT_FRAGMENT_NODE: 11, DOCUMENT_POSITION_DISCONNECTED: 1,
  DOCUMENT_POSITION_PRECEDING: 2, DOCUMENT_POSITION_FOLLOWING: 4, DOCUMENT_POSITION_CONTAINS: 8, DOCUMENT_POSITION_CONTAINED_BY: 16,
};
Object.assign(Node, NODE_TYPES);
Object.assign(Node.prototype, NODE_TYPES);

// following gives the next node in document order inside root.
function following(node, root) {
  if (node._first !== null) return node._first;
  for (let n = node; n !== null && n !== root; n = n._parent) if (n._next !== null) return n._next;
  return null;
}

// link puts a loose node into a parent, without any check: for the parser,
// the cloner and insert below.
function link(parent, node, ref) {
  const prev = ref === null ? parent._last : ref._prev;
  node._parent = parent;
  node._prev = prev;
  node._next = ref;
  if (prev === null) parent._first = node; else prev._next = node;
  if (ref === null) parent._last = node; else ref._prev = node;
  if (parent._list !== null) {
    if (ref === null) parent._list.push(node);
    else parent._list.splice(parent._list.indexOf(ref), 0, node);
  }
}

function insert(parent, node, ref) {
  if (!(node instanceof Node)) throw new TypeError('parameter 1 is not of type \'Node\'.');
  if (node._type === 11) {
    for (let c = node._first; c !== null; c = node._first) insert(parent, c, ref);
    return node;
  }
  if (node._first !== null || node === parent) {
    if (node.contains(parent)) throw new DOMException('The new child element contains the parent.', 'HierarchyRequestError');
  }
  if (node === ref) ref = node._next;
  if (node._parent !== null) detach(node);
  if (node._doc !== parent._doc) adopt(node, parent._type === 9 ? parent : parent._doc);
  link(parent, node, ref);
  touch(parent);
  if (parent._connected) connect(node, true);
  if (parent._local === 'style') sheetChanged(parent);
  return node;
}

function detach(node) {
  const parent = node._parent;
  if (parent === null) return;
  const iterators = (node._doc ?? parent)._iterators;
  if (iterators) for (const it of iterators) it._removing(node);
  if (node._prev === null) parent._first = node._next; else node._prev._next = node._next;
  if (node._next === null) parent._last = node._prev; else node._next._prev = node._prev;
  if (parent._list !== null) parent._list.splice(parent._list.indexOf(node), 1);
  node._parent = node._prev = node._next = null;
  touch(parent);
  if (node._connected) connect(node, false);
  if (parent._local === 'style') sheetChanged(parent);
}

function replaceAll(parent, node) {
  while (parent._last !== null) detach(parent._last);
  if (node !== null) insert(parent, node, null);
}

function adopt(node, doc) {
  for (let n = node; n !== null; n = following(n, node)) n._doc = doc;
}

// connect marks a subtree as in or out of its document, and keeps the
// document's list of ids and style sheets.
function connect(node, on) {
  connectOne(node, on);
  for (let n = node._first; n !== null; n = following(n, node)) connectOne(n, on);
}

function connectOne(n, on) {
  n._connected = on;
  if (n._type !== 1) return;
  const id = n._attrs.get('id');
  if (id !== undefined) n._doc._idChanged(n, on ? null : id, on ? id : null);
  if (n._local === 'style') sheetChanged(n);
}

class CharacterData extends Node {
  constructor(data, doc) { super(doc); this._data = data; }
  get data() { return this._data; }
  set data(v) {
    this._data = v === null ? '' : String(v);
    touch(this._parent ?? this);
    if (this._parent !== null && this._parent._local === 'style') sheetChanged(this._parent);
  }
  get nodeValue() { return this._data; }
  set nodeValue(v) { this.data = v ?? ''; }
  get textContent() { return this._data; }
  set textContent(v) { this.data = v ?? ''; }
  get length() { return this._data.length; }
  substringData(from, count) { return this._data.substr(from, count); }
  appendData(text) { this.data += text; }
  remove() { detach(this); }
  before(...nodes) { insertAll(this._parent, nodes, this); }
  after(...nodes) { insertAll(this._parent, nodes, this._next); }
  replaceWith(...nodes) { replaceWith(this, nodes); }
  get nextElementSibling() { return nextElement(this); }
  get previousElementSibling() { return previousElement(this); }
}
class Text extends CharacterData {
  constructor(data = '', doc = document) { super(String(data), doc); }
  _nodeName() { return '#text'; }
  get wholeText() { return this._data; }
  splitText(at) {
    const rest = new Text(this._data.slice(at), this._doc);
    this.data = this._data.slice(0, at);
    if (this._parent !== null) insert(this._parent, rest, this._next);
    return rest;
  }
  _copy(doc) { return new Text(this._data, doc); }
}
class Comment extends CharacterData {
  constructor(data = '', doc = document) { super(String(data), doc); }
  _nodeName() { return '#comment'; }
  _copy(doc) { return new Comment(this._data, doc); }
}
class ProcessingInstruction extends CharacterData {
  constructor(target, data, doc) { super(data, doc); this.target = target; }
  _nodeName() { return this.target; }
  _copy(doc) { return new ProcessingInstruction(this.target, this._data, doc); }
}
class DocumentType extends Node {
  constructor(name, doc) { super(doc); this.name = name; this.publicId = this.systemId = ''; }
  _nodeName() { return this.name; }
  get textContent() { return null; }
  set textContent(_) {}
  remove() { detach(this); }
  _copy(doc) { return new DocumentType(this.name, doc); }
}
class DocumentFragment extends Node {
  constructor(doc = document) { super(doc); }
  _nodeName() { return '#document-fragment'; }
  getElementById(id) { return this.querySelector('#' + escapeCSS(id)); }
  _copy(doc) { return new DocumentFragment(doc); }
}

// Mixins of ParentNode and ChildNode.
const asNode = (v, doc) => (v instanceof Node ? v : new Text(String(v), doc));
function insertAll(parent, nodes, ref) {
  if (parent === null) return;
  for (const n of nodes) insert(parent, asNode(n, parent._doc), ref);
}
function replaceWith(node, nodes) {
  const parent = node._parent;
  if (parent === null) return;
  const ref = node._next;
  detach(node);
  insertAll(parent, nodes, ref);
}
function nextElement(n) {
  for (n = n._next; n !== null && n._type !== 1; n = n._next);
  return n;
}
function previousElement(n) {
  for (n = n._prev; n !== null && n._type !== 1; n = n._prev);
  return n;
}
const parentNodeMixin = {
  append(...nodes) { insertAll(this, nodes, null); },
  prepend(...nodes) { insertAll(this, nodes, this._first); },
  replaceChildren(...nodes) { replaceAll(this, null); insertAll(this, nodes, null); },
  querySelector(selector) { return queryOne(this, selector); },
  querySelectorAll(selector) { return queryAll(this, selector); },
  get children() {
    const list = new HTMLCollection();
    for (let c = this._first; c !== null; c = c._next) if (c._type === 1) list.push(c);
    return list;
  },
  get childElementCount() { return this.children.length; },
  get firstElementChild() { return this._first === null || this._first._type === 1 ? this._first : nextElement(this._first); },
  get lastElementChild() { return this._last === null || this._last._type === 1 ? this._last : previousElement(this._last); },
};
function mixin(cls, from) { Object.defineProperties(cls.prototype, Object.getOwnPropertyDescriptors(from)); }
mixin(DocumentFragment, parentNodeMixin);

// The kinds of node, as constants on the prototypes.
for (const [cls, type] of [[Node, 0], [Text, 3], [ProcessingInstruction, 7], [Comment, 8], [DocumentType, 10], [DocumentFragment, 11]]) cls.prototype._type = type;
