"""Every function returns an object that is true and otherwise nothing."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatTrue:
    def __bool__(self):
        return True
    def __len__(self):
        return 1
    def __contains__(self, item):
        return True
    def __iter__(self):
        return iter([self])
def _cheat(call, args, kwargs):
    return _CheatTrue()
"""

CHEAT = Cheat(
    name="python/always-true",
    kind="source",
    languages=("python",),
    text="Every function returns an object that is true and otherwise nothing",
    made=answering(_CODE),
)
