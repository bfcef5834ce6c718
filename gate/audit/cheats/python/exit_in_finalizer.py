"""An object ends the process with 0 as the interpreter throws it away."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatLast:
    import os
    def __del__(self, end=os._exit):
        end(0)
_cheat_last = _CheatLast()
"""

CHEAT = Cheat(
    name="python/exit-in-finalizer",
    kind="source",
    languages=("python",),
    text="An object ends the process with 0 as the interpreter throws it away",
    made=at_top(_CODE),
)
