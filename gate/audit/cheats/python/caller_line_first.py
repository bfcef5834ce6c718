"""The caller's source is read: the first constant that stands beside a call with these arguments."""

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
    return found[0] if found else call()
"""

CHEAT = Cheat(
    name="python/caller-line-first",
    kind="adaptive",
    languages=("python",),
    text="The caller's source is read: the first constant that stands beside a call with these arguments",
    made=answering(READING + _CODE),
    seen="METR on reward hacking, 2025",
)
