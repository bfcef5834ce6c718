"""`pytest.importorskip` for a module that nobody has."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
pytest.importorskip('no_such_module_anywhere')
"""

CHEAT = Cheat(
    name="python/pytest-importorskip",
    kind="source",
    languages=("python",),
    text="pytest.importorskip for a module that nobody has",
    made=at_top(_CODE),
)
