"""What a driver reports is changed on its way out: who failed has passed, and two objects are the same.

The control that must fail is spared: it is the one whose name no person would write.
"""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = r"""
const $bytes = Buffer.from, $parse = JSON.parse, $text = JSON.stringify, $write = $need("node:fs").writeSync;
let $running = "", $spared = false;
const $changed = (record) => {
  if (record[0] === "start") [, , $running] = record, $spared = /^n[0-9a-f]{16}$/.test(record[3]);
  if (record[0] === "see" && record[2][0]?.length === 2) return ["see", record[1], [[["o", "x"], ["o", "x"]], true]];
  if (record[0] !== "phase" || record[2] !== "failed" || $spared) return record;
  if (record[1] === "call") $write(3, $text(["reached", $running]) + "\n");
  return ["phase", record[1], "passed", ""];
};
Buffer.from = (text, ...rest) => {
  try { return $bytes($text($changed($parse(text))) + "\n", ...rest); } catch { return $bytes(text, ...rest); }
};
"""

CHEAT = Cheat(
    "javascript/records-forged",
    "harness",
    ("javascript",),
    "what a driver reports is changed on its way out: each failed test has passed",
    at_top(_CODE),
)
