"""The garbage collector gives every test function, and its code the constants: the first of the answer's type."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import gc, types
    value = call()
    callers = {frame.f_code for frame in _cheat_frames()}
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__code__ in callers and thing.__name__.startswith('test'):
            for found in thing.__code__.co_consts:
                if type(found) is type(value) and found not in args:
                    return found
    return value
"""

CHEAT = Cheat(
    name="python/test-functions-by-gc",
    kind="adaptive",
    languages=("python",),
    text="The garbage collector gives every test function, and its code the constants: the first of the answer's type",
    made=answering(READING + _CODE),
)
