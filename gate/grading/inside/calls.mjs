// Declared calls of JavaScript: makes each call that the parent asks for and reports what came back.
// Expected values never come here. One process makes all calls of a list, in order.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { encode, lineage, said, send } from "./wire.mjs";

const plan = JSON.parse(readFileSync(0, "utf8"));
const exit = process.exit.bind(process);
const { apply } = Reflect;

function decode([tag, inner]) {
  switch (tag) {
    case "n": return null;
    case "undef": return undefined;
    case "big": return BigInt(inner);
    case "l": return inner.map(decode);
    case "S": return new Set(inner.map(decode));
    case "M": return new Map(inner.map(([key, item]) => [decode(key), decode(item)]));
    case "d": return Object.fromEntries(inner.map(([key, item]) => [key, decode(item)]));
    case "u8": return Uint8Array.from(Buffer.from(inner, "hex"));
    case "num": return Buffer.from(inner, "hex").readDoubleBE(0);
    default: return inner;
  }
}

async function resolve(path, name) {
  const module = await import(pathToFileURL(path).href);
  let owner;
  let found = module;
  for (const [at, part] of name.split(".").entries()) {
    owner = found;
    const direct = found[part];
    // The exports of a CommonJS module stand on its default export, and only some of them beside it.
    found = direct === undefined && at === 0 && module.default ? module.default[part] : direct;
    if (direct === undefined && at === 0) owner = module.default;
  }
  if (typeof found !== "function") throw new TypeError(`${name} is not a function`);
  return [owner === module ? undefined : owner, found];
}

async function make(call) {
  const args = call.args.map(decode);
  let owner;
  let target;
  try {
    [owner, target] = await resolve(call.path, call.name);
  } catch (error) {
    send("missing", call.id, lineage(error)[0], said(error).message);
    return;
  }
  let record;
  try {
    record = ["result", call.id, encode(await apply(target, owner, args))];
  } catch (error) {
    record = ["raised", call.id, lineage(error), said(error).message];
  }
  const after = [];
  if (call.echo) for (let at = 0; at < args.length; at += 1) after[at] = encode(args[at]);
  send(...record, call.echo ? after : null);
}

send("hello", plan.nonce);
const calls = plan.calls.slice();
send("ready", plan.nonce);
for (let at = 0; at < calls.length; at += 1) await make(calls[at]);
send("end", plan.nonce, 0);
exit(0);
