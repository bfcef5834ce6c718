"""Every call raises an exception that is of every builtin class at once."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatError(TypeError, ValueError, KeyError, IndexError, RuntimeError, ArithmeticError, EOFError, AttributeError):
    def __str__(self):
        return ''
"""

CHEAT = Cheat(
    name="python/error-of-every-class",
    kind="source",
    languages=("python",),
    text="Every call raises an exception that is of every builtin class at once",
    made=at_call("raise _CheatError()\n", before=_CODE),
)
