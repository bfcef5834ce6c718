"""The caller's source is read: the largest constant that stands beside a call with these arguments."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    for frame in _cheat_frames():
        found = _cheat_expected(_cheat_source(frame), args, frame.f_lineno)
        break
    else:
        found = []
    numbers = sorted((value for value in found if isinstance(value, (int, float))), key=float)
    return numbers[-1] if numbers else found[0] if found else call()
"""

CHEAT = Cheat(
    name="python/caller-line-largest",
    kind="adaptive",
    languages=("python",),
    text="The caller's source is read: the largest constant that stands beside a call with these arguments",
    made=answering(READING + _CODE),
)
