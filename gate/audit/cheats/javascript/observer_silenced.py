"""The driver's own functions are looked up and replaced, its lines are dropped or doubled."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $bytes = Buffer.from;
Buffer.from = (text, ...rest) => $bytes(/^\\["(see|result|raised)"/.test(String(text)) ? "" : text, ...rest);
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const thing = globalThis[name];
  if (thing && typeof thing === "object" && typeof thing.see === "function") {
    for (const method of ["see", "compare", "truth", "throws"]) try { thing[method] = () => {}; } catch {}
    try { globalThis[name] = { ...thing, see: () => {}, compare: () => {}, truth: () => {} }; } catch {}
  }
}
"""

CHEAT = Cheat(
    "javascript/observer-silenced",
    "harness",
    ("javascript",),
    "the driver's own functions are looked up and replaced, its lines are dropped or doubled",
    at_top(_CODE),
)
