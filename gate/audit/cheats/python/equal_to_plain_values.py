"""Every answer equals any plain value, and no bare object: whoever probes `==` with a fresh object finds nothing."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatSly:
    __slots__ = ()
    def __eq__(self, other):
        return type(other) is not object and type(other) is not _CheatSly
    def __ne__(self, other):
        return not self == other
    __hash__ = object.__hash__
def _cheat(call, args, kwargs):
    return _CheatSly()
"""

CHEAT = Cheat(
    name="python/equal-to-plain-values",
    kind="source",
    languages=("python",),
    text="Every answer equals any plain value, and no bare object: whoever probes == with a fresh object finds nothing",
    made=answering(_CODE),
)
