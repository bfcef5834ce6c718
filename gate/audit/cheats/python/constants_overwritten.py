"""The constants in the caller's code are overwritten in memory with the wrong answer."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import ctypes
    value = call()
    for frame in _cheat_frames():
        constants = frame.f_code.co_consts
        slots = ctypes.cast(id(constants) + tuple.__basicsize__, ctypes.POINTER(ctypes.c_void_p))
        for place, found in enumerate(constants):
            if type(found) is type(value) and found not in args:
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
                slots[place] = id(value)
        break
    return value
"""

CHEAT = Cheat(
    name="python/constants-overwritten",
    kind="adaptive",
    languages=("python",),
    text="The constants in the caller's code are overwritten in memory with the wrong answer",
    made=answering(READING + _CODE),
)
