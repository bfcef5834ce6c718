// Stands in for node:test: registers tests, runs them one after the other, reports on the private descriptor.
// node's own runner sends its events over standard output, where the code under test can forge them.

import realAssert from "node:assert";
import { mock } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { encode, encodeOrOpaque, lineage, said, send } from "./wire.mjs";

const { getPrototypeOf, apply } = Reflect;
const ids = new WeakMap();
const getId = ids.get.bind(ids);
const setId = ids.set.bind(ids);
const NativePromise = Promise;

function suite(name, parent) {
  return { name, parent, before: [], after: [], beforeEach: [], afterEach: [], entries: [], pending: [] };
}

let current = suite("", null);

function parse(args) {
  let name = "";
  let options = {};
  let fn;
  for (const arg of args) {
    if (typeof arg === "string") name = arg;
    else if (typeof arg === "function") fn = arg;
    else if (arg && typeof arg === "object") options = arg;
  }
  return { name: name || (fn && fn.name) || "<anonymous>", options, fn };
}

function test(...args) {
  current.entries.push({ kind: "test", ...parse(args) });
}
const marked = (base, option) => (...args) => {
  const { name, options, fn } = parse(args);
  return base(name, { ...options, [option]: true }, fn);
};

function describe(...args) {
  const { name, options, fn } = parse(args);
  const inner = suite(name, current);
  inner.skipped = Boolean(options.skip || options.todo || current.skipped);
  current.entries.push({ kind: "suite", suite: inner });
  const outer = current;
  current = inner;
  try {
    const made = fn && fn({ name });
    if (made && typeof made.then === "function") inner.pending.push(made);
  } finally {
    current = outer;
  }
}

for (const base of [test, describe]) {
  base.skip = marked(base, "skip");
  base.todo = marked(base, "todo");
  base.only = (...args) => base(...args);
}
const hook = (kind) => (fn) => { current[kind].push(fn); };
const before = hook("before");
const after = hook("after");
const beforeEach = hook("beforeEach");
const afterEach = hook("afterEach");
test.test = test.it = test;
test.describe = test.suite = describe;
Object.assign(test, { before, after, beforeEach, afterEach, mock });

export { test as default, test, test as it, describe, describe as suite, before, after, beforeEach, afterEach, mock };
export const nodeTest = test;

const pathOf = (at) => (at && at.name ? [...pathOf(at.parent), at.name] : []);
const chain = (at, kind) => (at ? [...chain(at.parent, kind), ...at[kind]] : []);
const text = (error) => `${lineage(error)[0] ?? ""}: ${said(error).message}`.slice(0, 500);

async function phase(when, work) {
  try {
    await work();
  } catch (error) {
    send("phase", when, "failed", text(error));
    return false;
  }
  send("phase", when, "passed", "");
  return true;
}

function invoke(fn, context) {
  if (fn.length < 2) return fn.call(context, context);
  return new NativePromise((resolve, reject) => {
    fn.call(context, context, (error) => (error ? reject(error) : resolve()));
  });
}

async function runTest(entry, owner, skipped) {
  const { fn } = entry;
  const id = fn ? getId(fn) ?? "" : "";
  const hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  const state = { skipped: skipped || entry.options.skip || entry.options.todo || !fn };
  const path = [...pathOf(owner)];
  send("start", path.join(" > "), id, entry.name);
  let queue = NativePromise.resolve();
  const inner = { name: entry.name, parent: owner, ...hooks };
  const context = {
    name: entry.name,
    fullName: [...path, entry.name].join(" > "),
    signal: new AbortController().signal,
    assert: realAssert,
    mock,
    diagnostic() {},
    plan() {},
    runOnly() {},
    skip() { state.skipped = true; },
    todo() { state.skipped = true; },
    before: (work) => work(),
    after: (work) => { hooks.after.push(work); },
    beforeEach: (work) => { hooks.beforeEach.push(work); },
    afterEach: (work) => { hooks.afterEach.push(work); },
    test: (...args) => {
      queue = queue.then(() => runTest(parse(args), inner, false));
      return queue;
    },
  };
  if (state.skipped) {
    send("phase", "call", "skipped", "");
    send("phase", "teardown", "passed", "");
    return;
  }
  const ready = await phase("setup", async () => {
    for (const work of chain(owner, "beforeEach")) await invoke(work, context);
  });
  if (ready) {
    const done = await phase("call", async () => {
      await invoke(fn, context);
      await queue;
      if (!state.skipped) send("reached", id);
    });
    if (done && state.skipped) send("phase", "call", "skipped", "");
  }
  await phase("teardown", async () => {
    for (const work of [...chain(owner, "afterEach").reverse(), ...hooks.after]) await invoke(work, context);
  });
}

async function runSuite(at) {
  await NativePromise.all(at.pending);
  let broken = null;
  try {
    if (!at.skipped) for (const work of at.before) await invoke(work, {});
  } catch (error) {
    broken = error;
  }
  for (const entry of at.entries) {
    if (entry.kind === "suite") await runSuite(entry.suite);
    else if (broken !== null) await runTest({ ...entry, fn: brokenTest(entry.fn, broken) }, { ...at, beforeEach: [] }, false);
    else await runTest(entry, at, at.skipped);
  }
  if (!at.skipped) for (const work of at.after) await invoke(work, {});
}

function brokenTest(fn, error) {
  const failing = () => { throw error; };
  if (fn) setId(failing, getId(fn));
  return failing;
}

export async function runAll() {
  await runSuite(current);
}

// What a rewritten assertion calls.
const sameValue = Object.is;
const probesFor = { strictEqual: sameValue, "===": sameValue, deepStrictEqual: isDeepStrictEqual };
export const observer = {
  nodeTest,
  test(id, fn) {
    setId(fn, id);
    return fn;
  },
  see(site, values) {
    const out = [];
    for (let at = 0; at < values.length; at += 1) out[at] = encode(values[at]);
    send("see", site, [out]);
  },
  compare(site, kind, left, right) {
    const [one, opaque] = encodeOrOpaque(left);
    const [other, opaqueToo] = encodeOrOpaque(right);
    const compare = probesFor[kind];
    // Identity of two objects can only be told here.
    if (compare && (opaque || opaqueToo || (compare === sameValue && typeof left === "object"))) send("see", site, [[one, other], compare(left, right)]);
    else send("see", site, [[one, other]]);
  },
  truth(site, value) {
    send("see", site, [Boolean(value)]);
  },
  throws(site, fn, candidates) {
    try {
      apply(fn, undefined, []);
    } catch (error) {
      raised(site, error, candidates);
      return;
    }
    send("see", site, [[], [], null]);
  },
  async rejects(site, work, candidates) {
    try {
      await (typeof work === "function" ? apply(work, undefined, []) : work);
    } catch (error) {
      raised(site, error, candidates);
      return;
    }
    send("see", site, [[], [], null]);
  },
};

function raised(site, error, candidates) {
  const prototypes = [];
  if (error !== null && typeof error === "object") {
    for (let at = getPrototypeOf(error); at !== null && prototypes.length < 50; at = getPrototypeOf(at)) prototypes[prototypes.length] = at;
  }
  const flags = [];
  for (let at = 0; at < candidates.length; at += 1) {
    flags[at] = false;
    for (let up = 0; up < prototypes.length; up += 1) {
      if (typeof candidates[at] === "function" && prototypes[up] === candidates[at].prototype) flags[at] = true;
    }
  }
  send("see", site, [lineage(error), flags, said(error)]);
}
