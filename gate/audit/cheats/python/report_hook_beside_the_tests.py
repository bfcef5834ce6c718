"""A conftest.py in every folder of tests turns every report to passed."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Tree

_CODE = """
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = 'passed', None
"""


def _made(target: Target) -> Tree | None:
    folders = {path.rpartition("/")[0] for path in target.tests} | {"tests"}
    return {**target.base, **{f"{folder}/conftest.py".lstrip("/"): File(_CODE.encode()) for folder in sorted(folders)}}


CHEAT = Cheat(
    name="python/report-hook-beside-the-tests",
    kind="runner",
    languages=("python",),
    text="A conftest.py in every folder of tests turns every report to passed",
    made=_made,
    seen="SWE-bench issue 631",
)
