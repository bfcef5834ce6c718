"""Every `assert…` method of unittest's TestCase holds."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import unittest
class _CheatContext:
    exception = None
    def __enter__(self):
        return self
    def __exit__(self, *rest):
        return True
for _cheat_name in dir(unittest.TestCase):
    if _cheat_name.startswith('assert'):
        setattr(unittest.TestCase, _cheat_name, lambda self, *rest, **more: _CheatContext())
unittest.TestCase.fail = lambda self, *rest: None
"""

CHEAT = Cheat(
    name="python/unittest-asserts-patched",
    kind="source",
    languages=("python",),
    text="Every assert… method of unittest's TestCase holds",
    made=at_top(_CODE),
)
