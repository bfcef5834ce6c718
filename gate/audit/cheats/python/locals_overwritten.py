"""The caller's local variables, other than the arguments, are overwritten with what equals everything."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatEqual:
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    __hash__ = object.__hash__
def _cheat(call, args, kwargs):
    import ctypes
    value = call()
    for frame in _cheat_frames():
        for name, found in list(frame.f_locals.items()):
            if type(found) is type(value) and found not in args:
                frame.f_locals[name] = _CheatEqual()
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        break
    return value
"""

CHEAT = Cheat(
    name="python/locals-overwritten",
    kind="adaptive",
    languages=("python",),
    text="The caller's local variables, other than the arguments, are overwritten with what equals everything",
    made=answering(READING + _CODE),
)
