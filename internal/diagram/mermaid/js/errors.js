// What went wrong, as facts: what kind of failure, where in the text as submitted,
// what stood there and what could have. Go makes sentences of them (problem.go).

// explain is called with what mermaid threw. The engine's own exceptions, out of
// memory and of stack, go on to Go.
const explain = async (e, code) => {
  if (e === null || e === undefined || e.name === "InternalError") throw e;
  const facts = { message: String(e.message ?? e), name: String(e.name ?? ""), type: seen.diagram ? publicType(seen.diagram.type) : "" };
  for (const reader of [readYAML, readUnknown, readJison, readLangium]) {
    if (await reader(e, code, facts)) return facts;
  }
  if (seen.diagram && !seen.parsed) facts.at = await findStatement(code, facts.message);
  facts.at ??= findNamed(code, facts.message);
  // What is thrown while drawing, and names a place, is the diagram's fault too.
  facts.kind = seen.parsed && !facts.at ? "draw" : "semantic";
  return facts;
};

const readYAML = (e, code, facts) => {
  if (e.name !== "YAMLException" || !e.mark) return false;
  const front = core.matchFrontMatter(code.replace(/\r\n?/g, "\n"));
  const top = place(code, code.indexOf("---")).line;
  const lines = front ? front.body.split("\n").length : 1;
  // The end of the stream is reported on the line after the last.
  const row = Math.min(e.mark.line, lines - 1);
  const source = code.split(/\r\n?|\n/)[top + row] ?? "";
  const column = row < e.mark.line ? [...source.trimEnd()].length + 1 : e.mark.column + (front?.indent.length ?? 0) + 1;
  Object.assign(facts, { kind: "yaml", message: String(e.reason ?? e.message), at: { line: top + row + 1, column, source } });
  return true;
};

const readUnknown = (e, code, facts) => {
  if (e.name !== "UnknownDiagramError") return false;
  const t = prepared(code, false);
  const word = /\S+/.exec(t.text);
  Object.assign(facts, { kind: "unknown", message: "", word: word ? word[0].slice(0, 100) : "" });
  if (word) facts.at = place(code, t.at[word.index]);
  return true;
};

const readJison = (e, code, facts) => {
  if (e.hash === null || typeof e.hash !== "object" || !seen.lexer) return false;
  // Some databases throw with a hash of their own making.
  if (!/(?:Parse|Lexical) error on line/.test(facts.message)) return false;
  const { match, _input } = seen.lexer;
  const lexical = e.hash.token === null;
  const given = seen.input;
  const offset = given.length - String(_input ?? "").length - (lexical ? 0 : String(match ?? "").length);
  Object.assign(facts, {
    kind: lexical ? "lexer" : "parser",
    found: { token: String(e.hash.token ?? ""), text: String(lexical ? (_input ?? "").slice(0, 20) : match ?? "").slice(0, 200) },
    expected: (e.hash.expected ?? []).map((name) => String(name).replace(/^'|'$/g, "")),
    at: trace(code, given, offset),
  });
  return true;
};

const readLangium = (e, code, facts) => {
  const result = e.result ?? e.cause?.result;
  const lexer = result?.lexerErrors?.[0], parser = result?.parserErrors?.[0];
  if (!lexer && !parser) return false;
  const given = prepared(code, seen.diagram?.db?.preserveCommentsWhenParsing).text + "\n";
  if (lexer && !(parser?.token?.startOffset < lexer.offset)) {
    const found = given.slice(lexer.offset, lexer.offset + Math.max(1, lexer.length));
    Object.assign(facts, { kind: "lexer", message: lexer.message, found: { token: "", text: found.slice(0, 200) }, at: trace(code, given, lexer.offset) });
    return true;
  }
  const { token, previousToken } = parser;
  const eof = !(token?.startOffset >= 0);
  const offset = !eof ? token.startOffset : previousToken?.endOffset >= 0 ? previousToken.endOffset + 1 : given.length;
  Object.assign(facts, {
    kind: "parser", message: parser.message,
    found: { token: eof ? "EOF" : String(token.tokenType?.name ?? ""), text: eof ? "" : String(token.image).slice(0, 200) },
    expected: wanted(parser.message),
    at: trace(code, given, offset),
  });
  return true;
};

// wanted reads what a Chevrotain message says was expected.
const wanted = (message) => {
  const one = /Expecting token of type '([^']+)'/.exec(message);
  if (one) return [one[1]];
  const out = [];
  for (const m of message.matchAll(/^\s*\d+\.\s*\[([^\],]+)/gm)) if (!out.includes(m[1])) out.push(m[1]);
  const set = /expecting[^<]*<?\[?([^\]>]*)/i.exec(message);
  return out.length || !set ? out : [...set[1].matchAll(/'([^']+)'/g)].map((m) => m[1]);
};

// trace gives the place in code of an offset in what a parser was given. An offset
// in white space is that of the end of the text before it.
const trace = (code, given, offset) => {
  let end = offset;
  while (end > 0 && /\s/.test(given[end - 1])) end--;
  const blank = offset >= given.length || /\s/.test(given[offset]);
  const t = prepared(code, seen.diagram?.db?.preserveCommentsWhenParsing);
  // What a parser made of its input before it parsed can differ in white space.
  let i = t.spread(given, blank && end > 0 ? end - 1 : offset);
  if (i < 0) return undefined;
  if (blank && end > 0) {
    const last = place(code, t.at[i]);
    return { ...last, column: last.column + 1, offset: last.offset + 1 };
  }
  return place(code, t.at[i]);
};

// findStatement finds the line whose statement throws an error that names no line:
// the shortest beginning of the text that fails in the same way ends with it.
const MAX_SEARCHED = 20000;
const findStatement = async (code, message) => {
  const { type, db } = seen.diagram;
  const t = prepared(code, db?.preserveCommentsWhenParsing);
  if (t.text.length > MAX_SEARCHED) return undefined;
  const lines = t.text.split("\n");
  const fails = async (text) => {
    try {
      core.setDiagramConfigScope(type);
      const { db, parser } = core.getDiagram(type);
      if (parser.parser) parser.parser.yy = db;
      db.clear?.();
      await parser.parse(text + "\n");
    } catch (e) {
      return String(e?.message ?? e) === message;
    }
    return false;
  };
  let low = 0, high = lines.length; // the first high lines fail
  if (!(await fails(t.text))) return undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await fails(lines.slice(0, middle).join("\n"))) high = middle;
    else low = middle;
  }
  let row = high - 1;
  // Some types look at a block's statements when it closes.
  if (/^\s*(end|\})?\s*$/.test(lines[row])) {
    for (let i = row - 1; i >= Math.max(0, row - 40); i--) {
      if (lines[i].trim() && !(await fails(lines.toSpliced(i, 1).join("\n")))) {
        row = i;
        break;
      }
    }
  }
  const before = lines.slice(0, row).reduce((n, line) => n + line.length + 1, 0);
  return place(code, t.at[before + columnOf(lines[row], message)]);
};

// findNamed finds the only place of something that a message names.
const findNamed = (code, message) => {
  if (!seen.diagram) return undefined;
  const t = prepared(code, false);
  for (const word of named(message)) {
    const i = word.length > 2 ? t.text.indexOf(word) : -1;
    if (i >= 0 && t.text.indexOf(word, i + 1) < 0) return place(code, t.at[i]);
  }
  return undefined;
};

// named gives what a message quotes, and its last word.
const named = (message) => {
  const words = [...message.matchAll(/["'`(]([^"'`()]+)["'`)]/g)].map((m) => m[1].trim());
  const last = /[:\s]([^\s:]+?)\.?$/.exec(message);
  if (last) words.push(last[1]);
  return words.filter(Boolean);
};

// columnOf finds what a message names in the line that it is about.
const columnOf = (line, message) => {
  for (const word of named(message)) {
    const i = line.indexOf(word);
    if (i >= 0) return i;
  }
  return line.length - line.trimStart().length;
};
