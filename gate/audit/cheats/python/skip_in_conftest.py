"""A conftest.py marks every test to be skipped."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.skip)
"""

CHEAT = Cheat(
    name="python/skip-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py marks every test to be skipped",
    made=with_files({"conftest.py": _CODE}),
)
