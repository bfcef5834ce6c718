// What the code under test did, as lines on descriptor 3: values without objects, so that nobody's valueOf decides.
// Everything that is used later is bound here, before the code under test is loaded. Replacing it gains nothing:
// no expected value is in this process, so a forged record still has to hold the right answer.

import { writeSync } from "node:fs";
import { types } from "node:util";

const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { isProxy, isDate, isMap, isSet, isRegExp, isUint8Array, isNativeError } = types;
const { isArray } = Array;
const { stringify } = JSON;
const NativeString = String;
const NativeMap = Map;
const WeakKnown = WeakSet;
const uncurry = (method) => Function.prototype.call.bind(method);
const dateTime = uncurry(Date.prototype.getTime);
const mapForEach = uncurry(Map.prototype.forEach);
const setForEach = uncurry(Set.prototype.forEach);
const regSource = uncurry(getOwnPropertyDescriptor(RegExp.prototype, "source").get);
const regFlags = uncurry(getOwnPropertyDescriptor(RegExp.prototype, "flags").get);
const bigText = uncurry(BigInt.prototype.toString);
const push = uncurry(Array.prototype.push);
const slice = uncurry(String.prototype.slice);
const view = new DataView(new ArrayBuffer(8));
const setFloat = uncurry(DataView.prototype.setFloat64).bind(null, view);
const getWord = uncurry(DataView.prototype.getUint32).bind(null, view);
const numberText = uncurry(Number.prototype.toString);
const padStart = uncurry(String.prototype.padStart);
const objectPrototype = Object.prototype;
const intrinsics = new NativeMap();
for (const name of ["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError", "Object"]) {
  intrinsics.set(globalThis[name].prototype, `builtin.${name}`);
}
const intrinsicOf = intrinsics.get.bind(intrinsics);

const MAX_DEPTH = 60;
const MAX_NODES = 100000;

export function send(...record) {
  let data = Buffer.from(stringify(record) + "\n", "utf8");
  while (data.length) data = data.subarray(writeSync(3, data));
}

const bits = (value) => {
  if (value !== value) return "7ff8000000000000";
  setFloat(0, value);
  return padStart(numberText(getWord(0), 16), 8, "0") + padStart(numberText(getWord(4), 16), 8, "0");
};

// Returns [encoded, opaque]: opaque when something without a plain value is in there.
export function encodeOrOpaque(value) {
  const state = { nodes: 0, opaque: false };
  return [encodePart(value, 0, state), state.opaque];
}

export const encode = (value) => encodeOrOpaque(value)[0];

function encodePart(value, depth, state) {
  state.nodes += 1;
  if (depth > MAX_DEPTH || state.nodes > MAX_NODES) return opaque("a value too large to compare", state);
  switch (typeof value) {
    case "undefined": return ["undef"];
    case "boolean": return ["b", value];
    case "number": return ["num", bits(value)];
    case "bigint": return ["big", bigText(value, 10)];
    case "string": return ["s", value];
    case "symbol": return opaque("symbol", state);
    case "function": return opaque("function", state);
  }
  if (value === null) return ["n"];
  if (isProxy(value)) return opaque("Proxy", state);
  const prototype = getPrototypeOf(value);
  if (isArray(value)) return prototype === Array.prototype ? encodeArray(value, depth, state) : opaque(nameOf(value), state);
  if (prototype === objectPrototype || prototype === null) return encodeObject(value, prototype, depth, state);
  return encodeKnown(value, prototype, depth, state);
}

function opaque(name, state) {
  state.opaque = true;
  return ["o", name];
}

function encodeArray(value, depth, state) {
  const out = [];
  const length = getOwnPropertyDescriptor(value, "length").value;
  if (length > MAX_NODES) return opaque("a value too large to compare", state);
  for (let at = 0; at < length; at += 1) {
    const own = getOwnPropertyDescriptor(value, NativeString(at));
    if (own === undefined) push(out, ["hole"]);
    else push(out, "value" in own ? encodePart(own.value, depth + 1, state) : opaque("getter", state));
  }
  if (ownKeys(value).length !== length + 1) {
    for (let at = 0; at < length; at += 1) if (out[at][0] === "hole") return ["l", out];
    return opaque("array with other properties", state);
  }
  return ["l", out];
}

function encodeObject(value, prototype, depth, state) {
  const out = [];
  const keys = ownKeys(value);
  for (let at = 0; at < keys.length; at += 1) {
    const own = getOwnPropertyDescriptor(value, keys[at]);
    if (!own.enumerable) continue;
    if (typeof keys[at] === "symbol") return opaque("object with symbols", state);
    push(out, [keys[at], "value" in own ? encodePart(own.value, depth + 1, state) : opaque("getter", state)]);
  }
  return [prototype === null ? "d0" : "d", out];
}

function encodeKnown(value, prototype, depth, state) {
  if (prototype === Date.prototype && isDate(value)) return ["D", bits(dateTime(value))];
  if (prototype === RegExp.prototype && isRegExp(value)) return ["re", regSource(value), regFlags(value)];
  if (prototype === Uint8Array.prototype && isUint8Array(value)) {
    let hex = "";
    for (let at = 0; at < value.length; at += 1) hex += padStart(numberText(value[at], 16), 2, "0");
    return ["u8", hex];
  }
  const out = [];
  if (prototype === Map.prototype && isMap(value)) {
    mapForEach(value, (item, key) => push(out, [encodePart(key, depth + 1, state), encodePart(item, depth + 1, state)]));
    return ["M", out];
  }
  if (prototype === Set.prototype && isSet(value)) {
    setForEach(value, (item) => push(out, encodePart(item, depth + 1, state)));
    return ["S", out];
  }
  return opaque(nameOf(value), state);
}

function nameOf(value) {
  const chain = lineage(value);
  return chain.length ? chain[0] : "an object";
}

// The names of a value's classes, nearest first. Only the real ones are called builtin.
export function lineage(value) {
  const out = [];
  const seen = new WeakKnown();
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return [typeof value];
  if (isProxy(value)) return ["Proxy"];
  for (let at = getPrototypeOf(value); at !== null && !seen.has(at) && out.length < 50; at = getPrototypeOf(at)) {
    seen.add(at);
    const known = intrinsicOf(at);
    if (known !== undefined) push(out, known);
    else {
      const made = isProxy(at) ? undefined : getOwnPropertyDescriptor(at, "constructor");
      const maker = made && "value" in made && typeof made.value === "function" ? made.value : undefined;
      const named = maker && !isProxy(maker) ? getOwnPropertyDescriptor(maker, "name") : undefined;
      push(out, named && typeof named.value === "string" ? `own.${slice(named.value, 0, 100)}` : "own.?");
    }
    if (isProxy(at)) break;
  }
  return out;
}

// What an exception says: its message and its name, when they are text.
export function said(error) {
  if (error === null || typeof error !== "object" || isProxy(error)) return { message: "", name: "", native: false };
  const text = (key) => {
    for (let at = error; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
      const own = getOwnPropertyDescriptor(at, key);
      if (own) return typeof own.value === "string" ? slice(own.value, 0, 4000) : "";
    }
    return "";
  };
  const code = getOwnPropertyDescriptor(error, "code");
  return {
    message: text("message"),
    name: text("name"),
    native: isNativeError(error),
    code: code && typeof code.value === "string" ? slice(code.value, 0, 200) : null,
  };
}
