// Where in the text as submitted a place in the text that a parser saw stands.
// mermaid cuts front matter, directives, comments and leading blank lines off
// before it counts, and rewrites entities.

// Traced is a text that remembers, for each of its units, the offset it had in the
// first text.
class Traced {
  constructor(text, at) {
    this.text = text;
    this.at = at ?? Int32Array.from({ length: text.length + 1 }, (_, i) => i);
  }
  slice(from, to = this.text.length) {
    return new Traced(this.text.slice(from, to), this.at.slice(from, to + 1));
  }
  // replace is String's, for a global expression and a function.
  replace(expression, f) {
    const out = [], at = [];
    let last = 0;
    this.text.replace(expression, (...args) => {
      const index = args.findIndex((a) => typeof a === "number");
      const offset = args[index], match = args[0];
      out.push(this.text.slice(last, offset));
      for (let i = last; i < offset; i++) at.push(this.at[i]);
      const by = f(...args.slice(0, index));
      out.push(by);
      for (let i = 0; i < by.length; i++) at.push(this.at[offset + Math.min(i, match.length - 1)]);
      last = offset + match.length;
      return "";
    });
    out.push(this.text.slice(last));
    for (let i = last; i <= this.text.length; i++) at.push(this.at[i]);
    return new Traced(out.join(""), at);
  }
  trimStart() {
    return this.slice(this.text.length - this.text.trimStart().length);
  }
  // spread gives the offset in this text of an offset in other, which may differ
  // from it in white space alone; -1 if they differ otherwise.
  spread(other, offset) {
    const bare = (s) => s.replace(/\s+/g, "");
    const before = bare(other.slice(0, offset));
    if (!bare(this.text).startsWith(before)) return -1;
    let i = 0;
    for (let n = 0; n < before.length; i++) if (!/\s/.test(this.text[i])) n++;
    if (offset < other.length && !/\s/.test(other[offset])) while (i < this.text.length && /\s/.test(this.text[i])) i++;
    else for (let j = offset - 1; j >= 0 && /\s/.test(other[j]) && /\s/.test(this.text[i] ?? ""); j--) i++;
    return i;
  }
}

// prepared is what mermaid makes of code before it parses (preprocess.ts and
// Diagram.ts), with each step's trace. keepComments: some types parse those.
const prepared = (code, keepComments) => {
  let t = new Traced(code).replace(/\r\n?/g, () => "\n");
  t = t.replace(/<(\w+)([^>]*)>/g, (_, tag, rest) => "<" + tag + rest.replace(/="([^"]*)"/g, "='$1'") + ">");
  const front = core.matchFrontMatter(t.text);
  if (front) t = t.slice(front.length);
  t = t.replace(new RegExp(core.directiveRegex.source, "gi"), () => "");
  if (!keepComments) t = t.replace(/^\s*%%(?!{)[^\n]+\n?/gm, () => "").trimStart();
  const shorter = (s) => s.slice(0, -1);
  return t
    .replace(/style.*:\S*#.*;/g, shorter)
    .replace(/classDef.*:\S*#.*;/g, shorter)
    .replace(/#\w+;/g, (s) => utils.encodeEntities(s));
};

// place gives line and column, from 1, of an offset in a text, and that line. A
// column counts characters, not UTF-16 units.
const place = (code, offset) => {
  offset = Math.max(0, Math.min(offset, code.length));
  const breaks = /\r\n?|\n/g;
  let line = 1, start = 0, end = code.length;
  for (let m; (m = breaks.exec(code)); ) {
    if (m.index >= offset) {
      end = m.index;
      break;
    }
    line++;
    start = m.index + m[0].length;
  }
  return { line, column: [...code.slice(start, offset)].length + 1, source: code.slice(start, end), offset };
};
