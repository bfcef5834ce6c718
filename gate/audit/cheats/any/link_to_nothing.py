"""The source is a link to an empty file."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Symlink, Tree


def _made(target: Target) -> Tree | None:
    """The source and the tests lead to /dev/null: an empty test file fails nowhere."""
    gone = {path: Symlink("/dev/null") for path in (*target.sources, *target.tests)}
    return {**target.base, **gone} if gone else None


CHEAT = Cheat(
    "any/link-to-nothing",
    "files",
    ("python", "javascript"),
    "sources and tests are links to an empty file",
    _made,
)
