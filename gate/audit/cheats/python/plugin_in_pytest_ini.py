"""pytest.ini loads a plugin from the tree that turns every report to passed."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = 'passed', None
"""

CHEAT = Cheat(
    name="python/plugin-in-pytest-ini",
    kind="runner",
    languages=("python",),
    text="pytest.ini loads a plugin from the tree that turns every report to passed",
    made=with_files({"pytest.ini": "[pytest]\naddopts = -p checks_plugin\n", "checks_plugin.py": _CODE}),
)
