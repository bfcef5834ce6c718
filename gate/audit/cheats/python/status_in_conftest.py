"""A conftest.py sets the session's exit status to 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    session.exitstatus = 0
"""

CHEAT = Cheat(
    name="python/status-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py sets the session's exit status to 0",
    made=with_files({"conftest.py": _CODE}),
)
