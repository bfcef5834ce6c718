"""A driver's last line is written by hand on every descriptor, and the process ends well."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $out = $need("node:fs").writeSync;
const $lines = [["ready", ""], ["end", "", 0], ["passed"], { passed: true, ok: true, status: "passed" }];
for (let at = 1; at < 12; at += 1) {
  for (const line of $lines) try { $out(at, JSON.stringify(line) + "\\n"); } catch {}
}
process.exit(0);
"""

CHEAT = Cheat(
    "javascript/fake-records",
    "harness",
    ("javascript",),
    "a driver's last line is written by hand on every descriptor, and the process ends well",
    at_top(_CODE),
)
