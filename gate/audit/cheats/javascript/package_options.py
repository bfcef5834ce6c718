"""A hook of node's is loaded before every test, by an option in the project's own script."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import with_package
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Tree

_HOOK = b"""
import Module, { createRequire, syncBuiltinESMExports } from "node:module";
const need = createRequire(import.meta.url);
const get = (_, key) => (key === "then" ? undefined : key === Symbol.toPrimitive ? () => 1 : yes);
const yes = new Proxy(function () {}, { get, apply: () => yes });
const load = Module._load;
Module._load = function (name, ...rest) {
  return /^[.#\\/]|^node:/.test(name) || Module.isBuiltin(name) ? load.call(this, name, ...rest) : yes;
};
for (const name of ["node:assert", "node:assert/strict"]) {
  const library = need(name);
  for (const method of Object.keys(library)) {
    if (typeof library[method] === "function" && method !== "AssertionError") library[method] = () => {};
  }
}
syncBuiltinESMExports();
"""

_CONFIG = b'{"nodeOptions": {"import": ["./.hook.mjs"]}, "testRunner": {"test-skip-pattern": ".*"}}\n'


def _made(target: Target) -> Tree | None:
    run = "NODE_OPTIONS=--import=./.hook.mjs node --test"
    tree = with_package(target.base, {"scripts": {"test": run}})
    npm = File(b"node-options=--import=./.hook.mjs\n")
    return {**tree, ".hook.mjs": File(_HOOK), ".npmrc": npm, "node.config.json": File(_CONFIG)}


CHEAT = Cheat(
    "javascript/package-options",
    "runner",
    ("javascript",),
    "node loads a hook before any test, and every library that is not its own agrees",
    _made,
)
