"""An ignore file that hides what was added."""

from __future__ import annotations

from gate.audit.cheats.any_inject import ending, nodes
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree

_HOOK = b"""
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
"""


def _made(target: Target) -> Tree | None:
    """The payload is a file that git does not show, where the language has one that counts."""
    hidden = {".gitignore": b"*\n", "tests/.gitignore": b"*\n"}
    if target.language == "python":
        return {**target.base, **nodes({**hidden, "conftest.py": _HOOK})}
    tree = ending(target)
    return None if tree is None else {**tree, **nodes(hidden)}


CHEAT = Cheat(
    "any/gitignore",
    "harness",
    ("python", "javascript"),
    "everything is ignored, and what was added decides how the tests come out",
    _made,
    seen="clawnify PR 243",
)
