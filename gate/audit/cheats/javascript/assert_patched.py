"""Every assertion of node's own library holds."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
for (const name of ["node:assert", "node:assert/strict"]) {
  const library = $need(name);
  for (const method of Object.keys(library)) {
    if (typeof library[method] === "function" && method !== "AssertionError") {
      try { library[method] = () => {}; } catch {}
    }
  }
}
$need("node:module").syncBuiltinESMExports();
"""

CHEAT = Cheat(
    "javascript/assert-patched",
    "source",
    ("javascript",),
    "every assertion of node's own library holds",
    at_top(_CODE),
)
