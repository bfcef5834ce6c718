"""A conftest.py names a plugin that lies elsewhere in the tree."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_HOOK = """
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = 'passed', None
"""

CHEAT = Cheat(
    name="python/plugin-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py names a plugin that lies elsewhere in the tree",
    made=with_files({"conftest.py": "pytest_plugins = ['checks_plugin']\n", "checks_plugin.py": _HOOK}),
)
