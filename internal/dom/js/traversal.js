// traversal.js: NodeIterator and TreeWalker (DOM §6). DOMPurify walks with an
// iterator while it removes nodes, so the pre-removal steps are here too.

const NodeFilter = {
  FILTER_ACCEPT: 1, FILTER_REJECT: 2, FILTER_SKIP: 3, SHOW_ALL: 0xffffffff, SHOW_ELEMENT: 1, SHOW_ATTRIBUTE: 2, SHOW_TEXT: 4, SHOW_CDATA_SECTION: 8, SHOW_PROCESSING_INSTRUCTION: 64, SHOW_COMMENT: 128, SHOW_DOCUMENT: 256, SHOW_DOCUMENT_TYPE: 512, SHOW_DOCUMENT_FRAGMENT: 1024,
};

function accepts(t, node) {
  if (((1 << (node._type - 1)) & t.whatToShow) === 0) return 3;
  if (t.filter == null) return 1;
  return typeof t.filter === 'function' ? t.filter(node) : t.filter.acceptNode(node);
}

function preceding(node, root) {
  if (node === root) return null;
  if (node._prev === null) return node._parent;
  let n = node._prev;
  while (n._last !== null) n = n._last;
  return n;
}

class NodeIterator {
  constructor(root, whatToShow, filter) {
    this.root = root;
    this.whatToShow = whatToShow;
    this.filter = filter;
    this.referenceNode = root;
    this.pointerBeforeReferenceNode = true;
    ((root._doc ?? root)._iterators ??= []).push(this);
  }
  nextNode() { return this._go(true); }
  previousNode() { return this._go(false); }
  detach() {}
  _go(forward) {
    let node = this.referenceNode;
    let before = this.pointerBeforeReferenceNode;
    for (;;) {
      if (before === forward) before = !forward;
      else {
        node = forward ? following(node, this.root) : preceding(node, this.root);
        if (node === null) return null;
      }
      if (accepts(this, node) === 1) break;
    }
    this.referenceNode = node;
    this.pointerBeforeReferenceNode = before;
    return node;
  }
  // _removing runs before node leaves the tree (DOM §6.1).
  _removing(node) {
    if (!node.contains(this.referenceNode) || node.contains(this.root)) return;
    if (this.pointerBeforeReferenceNode) {
      let next = node;
      while (next !== null && next !== this.root && next._next === null) next = next._parent;
      next = next === null || next === this.root ? null : next._next;
      if (next !== null) { this.referenceNode = next; return; }
      this.pointerBeforeReferenceNode = false;
    }
    this.referenceNode = preceding(node, this.root);
  }
}

class TreeWalker {
  constructor(root, whatToShow, filter) { this.root = this.currentNode = root; this.whatToShow = whatToShow; this.filter = filter; }
  nextNode() {
    let n = this.currentNode;
    let result = 1;
    for (;;) {
      n = result !== 2 ? following(n, this.root) : afterSubtree(n, this.root);
      if (n === null) return null;
      result = accepts(this, n);
      if (result === 1) return this.currentNode = n;
    }
  }
  previousNode() {
    for (let n = preceding(this.currentNode, this.root); n !== null; n = preceding(n, this.root)) if (accepts(this, n) === 1) return this.currentNode = n;
    return null;
  }
  parentNode() {
    for (let n = this.currentNode; n !== this.root && n._parent !== null;) { n = n._parent; if (accepts(this, n) === 1) return this.currentNode = n; }
    return null;
  }
  firstChild() { return this._child((n) => n._first, (n) => n._next); }
  lastChild() { return this._child((n) => n._last, (n) => n._prev); }
  nextSibling() { return this._sibling((n) => n._next); }
  previousSibling() { return this._sibling((n) => n._prev); }
  _child(first, next) {
    for (let n = first(this.currentNode); n !== null; n = next(n)) if (accepts(this, n) === 1) return this.currentNode = n;
    return null;
  }
  _sibling(next) {
    if (this.currentNode === this.root) return null;
    for (let n = next(this.currentNode); n !== null; n = next(n)) if (accepts(this, n) === 1) return this.currentNode = n;
    return null;
  }
}

function afterSubtree(node, root) {
  for (let n = node; n !== null && n !== root; n = n._parent) if (n._next !== null) return n._next;
  return null;
}
