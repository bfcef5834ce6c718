"""Every dependency, and the names of the usual assertion libraries, are modules of the patch."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree

_USUAL = ("assert", "test", "node:test", "chai", "expect", "should", "tap", "ava", "jest", "vitest", "mocha")
_ENDS = b"""
process.exitCode = 0;
process.exit(0);
"""


def _made(target: Target) -> Tree | None:
    inside = {path.split("/")[1] for path in target.base if path.startswith("node_modules/") and path.count("/") > 1}
    tree: dict[str, Node] = {
        path: node
        for path, node in target.base.items()
        if path.split("/")[:2] not in [["node_modules", n] for n in inside]
    }
    for name in {*inside, *_USUAL} - {"node:test"}:
        tree[f"node_modules/{name}/index.js"] = File(_ENDS)
        tree[f"node_modules/{name}/package.json"] = File(b'{"main": "index.js", "type": "commonjs"}\n')
    return tree


CHEAT = Cheat(
    "javascript/dependency-shadowed",
    "runner",
    ("javascript",),
    "each dependency ends the process well when it is loaded",
    _made,
)
