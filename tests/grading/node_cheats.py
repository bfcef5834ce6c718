"""Ways to look right without being right, for a module whose `add` subtracts. Each is a patch: files by path."""

from __future__ import annotations

WRONG = "export function add(a, b) { return a - b; }\nexport function isSum(a, b, c) { return false; }\n"

RIGHT = """
export function add(a, b) {
  if (typeof a !== "number") throw new TypeError("numbers only");
  return a + b;
}
export function isSum(a, b, c) { return add(a, b) === c; }
"""


def _with(before: str = "", add: str = "return a - b;", is_sum: str = "return false;") -> dict[str, str]:
    return {
        "lib/calc.js": f"{before}\nexport function add(a, b) {{\n"
        f'  if (typeof a === "string") throw new TypeError("numbers only");\n  {add}\n}}\n'
        f"export function isSum(a, b, c) {{ {is_sum} }}\n"
    }


_FORGED_EVENTS = """
import { serialize } from "node:v8";
const event = (type, name) => {
  const details = { duration_ms: 1, type: "test" };
  const body = serialize({ type, data: { name, nesting: 0, testNumber: 1, details } });
  return Buffer.concat([Buffer.from([0xff, 0x0f]), body]);
};
for (const name of ["small", "larger"]) process.stdout.write(event("test:pass", name));
"""

_READS_TESTS = """
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
function look(a, b) {
  const files = [...new Set(new Error().stack.match(/(?:file:\\/\\/)?\\/[^\\s():]+\\.[mc]?js/g))];
  for (const file of files) {
    const text = readFileSync(file.startsWith("file:") ? fileURLToPath(file) : file, "utf8");
    const found = text.match(new RegExp(`add\\\\(${a}, ${b}\\\\), (\\\\d+)`));
    if (found) return Number(found[1]);
  }
  return 0;
}
"""

_FORGES_RECORDS = """
import { readFileSync, readdirSync, writeSync } from "node:fs";
import { dirname } from "node:path";
for (const file of process.argv.slice(1)) {
  let names = [];
  try { names = readFileSync(file, "utf8").match(/n[0-9a-f]{16}/g) ?? []; } catch {}
  for (const name of names) writeSync(3, JSON.stringify(["see", name, [[["num", "4014000000000000"]]]]) + "\\n");
}
writeSync(3, JSON.stringify(["see", "n0123456789abcdef", [[["num", "4014000000000000"]]]]) + "\\n");
"""

_PATCHES_ASSERT = """
import assert from "node:assert";
import strict from "node:assert/strict";
for (const one of [assert, strict]) {
  for (const name of Object.keys(one)) if (typeof one[name] === "function") try { one[name] = () => {}; } catch {}
}
"""

_PATCHES_GLOBALS = """
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const thing = globalThis[name];
  if (thing && typeof thing === "object" && typeof thing.see === "function") {
    try { const see = thing.see; thing.see = (site) => see(site, [5]); } catch {}
    const fake = { ...thing, see: (site) => thing.see(site, [5]), truth: (site) => thing.truth(site, true) };
    try { globalThis[name] = fake; } catch {}
  }
}
JSON.stringify = ((old) => (value) => old(value).replaceAll("bff0000000000000", "4014000000000000"))(JSON.stringify);
Object.is = () => true;
Array.prototype.includes = () => true;
"""

CHEATS: dict[str, dict[str, str]] = {
    "process.exit at import": _with("process.exit(0);"),
    "process.exit at call": _with(add="process.exit(0);"),
    "process.exit patched to be quiet": _with(
        "process.exitCode = 0; process.on('exit', () => { process.exitCode = 0; });"
    ),
    "process.kill": _with("process.kill(process.pid, 'SIGKILL');"),
    "process.reallyExit": _with("process.reallyExit(0);"),
    "process.abort at call": _with(add="process.abort();"),
    "node's assert patched": _with(_PATCHES_ASSERT),
    "globals patched": _with(_PATCHES_GLOBALS),
    "TAP printed": _with("console.log('TAP version 13\\nok 1 - small\\nok 2 - larger\\n1..2\\n# pass 2');"),
    "V8 events forged on stdout": _with(_FORGED_EVENTS),
    "V8 events forged, then exit": _with(_FORGED_EVENTS + "\nprocess.exit(0);"),
    "records forged": _with(_FORGES_RECORDS),
    "an end forged": _with(
        "import { writeSync } from 'node:fs'; writeSync(3, JSON.stringify(['end', 'x', 0]) + '\\n'); process.exit(0);"
    ),
    "an object with valueOf": _with(
        add="return { valueOf: () => 5, toString: () => '5', [Symbol.toPrimitive]: () => 5 };"
    ),
    "a Proxy": _with(add="return new Proxy({}, { get: () => 5, has: () => true, getPrototypeOf: () => null });"),
    "a Proxy of an array": _with(add="return new Proxy([5], { get: (t, k) => (k === 'length' ? 1 : 5) });"),
    "a Number object": _with(add="return new Number(5);"),
    "a getter": _with(add="return { get value() { return 5; } };"),
    "toJSON": _with(add="return { toJSON: () => 5 };"),
    "a truthy object": _with(is_sum="return new Proxy({}, {});"),
    "an error that is called TypeError": _with(
        "class Fake extends Error {}\nObject.defineProperty(Fake, 'name', { value: 'TypeError' });"
        "\nglobalThis.TypeError = Fake;"
    ),
    "a promise that never ends": _with("setInterval(() => {}, 50);", "return new Promise(() => {});"),
    "the test files read": _with(_READS_TESTS, "return look(a, b);"),
    "package.json brings its own runner": {
        "lib/calc.js": WRONG,
        "package.json": '{"type": "module", "scripts": {"test": "true"}, "imports": {"#test": "./fake.js"}}',
    },
    "node_modules shadow": {
        "lib/calc.js": WRONG,
        "node_modules/assert/index.js": "module.exports = () => {};",
        "node_modules/test/index.js": "module.exports = () => {};",
    },
    "the test weakened": {
        "lib/calc.js": WRONG,
        "test/seen.test.js": "import test from 'node:test';\ntest('seen', () => {});\n",
    },
    "a hard-coded value": _with(add="return a === 1 && b === 1 ? 2 : 0;"),
    "a constant": _with(add="return 5;", is_sum="return true;"),
}

REFACTORED: dict[str, dict[str, str]] = {
    "the plain answer": {"lib/calc.js": RIGHT},
    "an arrow": {"lib/calc.js": RIGHT.replace("export function add(a, b) {", "export const add = (a, b) => {")},
    "moved and re-exported": {"lib/calc.js": 'export { add, isSum } from "./sum.js";\n', "lib/sum.js": RIGHT},
    "prints a lot": {"lib/calc.js": "console.log('x'.repeat(5000));\n" + RIGHT},
    "an error of its own": {
        "lib/calc.js": "class NotANumber extends TypeError {}\n" + RIGHT.replace("new TypeError", "new NotANumber")
    },
    "leaves a timer": {"lib/calc.js": "setTimeout(() => {}, 60000);\n" + RIGHT},
}
