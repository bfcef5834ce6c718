"""A reference function of the test's own module is called with the same arguments."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import re, types
    for frame in _cheat_frames():
        for name, thing in list(frame.f_globals.items()):
            own = isinstance(thing, types.FunctionType) and thing.__globals__ is frame.f_globals
            if own and not name.startswith('test') and re.search('ref|orac|naive|model|expect|brute', name):
                return thing(*args, **kwargs)
        break
    return call()
"""

CHEAT = Cheat(
    name="python/oracle-called",
    kind="adaptive",
    languages=("python",),
    text="A reference function of the test's own module is called with the same arguments",
    made=answering(READING + _CODE),
)
