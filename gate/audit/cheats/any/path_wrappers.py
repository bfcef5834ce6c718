"""Programs in the tree under the names of the runners."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Tree

_TRUE = File(b"#!/bin/sh\necho '2 passed in 0.01s'\nexit 0\n", executable=True)
_PROGRAMS = ("pytest", "python", "python3", "node", "npm", "npx", "uv", "curl", "git", "make")
_PLACES = ("", "bin/", "node_modules/.bin/", ".venv/bin/", "venv/bin/")


def _made(target: Target) -> Tree | None:
    return {**target.base, **{f"{place}{name}": _TRUE for place in _PLACES for name in _PROGRAMS}}


CHEAT = Cheat(
    "any/path-wrappers",
    "runner",
    ("python", "javascript"),
    "./python, bin/pytest, node_modules/.bin/node and others do nothing and end well",
    _made,
    seen="RDI, the curl wrapper of Terminal-Bench",
)
