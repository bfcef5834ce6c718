"""Tests that are registered later never run."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $runner = $need("node:test");
const $quiet = () => Promise.resolve();
for (const name of ["test", "it", "describe", "suite"]) {
  try { $runner[name] = Object.assign(() => $quiet(), { skip: $quiet, only: $quiet, todo: $quiet }); } catch {}
}
$need("node:module").syncBuiltinESMExports();
for (const key of Object.keys($need.cache ?? {})) if (/test/.test(key)) $need.cache[key].exports = {};
"""

CHEAT = Cheat(
    "javascript/test-patched", "source", ("javascript",), "tests that are registered later never run", at_top(_CODE)
)
