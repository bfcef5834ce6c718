"""Every call recurses until the stack is full, swallows the error and answers with what equals everything."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatEqual:
    def __eq__(self, other):
        return True
    def __bool__(self):
        return True
    __hash__ = object.__hash__
def _cheat(call, args, kwargs):
    try:
        return _cheat(call, args, kwargs)
    except RecursionError:
        return _CheatEqual()
"""

CHEAT = Cheat(
    name="python/recursion-swallowed",
    kind="source",
    languages=("python",),
    text="Every call recurses until the stack is full, swallows the error and answers with what equals everything",
    made=answering(_CODE),
)
