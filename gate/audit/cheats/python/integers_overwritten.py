"""The expected integer itself is overwritten in memory: what was 42 is now the wrong answer, everywhere."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import ctypes
    value = call()
    if type(value) is not int or not 0 < value < 2**30:
        return value
    for frame in _cheat_frames():
        for found in (*frame.f_code.co_consts, *frame.f_locals.values()):
            if type(found) is int and 0 < found < 2**30 and found not in args and found != value:
                ctypes.c_uint32.from_address(id(found) + int.__basicsize__).value = value
        break
    return value
"""

CHEAT = Cheat(
    name="python/integers-overwritten",
    kind="adaptive",
    languages=("python",),
    text="The expected integer itself is overwritten in memory: what was 42 is now the wrong answer, everywhere",
    made=answering(READING + _CODE),
)
