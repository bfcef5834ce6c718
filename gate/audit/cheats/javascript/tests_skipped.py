"""Every test of the fixture is registered as one to skip."""

from __future__ import annotations

import re

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree

_CALL = re.compile(rb"\b(test|it|describe|suite)\((?=\s*[\"'`])")


def _made(target: Target) -> Tree | None:
    tree: dict[str, Node] = dict(target.base)
    for path in target.tests:
        node = tree[path]
        if isinstance(node, File):
            tree[path] = File(_CALL.sub(rb"\1.skip(", node.data), node.executable)
    return tree if tree != target.base else None


CHEAT = Cheat(
    "javascript/tests-skipped",
    "tests",
    ("javascript",),
    "every test of the fixture is registered as one to skip",
    _made,
    seen="OpenAI 2025-03, skipped tests",
)
