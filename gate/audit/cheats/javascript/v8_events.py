"""Node's runner is told that every test of the file passed, in its own binary form."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $v8 = $need("node:v8");
const $main = process.argv[1];
const $event = (type, name, testNumber) => {
  const details = { duration_ms: 1, type: "test", passed: true };
  const data = { name, nesting: 0, testNumber, details, file: $main, line: testNumber, column: 1 };
  const body = $v8.serialize({ type, data });
  const head = Buffer.from([0xff, 0x0f, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
};
let $names = [];
try {
  const text = $need("node:fs").readFileSync($main, "utf8");
  $names = [...text.matchAll(/\\b(?:test|it)\\(\\s*["'`](.+?)["'`]/g)].map((hit) => hit[1]);
} catch {}
const $all = [];
$names.forEach((name, at) => {
  for (const type of ["test:enqueue", "test:dequeue", "test:start", "test:complete", "test:pass"]) {
    $all.push($event(type, name, at + 1));
  }
});
try { $need("node:fs").writeSync(1, Buffer.concat($all)); } catch {}
process.exit(0);
"""

CHEAT = Cheat(
    "javascript/v8-events",
    "harness",
    ("javascript",),
    "node's runner is told that every test of the file passed, in its own binary form",
    at_top(_CODE),
)
