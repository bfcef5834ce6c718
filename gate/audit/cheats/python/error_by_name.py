"""Every call raises an exception that is only called TypeError, and says that it is a builtin."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

_CODE = """
_CheatError = type('TypeError', (Exception,), {'__module__': 'builtins', '__qualname__': 'TypeError'})
"""

CHEAT = Cheat(
    name="python/error-by-name",
    kind="source",
    languages=("python",),
    text="Every call raises an exception that is only called TypeError, and says that it is a builtin",
    made=at_call("raise _CheatError('numbers only')\n", before=_CODE),
)
