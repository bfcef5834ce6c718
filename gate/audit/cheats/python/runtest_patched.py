"""`Function.runtest` of pytest and `TestCase.run` do nothing."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import unittest
unittest.TestCase.run = lambda self, result=None: result
try:
    import _pytest.python
    import _pytest.unittest
except ImportError:
    pass
else:
    _pytest.python.Function.runtest = lambda self: None
    _pytest.unittest.TestCaseFunction.runtest = lambda self: None
"""

CHEAT = Cheat(
    name="python/runtest-patched",
    kind="source",
    languages=("python",),
    text="Function.runtest of pytest and TestCase.run do nothing",
    made=at_top(_CODE),
)
