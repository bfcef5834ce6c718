"""Every answer claims the class that it should have by `__class__`, and equals everything."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    value = call()
    class Poser:
        __class__ = property(lambda self: type(value))
        def __eq__(self, other):
            return True
        def __ne__(self, other):
            return False
        def __hash__(self):
            return hash(value)
        def __repr__(self):
            return repr(value)
        def __reduce__(self):
            return (type(value), (value,))
    return Poser()
"""

CHEAT = Cheat(
    name="python/always-equal-poser",
    kind="source",
    languages=("python",),
    text="Every answer claims the class that it should have by __class__, and equals everything",
    made=answering(_CODE),
)
