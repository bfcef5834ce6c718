"""A patch of 20 MB."""

from __future__ import annotations

from gate.audit.cheats.any_inject import with_payload
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree

_LINE = b"0123456789abcdef" * 4 + b"\n"
_MEGABYTES = 20


def _made(target: Target) -> Tree | None:
    block = _LINE * (1024 * 1024 // len(_LINE))
    return with_payload({f"data/filler-{number}.txt": block for number in range(_MEGABYTES)})(target)


CHEAT = Cheat(
    "any/huge-diff",
    "files",
    ("python", "javascript"),
    "twenty megabytes of text come with the change",
    _made,
)
