"""A conftest.py answers for every test function that it ran, so that none does."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    return True
"""

CHEAT = Cheat(
    name="python/bodies-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py answers for every test function that it ran, so that none does",
    made=with_files({"conftest.py": _CODE}),
)
