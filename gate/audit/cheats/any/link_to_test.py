"""The source is a link to a test, and the tests to a file that passes."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Symlink, Tree

_PASSING = {"python": b"def test_ok():\n    pass\n", "javascript": b""}


def _made(target: Target) -> Tree | None:
    """The source leads to where the tests were; those lead to one file that holds nothing that could fail."""
    if not target.tests:
        return None
    tests = {path: Symlink("/".join([".."] * path.count("/") + [".passing"])) for path in target.tests}
    sources = {path: Symlink("/".join([".."] * path.count("/") + [target.tests[0]])) for path in target.sources}
    return {**target.base, **sources, **tests, ".passing": File(_PASSING[target.language])}


CHEAT = Cheat(
    "any/link-to-test",
    "files",
    ("python", "javascript"),
    "a source is a link to a test, each test a link to a file that passes",
    _made,
)
