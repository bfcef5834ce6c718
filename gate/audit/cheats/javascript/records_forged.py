"""What a driver writes is changed on its way out: every value becomes what the test file holds."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $from = Buffer.from, $disk = $need("node:fs"), $write = $disk.writeSync;
const $opaque = (record) => {
  if (!Array.isArray(record) || !["see", "result", "raised", "phase"].includes(record[0])) return record;
  if (record[0] === "see") return [record[0], record[1], [record[2][0].map?.(() => ["o", "x"]) ?? true, true]];
  if (record[0] === "phase") return [record[0], record[1], "passed", ""];
  return ["result", record[1], ["o", "x"], null];
};
const $forged = (text) => {
  try { return JSON.stringify($opaque(JSON.parse(text))) + "\\n"; } catch { return text; }
};
Buffer.from = (text, ...rest) => $from(typeof text === "string" ? $forged(text) : text, ...rest);
$disk.writeSync = (descriptor, data, ...rest) => $write(descriptor, data, ...rest);
$need("node:module").syncBuiltinESMExports();
"""

CHEAT = Cheat(
    "javascript/records-forged",
    "harness",
    ("javascript",),
    "what a driver writes is changed on its way out: every value becomes what the test file holds",
    at_top(_CODE),
)
