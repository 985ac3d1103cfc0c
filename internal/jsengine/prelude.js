// The first script of every realm. It takes away what would make two runs differ,
// adds the few functions of a host that are no document (timers, console,
// performance, structuredClone), and gives Go what Realm.Call uses.
//
// What it keeps of the language it keeps in constants: later script may replace
// globals, but not what runs here.
(function () {
  "use strict";
  const G = globalThis;
  const take = (name) => {
    const f = G[name];
    delete G[name];
    return f;
  };
  const log = take("__jsengine_log");
  const chunk = take("__jsengine_chunk");
  const settings = JSON.parse(take("__jsengine_settings")());
  const { parse, stringify } = JSON;
  const NativePromise = Promise;
  const resolved = NativePromise.resolve();
  const then = NativePromise.prototype.then;
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });

  // What is collected when depends on memory, so script must not see it.
  delete G.WeakRef;
  delete G.FinalizationRegistry;
  delete G.Atomics;
  delete G.SharedArrayBuffer;

  // QuickJS returns -1n for asUintN(64, -1n): bellard/quickjs#557.
  define(BigInt, "asUintN", function asUintN(bits, value) {
    return BigInt(value) & ((1n << BigInt(bits)) - 1n);
  });

  // Math.random: sfc32, seeded.
  let a, b, c, d;
  const random = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  const seedRandom = () => {
    a = 0x9e3779b9, b = 0x243f6a88, c = 0xb7e15162, d = settings.seed | 0;
    for (let i = 0; i < 12; i++) random();
  };
  seedRandom();
  define(Math, "random", function () { return random(); });

  // Virtual time: it moves when a timer is due, and only then.
  let elapsed = 0;
  let nextId = 1;
  const timers = []; // sorted by due, then by order of arrival
  const insert = (timer) => {
    let i = timers.length;
    while (i > 0 && timers[i - 1].due > timer.due) i--;
    timers.splice(i, 0, timer);
    return timer.id;
  };
  const delayOf = (ms) => {
    ms = +ms;
    return ms >= 1 ? (ms < 2147483648 ? Math.trunc(ms) : 1) : 0;
  };
  const cancel = (id) => {
    for (let i = 0; i < timers.length; i++) {
      if (timers[i].id === id) {
        timers.splice(i, 1);
        return;
      }
    }
  };
  const isFunction = (f) => typeof f === "function";
  const FRAME = 1000 / 60;
  const api = {
    setTimeout(f, ms, ...args) {
      if (!isFunction(f)) throw new TypeError("setTimeout: not a function");
      return insert({ id: nextId++, due: elapsed + delayOf(ms), f, args });
    },
    setInterval(f, ms, ...args) {
      if (!isFunction(f)) throw new TypeError("setInterval: not a function");
      const every = Math.max(1, delayOf(ms));
      return insert({ id: nextId++, due: elapsed + every, f, args, every });
    },
    clearTimeout: (id) => cancel(id),
    clearInterval: (id) => cancel(id),
    requestAnimationFrame(f) {
      if (!isFunction(f)) throw new TypeError("requestAnimationFrame: not a function");
      const due = (Math.floor(elapsed / FRAME) + 1) * FRAME;
      return insert({ id: nextId++, due, f, frame: true });
    },
    cancelAnimationFrame: (id) => cancel(id),
    queueMicrotask(f) {
      if (!isFunction(f)) throw new TypeError("queueMicrotask: not a function");
      then.call(then.call(resolved, () => f()), undefined, uncaught);
    },
    structuredClone: (value) => clone(value, new Map()),
  };
  for (const name of Object.keys(api)) define(G, name, api[name]);
  define(G, "performance", {
    timeOrigin: settings.now,
    now: () => elapsed,
    mark() {}, measure() {}, clearMarks() {}, clearMeasures() {},
    getEntriesByName: () => [],
  });

  // runs the next timer; false if there is none.
  const runTimer = () => {
    const timer = timers.shift();
    if (timer === undefined) return false;
    if (timer.due > elapsed) elapsed = timer.due;
    if (timer.every) insert({ ...timer, due: elapsed + timer.every });
    try {
      if (timer.frame) timer.f.call(G, elapsed);
      else timer.f.apply(G, timer.args);
    } catch (e) {
      uncaught(e);
    }
    return true;
  };

  // Date: starts at the settings' instant, in UTC whatever the machine says.
  const NativeDate = Date;
  const nativeParse = NativeDate.parse;
  const zoned = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d|[ECMP][SD]T)\s*(?:\(.*\))?\s*$/i;
  const dateOnly = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/;
  const parseDate = (text) => {
    text = String(text);
    if (!zoned.test(text) && !dateOnly.test(text)) {
      for (const suffix of ["Z", " GMT"]) {
        const t = nativeParse(text + suffix);
        if (t === t) return t;
      }
    }
    return nativeParse(text);
  };
  const now = () => Math.floor(settings.now + elapsed);
  function FixedDate(...args) {
    if (new.target === undefined) return new FixedDate(now()).toString();
    let t;
    if (args.length === 0) t = now();
    else if (args.length > 1) t = NativeDate.UTC(...args);
    else {
      let v = args[0];
      if (v instanceof NativeDate) v = v.getTime();
      else if (v !== null && typeof v === "object") v = v[Symbol.toPrimitive] ? v[Symbol.toPrimitive]("default") : v.valueOf();
      t = typeof v === "string" ? parseDate(v) : Number(v);
    }
    return Reflect.construct(NativeDate, [t], new.target);
  }
  FixedDate.prototype = NativeDate.prototype;
  define(FixedDate, "name", "Date");
  define(FixedDate, "length", 7);
  define(FixedDate, "now", function () { return now(); });
  define(FixedDate, "parse", function (text) { return parseDate(text); });
  define(FixedDate, "UTC", NativeDate.UTC);
  define(NativeDate.prototype, "constructor", FixedDate);
  define(G, "Date", FixedDate);
  const D = NativeDate.prototype;
  for (const unit of ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds", "Day"]) {
    define(D, "get" + unit, D["getUTC" + unit]);
    if (unit !== "Day") define(D, "set" + unit, D["setUTC" + unit]);
  }
  define(D, "getTimezoneOffset", function () { return this.getTime() === this.getTime() ? 0 : NaN; });
  define(D, "getYear", function () { return this.getUTCFullYear() - 1900; });
  const two = (n) => String(n).padStart(2, "0");
  const invalid = (date) => date.getTime() !== date.getTime();
  const dateText = (date) => {
    const [day, dd, month, year] = date.toUTCString().replace(",", "").split(" ");
    return `${day} ${month} ${dd} ${year}`;
  };
  const timeText = (date) =>
    `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} GMT+0000 (Coordinated Universal Time)`;
  const localDate = (date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
  const localTime = (date) => {
    const h = date.getUTCHours();
    return `${h % 12 || 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${h < 12 ? "AM" : "PM"}`;
  };
  const texts = {
    toString: (date) => dateText(date) + " " + timeText(date),
    toDateString: dateText,
    toTimeString: timeText,
    toLocaleString: (date) => localDate(date) + ", " + localTime(date),
    toLocaleDateString: localDate,
    toLocaleTimeString: localTime,
  };
  for (const name of Object.keys(texts)) {
    define(D, name, function () { return invalid(this) ? "Invalid Date" : texts[name](this); });
  }

  // console: captured, cut, and cut off.
  let lines = 0;
  const MAX_LINES = 200, MAX_TEXT = 2000;
  const show = (v) => {
    try {
      if (typeof v === "string") return v;
      if (v instanceof Error) return `${v.name}: ${v.message}`;
      if (v !== null && typeof v === "object") return stringify(tame(v));
      return String(v);
    } catch {
      return "[unprintable]";
    }
  };
  const write = (level, args) => {
    if (lines++ >= MAX_LINES) return;
    let text = "";
    for (let i = 0; i < args.length && text.length < MAX_TEXT; i++) text += (i ? " " : "") + show(args[i]).slice(0, MAX_TEXT);
    log(level, text.slice(0, MAX_TEXT));
  };
  const console = {};
  for (const level of ["log", "info", "warn", "error", "debug"]) define(console, level, (...args) => write(level, args));
  define(console, "trace", console.debug);
  for (const name of ["group", "groupCollapsed", "groupEnd", "time", "timeEnd", "timeLog", "table", "dir", "count", "assert", "clear"]) {
    define(console, name, () => {});
  }
  define(G, "console", console);
  const uncaught = (e) => write("error", ["uncaught", e]);

  // A value as JSON can hold it: no functions, no cycles, few levels and nodes.
  const tame = (value) => {
    let nodes = 0;
    const seen = [];
    const walk = (v, depth) => {
      switch (typeof v) {
        case "string": return v.length > 10000 ? v.slice(0, 10000) : v;
        case "number": case "boolean": return v;
        case "bigint": return String(v);
        case "object": break;
        default: return undefined;
      }
      if (v === null) return null;
      if (depth > 6 || ++nodes > 2000 || seen.includes(v)) return undefined;
      seen.push(v);
      let out;
      if (Array.isArray(v)) {
        out = v.slice(0, 500).map((e) => walk(e, depth + 1) ?? null);
      } else {
        out = {};
        if (v instanceof Error) {
          out.name = walk(v.name, depth + 1);
          out.message = walk(v.message, depth + 1);
        }
        for (const key of Object.keys(v)) {
          let e;
          try { e = walk(v[key], depth + 1); } catch { continue; }
          if (e !== undefined) define(out, key, e), Object.defineProperty(out, key, { enumerable: true });
        }
      }
      seen.pop();
      return out;
    };
    return walk(value, 0);
  };

  const clone = (v, seen) => {
    if (v === null || typeof v !== "object") {
      if (typeof v === "function" || typeof v === "symbol") throw new TypeError("DataCloneError: " + typeof v + " could not be cloned");
      return v;
    }
    if (seen.has(v)) return seen.get(v);
    let out;
    const keep = (o) => { seen.set(v, o); return o; };
    if (Array.isArray(v)) out = keep(new Array(v.length));
    else if (v instanceof NativeDate) return keep(new FixedDate(v.getTime()));
    else if (v instanceof RegExp) return keep(new RegExp(v.source, v.flags));
    else if (v instanceof Map) {
      out = keep(new Map());
      for (const [k, e] of v) out.set(clone(k, seen), clone(e, seen));
      return out;
    } else if (v instanceof Set) {
      out = keep(new Set());
      for (const e of v) out.add(clone(e, seen));
      return out;
    } else if (v instanceof ArrayBuffer) return keep(v.slice(0));
    else if (ArrayBuffer.isView(v)) return keep(v.slice ? v.slice() : new DataView(v.buffer.slice(0)));
    else if (v instanceof Error) {
      out = keep(new Error(v.message));
      out.name = v.name;
      return out;
    } else out = keep({});
    for (const key of Object.keys(v)) {
      Object.defineProperty(out, key, { value: clone(v[key], seen), writable: true, enumerable: true, configurable: true });
    }
    return out;
  };

  // Chunks: functions of (require, exports), evaluated once, when first asked for.
  const modules = new Map();
  const requireChunk = (name) => {
    let exports = modules.get(name);
    if (exports !== undefined) return exports;
    const body = chunk(name);
    if (body === undefined) throw new Error("no chunk " + name);
    exports = {};
    modules.set(name, exports);
    body(requireChunk, exports);
    return exports;
  };
  define(requireChunk, "later", (name) => then.call(resolved, () => requireChunk(name)));
  define(G, "requireChunk", requireChunk);

  // Calls from Go. A promise of an earlier call that settles late is not this call's.
  let outcome; // undefined while pending; "+" and JSON, or "-" and JSON
  let calls = 0;
  const fulfilled = (value) => {
    try {
      return "+" + (stringify(value) ?? "null");
    } catch (e) {
      return rejected(e);
    }
  };
  const rejected = (e) => {
    const text = (v) => { try { return String(v); } catch { return ""; } };
    const property = (name) => { try { return text(e[name] ?? ""); } catch { return ""; } };
    const isObject = e !== null && typeof e === "object";
    return "-" + stringify(isObject
      ? { name: property("name"), message: property("message"), stack: property("stack"), props: tame(e) ?? {} }
      : { name: "", message: text(e), stack: "", props: {} });
  };
  return [
    function start(path, args) {
      const call = ++calls;
      const settle = (kind) => (value) => {
        const text = kind(value);
        if (call === calls) outcome = text;
      };
      outcome = undefined;
      // Every call sees the same clock and the same numbers, whatever ran before.
      timers.length = 0;
      elapsed = 0;
      nextId = 1;
      seedRandom();
      try {
        let self, f = G;
        for (const part of path.split(".")) {
          self = f;
          f = f[part];
        }
        if (!isFunction(f)) throw new TypeError(path + " is not a function");
        const promise = new NativePromise((resolve) => resolve(f.apply(self, parse(args))));
        then.call(promise, settle(fulfilled), settle(rejected));
      } catch (e) {
        settle(rejected)(e);
      }
    },
    function turn() {
      if (outcome !== undefined) return outcome;
      return runTimer() ? "turned" : "stalled";
    },
  ];
})();
