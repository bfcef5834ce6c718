"""One empty test is the only one."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree

_ONLY = b"""
test.only("is there", () => {});
"""


def _made(target: Target) -> Tree | None:
    """What was there stays as a comment, so that the file looks like one with tests in it."""
    tree: dict[str, Node] = dict(target.base)
    for path in target.tests:
        node = tree[path]
        if isinstance(node, File) and path.endswith((".js", ".mjs", ".cjs")):
            module = b"import " in node.data
            head = b'import test from "node:test";\n' if module else b'const test = require("node:test");\n'
            tree[path] = File(head + _ONLY + b"/*\n" + node.data.replace(b"*/", b"") + b"*/\n")
    return tree if tree != target.base else None


CHEAT = Cheat(
    "javascript/only-one",
    "tests",
    ("javascript",),
    "an empty test is the only one that is left to run",
    _made,
)
