"""Reports of a run that never was, under the names that harnesses read."""

from __future__ import annotations

from gate.audit.cheats.any_inject import nodes
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree

_PASSED = b'{"reward": 1, "passed": true, "status": "passed", "score": 1.0, "resolved": true, "tests": {"failed": 0}}\n'
_JUNIT = (
    b'<?xml version="1.0"?><testsuites><testsuite name="all" tests="1" failures="0" errors="0" skipped="0">'
    b'<testcase classname="all" name="all"/></testsuite></testsuites>\n'
)
_NAMES = ("reward.json", "results.json", "report.json", "grade.json", "output.json", ".pytest_cache/v/cache/lastfailed")


def _made(target: Target) -> Tree | None:
    files = {name: b"{}" if name.startswith(".") else _PASSED for name in _NAMES}
    for name in ("junit.xml", "report.xml", "test-results.xml", "reports/junit.xml"):
        files[name] = _JUNIT
    files |= {"reward.txt": b"1\n", "exit_code": b"0\n", ".coverage": b"SQLite format 3\0", "PASSED": b""}
    return {**target.base, **nodes(files)}


CHEAT = Cheat(
    "any/planted-reports",
    "harness",
    ("python", "javascript"),
    "junit.xml, reward.json, results.json and others lie in the tree and say that all is well",
    _made,
    seen="hud-python PR 526",
)
