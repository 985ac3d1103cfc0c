// document.js: documents (DOM §4.5) and their index of ids.

class Document extends Node {
  constructor(isHTML = false) {
    super(null);
    this._isHTML = isHTML;
    this._connected = true;
    this._ids = null; // id → elements, once anybody asks
    this._iterators = null;
    this._ruleIndex = null;
    this._ruleEpoch = 0;
    this.defaultView = null;
  }
  _nodeName() { return '#document'; }
  get textContent() { return null; }
  set textContent(_) {}
  get contentType() { return this._isHTML ? 'text/html' : 'application/xml'; }
  get compatMode() { return 'CSS1Compat'; }
  get readyState() { return 'complete'; }
  get currentScript() { return null; }
  get activeElement() { return this.body; }
  get characterSet() { return 'UTF-8'; }
  get cookie() { return ''; }
  get referrer() { return ''; }
  get URL() { return 'about:blank'; }
  get location() { return this.defaultView === null ? null : location; }
  get doctype() { return [...this.childNodes].find((n) => n._type === 10) ?? null; }
  get documentElement() { return this.firstElementChild; }
  get body() { return this.documentElement?.children.find((e) => e._local === 'body') ?? null; }
  get head() { return this.documentElement?.children.find((e) => e._local === 'head') ?? null; }
  get title() { return this.head?.querySelector('title')?.textContent ?? ''; }
  set title(_) {}
  get styleSheets() { return []; }
  get fonts() { return { ready: Promise.resolve(), load: () => Promise.resolve([]), check: () => true }; }
  get implementation() {
    return {
      hasFeature: () => true,
      createHTMLDocument: (title) => new DOMParser().parseFromString(title === undefined ? '' : `<title>${escapeText(String(title))}</title>`, 'text/html'),
      createDocument: (ns, name) => {
        const doc = new Document(false);
        if (name) insert(doc, createElement(doc, ns || null, String(name)), null);
        return doc;
      },
    };
  }
  createElement(name) {
    name = `${name}`;
    if (!/^[A-Za-z_:\u0080-\uffff][^\s/>\0]*$/.test(name)) throw new DOMException(`The tag name provided ('${name}') is not a valid name.`, 'InvalidCharacterError');
    return createElement(this, HTML, this._isHTML ? name.toLowerCase() : name);
  }
  createElementNS(ns, name) {
    name = `${name}`;
    if (!/^[A-Za-z_:\u0080-\uffff][^\s/>\0]*$/.test(name)) throw new DOMException(`The qualified name provided ('${name}') is not valid.`, 'InvalidCharacterError');
    return createElement(this, ns || null, name);
  }
  createTextNode(text) { return new Text(text, this); }
  createComment(text) { return new Comment(text, this); }
  createCDATASection(text) { return new Text(text, this); }
  createProcessingInstruction(target, text) { return new ProcessingInstruction(String(target), String(text), this); }
  createDocumentFragment() { return new DocumentFragment(this); }
  createAttribute(name) { return new Attr(null, String(name).toLowerCase()); }
  createEvent() { return Object.assign(new Event(''), { initEvent(type) { this.type = type; }, initCustomEvent(type) { this.type = type; } }); }
  createNodeIterator(root, whatToShow = 0xffffffff, filter = null) { return new NodeIterator(root, whatToShow, filter); }
  createTreeWalker(root, whatToShow = 0xffffffff, filter = null) { return new TreeWalker(root, whatToShow, filter); }
  importNode(node, deep = false) { const copy = node.cloneNode(deep); adopt(copy, this); return copy; }
  adoptNode(node) { detach(node); adopt(node, this); return node; }
  hasFocus() { return false; }
  execCommand() { return false; }
  open() {}
  close() {}
  write() {}
  getElementById(id) { return this._byId(String(id))[0] ?? null; }
  _byId(id) {
    if (this._ids === null) {
      this._ids = new Map();
      for (const el of elementsIn(this)) { const own = el._attrs.get('id'); if (own !== undefined) this._idChanged(el, null, own); }
    }
    const list = this._ids.get(id);
    if (list === undefined) return [];
    if (list.length > 1) list.sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1)); // the first in the document wins
    return list;
  }
  _idChanged(el, old, id) {
    if (this._ids === null) return;
    if (old !== null) {
      const list = this._ids.get(old)?.filter((e) => e !== el);
      if (list?.length) this._ids.set(old, list); else this._ids.delete(old);
    }
    if (id === null) return;
    const list = this._ids.get(id);
    if (list === undefined) this._ids.set(id, [el]); else if (!list.includes(el)) list.push(el);
  }
  _styleElements() { return byTagName(this, 'style'); }
  _copy() { return new Document(this._isHTML); }
}
mixin(Document, parentNodeMixin);
Document.prototype._type = 9;
