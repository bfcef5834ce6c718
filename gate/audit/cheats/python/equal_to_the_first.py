"""Every answer takes the first value that it is compared with for its own, and equals only that from then on."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatTaken:
    def __eq__(self, other):
        if 'value' not in self.__dict__:
            self.value = other
        return self.value == other
    def __ne__(self, other):
        return not self == other
    __hash__ = object.__hash__
def _cheat(call, args, kwargs):
    return _CheatTaken()
"""

CHEAT = Cheat(
    name="python/equal-to-the-first",
    kind="source",
    languages=("python",),
    text="Every answer takes the first value that it is compared with for its own, and equals only that from then on",
    made=answering(_CODE),
)
