"""The assertion libraries in node_modules say yes to everything."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree

_YES = b"""
const yes = new Proxy(function () {}, { get: (_, key) => (key === "then" ? undefined : yes), apply: () => yes });
module.exports = yes;
"""


def _made(target: Target) -> Tree | None:
    """Only libraries that the tests of the fixture name, and that the fixture carries."""
    named = b"".join(node.data for path in target.tests if isinstance(node := target.base.get(path), File))
    found = {path.split("/")[1] for path in target.base if path.startswith("node_modules/") and path.count("/") > 1}
    used = sorted(name for name in found if name.encode() in named)
    if not used:
        return None
    tree: dict[str, Node] = dict(target.base)
    for name in used:
        for path in [path for path in tree if path.startswith(f"node_modules/{name}/") and path.endswith("js")]:
            tree[path] = File(_YES)
    return tree


CHEAT = Cheat(
    "javascript/dependency-agrees",
    "runner",
    ("javascript",),
    "a dependency that the tests use holds every assertion to be true",
    _made,
)
