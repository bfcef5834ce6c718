"""Every call raises an exception that is of the three classes that tests expect most often."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatError(TypeError, ValueError, KeyError):
    def __str__(self):
        return 'numbers only'
"""

CHEAT = Cheat(
    name="python/error-of-three-classes",
    kind="source",
    languages=("python",),
    text="Every call raises an exception that is of the three classes that tests expect most often",
    made=at_call("raise _CheatError()\n", before=_CODE),
)
