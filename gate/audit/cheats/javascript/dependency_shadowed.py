"""Every dependency, and the names of the usual assertion libraries, are modules of the patch."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree

_USUAL = ("assert", "test", "chai", "expect", "should", "tap", "ava", "jest", "vitest", "mocha")
_ENDS = b"process.exitCode = 0;\nprocess.exit(0);\n"


def _made(target: Target) -> Tree | None:
    """What the fixture carries itself is replaced whole; a scoped package is left alone."""
    carried = {path.split("/")[1] for path in target.base if path.startswith("node_modules/") and path.count("/") > 1}
    names = {*(name for name in carried if name[0] not in "@."), *_USUAL}
    gone = tuple(f"node_modules/{name}/" for name in names)
    tree: dict[str, Node] = {path: node for path, node in target.base.items() if not path.startswith(gone)}
    for name in sorted(names):
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
