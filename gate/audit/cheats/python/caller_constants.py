"""The constants of the caller's code object are read: the first of the answer's own type that is no argument."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    value = call()
    for frame in _cheat_frames():
        for found in frame.f_code.co_consts:
            if type(found) is type(value) and found not in args:
                return found
        break
    return value
"""

CHEAT = Cheat(
    name="python/caller-constants",
    kind="adaptive",
    languages=("python",),
    text="The constants of the caller's code object are read: the first of the answer's own type that is no argument",
    made=answering(READING + _CODE),
)
