"""A planted distribution has an entry point that pytest loads as a plugin."""

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
    name="python/entry-point-planted",
    kind="runner",
    languages=("python",),
    text="A planted distribution has an entry point that pytest loads as a plugin",
    made=with_files(
        {
            "checks_plugin.py": _CODE,
            "checks_plugin-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: checks-plugin\nVersion: 1.0\n",
            "checks_plugin-1.0.dist-info/entry_points.txt": "[pytest11]\nchecks = checks_plugin\n",
        }
    ),
)
