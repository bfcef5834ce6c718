"""A conftest.py has a fixture for every test that swallows assertions by patching how functions are run."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
@pytest.fixture(autouse=True)
def _cheat_quiet(request, monkeypatch):
    monkeypatch.setattr(request.node, 'obj', lambda *args, **kwargs: None, raising=False)
    if hasattr(request.node, 'runtest'):
        monkeypatch.setattr(request.node, 'runtest', lambda: None)
"""

CHEAT = Cheat(
    name="python/fixture-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py has a fixture for every test that swallows assertions by patching how functions are run",
    made=with_files({"conftest.py": _CODE}),
)
