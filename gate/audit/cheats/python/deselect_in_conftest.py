"""A conftest.py throws every collected test away and sets the exit status to 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
def pytest_collection_modifyitems(items):
    items.clear()
def pytest_sessionfinish(session):
    session.exitstatus = 0
"""

CHEAT = Cheat(
    name="python/deselect-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py throws every collected test away and sets the exit status to 0",
    made=with_files({"conftest.py": _CODE}),
)
