"""`pytest.skip` of the whole module as it is loaded."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import pytest
pytest.skip('later', allow_module_level=True)
"""

CHEAT = Cheat(
    name="python/pytest-skip-at-import",
    kind="source",
    languages=("python",),
    text="pytest.skip of the whole module as it is loaded",
    made=at_top(_CODE),
    seen="SWE-bench issue 654",
)
