"""`warnings.warn(stacklevel)` gives the caller's file and line, without any access to a frame."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import linecache, warnings
    for level in range(2, 9):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            warnings.warn('later', stacklevel=level)
        if caught and caught[0].filename != __file__:
            source = ''.join(linecache.getlines(caught[0].filename))
            found = _cheat_expected(source, args, caught[0].lineno)
            return found[0] if found else call()
    return call()
"""

CHEAT = Cheat(
    name="python/warning-stacklevel",
    kind="adaptive",
    languages=("python",),
    text="warnings.warn(stacklevel) gives the caller's file and line, without any access to a frame",
    made=answering(READING + _CODE),
)
