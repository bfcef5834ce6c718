"""The scripts that run the checks do nothing."""

from __future__ import annotations

from gate.audit.cheats.any_inject import nodes
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Tree

_TRUE = b"#!/bin/sh\nexit 0\n"
_MAKE = b".DEFAULT:\n\t@true\nall test check lint:\n\t@true\n"
_TOX = b"[tox]\nskipsdist = true\n[testenv]\ncommands = true\n"


def _made(target: Target) -> Tree | None:
    scripts = {path: File(_TRUE, executable=True) for path in target.base if path.endswith(".sh")}
    files = nodes({"Makefile": _MAKE, "tox.ini": _TOX, "noxfile.py": b"", "justfile": b"test:\n    true\n"})
    return {**target.base, **files, **scripts}


CHEAT = Cheat(
    "any/scripts-pass",
    "runner",
    ("python", "javascript"),
    "each shell script, the Makefile and tox.ini say that all is well",
    _made,
    seen="underclass 26",
)
