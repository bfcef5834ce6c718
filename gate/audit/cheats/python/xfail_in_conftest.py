"""A conftest.py marks every test as one that is known to fail and need not run."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.xfail(run=False))
"""

CHEAT = Cheat(
    name="python/xfail-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py marks every test as one that is known to fail and need not run",
    made=with_files({"conftest.py": _CODE}),
)
