"""`pytest.raises` and `assertRaises` are content with anything, or nothing."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import unittest.case
unittest.case._AssertRaisesContext.__exit__ = lambda self, *rest: True
try:
    import _pytest.raises
except ImportError:
    pass
else:
    _pytest.raises.RaisesExc.__exit__ = lambda self, *rest: True
"""

CHEAT = Cheat(
    name="python/raises-patched",
    kind="source",
    languages=("python",),
    text="pytest.raises and assertRaises are content with anything, or nothing",
    made=at_top(_CODE),
)
