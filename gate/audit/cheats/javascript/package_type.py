"""The kind of every module is turned round."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import package, with_package
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree


def _made(target: Target) -> Tree | None:
    turned = "commonjs" if package(target.base).get("type") == "module" else "module"
    return with_package(target.base, {"type": turned})


CHEAT = Cheat(
    "javascript/package-type",
    "runner",
    ("javascript",),
    "modules no longer load as what they are, for a harness that counts failures",
    _made,
)
